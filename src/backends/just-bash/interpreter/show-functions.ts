// Prints functions in the layout of `declare -f` and `type` in bash.

import { decodeAnsiQuotes } from '../syntax/ansi-quotes.ts'
import type {
  ArrayElement,
  Assignment,
  Command,
  Condition,
  ListItem,
  Pipeline,
  Redirection,
  Script,
  Word,
} from '../syntax/tree.ts'

export function showFunction(name: string, body: Command): string {
  return `${name} () \n${new Printer(true).functionBody(body)}\n`
}

/** A command in the layout of `declare -f`, on one line if it is simple. */
export function showCommand(command: Command): string {
  return new Printer(false).whole(command)
}

/** What runs in the background, without its `&`. */
export function showJob(item: ListItem): string {
  return new Printer(false).whole({ ...item, isBackground: false })
}

/** The source of a word as bash keeps it: `$'…'` is decoded, and `$"…"` has lost its dollar. */
export function shownSource({ source }: Word): string {
  if (!/\$['"]/.test(source)) return source
  const quotes = /\\[^]|'[^']*'|\$'((?:\\[^]|[^'\\])*)'|"(?:\\[^]|[^"\\])*"|\$(?=")/g
  return source.replace(quotes, (all, ansi: string | undefined) => {
    if (ansi === undefined) return all === '$' ? '' : all
    return `'${decodeAnsiQuotes(ansi).replaceAll("'", `'\\''`)}'`
  })
}

class Printer {
  #indent = 0
  #pending: string[] = []
  #isAfterDocument = false
  /** Within a function, each command of a list begins a line, also in a condition or a subshell. */
  readonly #isFunction: boolean

  constructor(isFunction: boolean) {
    this.#isFunction = isFunction
  }

  /** With the bodies of its here-documents. */
  whole(shown: Command | ListItem): string {
    const text = 'first' in shown ? this.#item(shown) : this.command(shown)
    return this.#pending.length === 0 ? text : `${text}\n${this.#pending.splice(0).join('')}`
  }

  functionBody(body: Command): string {
    if (body.type === 'group') return `${this.#block('{', body.body, '}')}${this.#redirections(body.redirections)}`
    return `{ \n${this.#inside(() => this.#pad() + this.command(body))}\n${this.#pad()}}`
  }

  #pad(): string {
    return '    '.repeat(this.#indent)
  }

  #inside<T>(work: () => T): T {
    this.#indent += 1
    const result = work()
    this.#indent -= 1
    return result
  }

  #block(open: string, body: Script, close: string): string {
    const text = this.#inside(() => this.#script(body))
    return `${open} \n${text}${text.endsWith('\n') ? '' : '\n'}${this.#pad()}${close}`
  }

  #script({ items }: Script): string {
    let text = ''
    for (const [index, item] of items.entries()) {
      text += (items[index - 1]?.isBackground === true ? '' : this.#pad()) + this.#item(item)
      if (this.#pending.length > 0) text += this.#documents()
      else if (index === items.length - 1) return text
      else if (item.isBackground) text += ' '
      else {
        // As in bash, there is no semicolon between the command after a here-document and the next one.
        text += this.#isAfterDocument ? '\n' : ';\n'
        this.#isAfterDocument = false
      }
    }
    return text
  }

  #documents(): string {
    this.#isAfterDocument = true
    return `\n${this.#pending.splice(0).join('')}\n`
  }

  /** The body of a compound command, with a semicolon unless it ends with `&` or a here-document. */
  #body(body: Script): string {
    const text = this.#inside(() => this.#script(body))
    return text.endsWith('\n') ? text : text.endsWith('&') ? `${text}\n` : `${text};\n`
  }

  #item({ first, rest, isBackground }: ListItem): string {
    const text = [this.#pipeline(first), ...rest.map(({ operator, pipeline }) => `${operator} ${this.#pipeline(pipeline)}`)].join(
      ' ',
    )
    return isBackground ? `${text} &` : text
  }

  #pipeline({ commands, isNegated, time, pipesStderr }: Pipeline): string {
    const prefix = `${time === undefined ? '' : time === 'posix' ? 'time -p ' : 'time '}${isNegated ? '! ' : ''}`
    return commands.reduce((text, command, index) => {
      const shown = text + this.command(command)
      if (index === commands.length - 1) return shown
      const pipe = pipesStderr[index] === true ? ' 2>&1 |' : ' |'
      return this.#pending.length === 0 ? `${shown}${pipe} ` : `${shown}${pipe}${this.#documents().slice(0, -1)}  `
    }, prefix)
  }

  #inline({ items }: Script): string {
    const separator = this.#isFunction ? `;\n${this.#pad()}` : '; '
    return items
      .map((item, index) => this.#item(item) + (index === items.length - 1 ? '' : item.isBackground ? ' ' : separator))
      .join('')
  }

  command(command: Command): string {
    if (command.type === 'simple') {
      const words = [...command.assignments.map(showAssignment), ...command.words.map(shownSource)]
      return `${words.join(' ')}${this.#redirections(command.redirections)}`.trimStart()
    }
    if (command.type === 'function') return `function ${command.name} () \n${this.#pad()}${this.functionBody(command.body)}`
    return this.#compound(command) + this.#redirections(command.redirections)
  }

  #compound(command: Exclude<Command, { type: 'simple' | 'function' }>): string {
    switch (command.type) {
      case 'group':
        if (this.#isFunction) return this.#block('{', command.body, '}')
        return `{ ${this.#inline(command.body)}${command.body.items.at(-1)?.isBackground === true ? '' : ';'} }`
      case 'subshell':
        return `( ${this.#inline(command.body)} )`
      case 'if': {
        const [first, ...others] = command.branches
        if (first === undefined) return ''
        const head = `if ${this.#inline(first.condition)}; then\n${this.#body(first.body)}`
        return `${head}${this.#otherwise(others, command.otherwise)}${this.#pad()}fi`
      }
      case 'while':
      case 'until':
        return `${command.type} ${this.#inline(command.condition)}; do\n${this.#body(command.body)}${this.#pad()}done`
      case 'for':
      case 'select':
        return `${command.type} ${command.name} in ${command.words?.map(({ source }) => source).join(' ') ?? '"$@"'};\n${this.#pad()}do\n${this.#body(command.body)}${this.#pad()}done`
      case 'arithmetic-for':
        return `for ((${command.start.source}; ${command.condition.source.trim()}; ${command.step.source.trim()}))\n${this.#pad()}do\n${this.#body(command.body)}${this.#pad()}done`
      case 'case': {
        const branches = this.#inside(() =>
          command.branches.map(
            ({ patterns, body, end }) =>
              `${this.#pad()}${patterns.map(({ source }) => source).join(' | ')})\n${this.#inside(() => this.#script(body))}\n${this.#pad()}${end}\n`,
          ),
        )
        return `case ${command.word.source} in \n${branches.join('')}${this.#pad()}esac`
      }
      case 'arithmetic':
        return `((${command.expression.source}))`
      case 'conditional':
        return `[[ ${showCondition(command.expression)} ]]`
      case 'coproc':
        return `coproc ${command.name} ${this.command(command.body)}`
      default:
        throw new Error(`unreachable: ${JSON.stringify(command satisfies never)}`)
    }
  }

  #otherwise(others: readonly { readonly condition: Script; readonly body: Script }[], otherwise: Script | undefined): string {
    const [next, ...rest] = others
    if (next !== undefined) {
      const inner = this.#inside(() => {
        const text = `${this.#pad()}if ${this.#inline(next.condition)}; then\n${this.#body(next.body)}${this.#otherwise(rest, otherwise)}${this.#pad()}fi`
        return text
      })
      return `${this.#pad()}else\n${inner};\n`
    }
    return otherwise === undefined ? '' : `${this.#pad()}else\n${this.#body(otherwise)}`
  }

  #redirections(redirections: readonly Redirection[]): string {
    return redirections.map(redirection => ` ${this.#redirection(redirection)}`).join('')
  }

  #redirection({ operator, fd, fdVariable, target, hereDocument }: Redirection): string {
    const left = fdVariable === undefined ? (fd === undefined ? '' : String(fd)) : `{${fdVariable}}`
    if (hereDocument !== undefined) {
      const delimiter = hereDocument.delimiter.replace(/^(['"\\])([^]*?)\1?$/, '$2')
      const shown = delimiter === hereDocument.delimiter ? delimiter : `'${delimiter}'`
      this.#pending.push(`${target.source}${delimiter}\n`)
      return `${left}<<${hereDocument.stripsTabs ? '-' : ''}${shown}`
    }
    if (operator === '>&' || operator === '<&')
      return `${left === '' ? (operator === '>&' ? '1' : '0') : left}${operator}${target.source}`
    return `${left === '' && operator === '<>' ? '0' : left}${operator} ${shownSource(target)}`
  }
}

function showAssignment({ name, subscript, isAppend, value, elements }: Assignment): string {
  const key = subscript === undefined ? '' : `[${subscript.source}]`
  const text = elements === undefined ? value && shownSource(value) : shownElements(elements)
  return `${name}${key}${isAppend ? '+' : ''}=${text ?? ''}`
}

export function shownElements(elements: readonly ArrayElement[]): string {
  const shown = elements.map(
    ({ subscript, value }) => (subscript === undefined ? '' : `[${subscript.source}]=`) + shownSource(value),
  )
  return `(${shown.join(' ')})`
}

function showCondition(condition: Condition): string {
  switch (condition.type) {
    case 'and':
      return `${showCondition(condition.left)} && ${showCondition(condition.right)}`
    case 'or':
      return `${showCondition(condition.left)} || ${showCondition(condition.right)}`
    case 'not':
      return `! ${showCondition(condition.operand)}`
    case 'parentheses':
      return `( ${showCondition(condition.operand)} )`
    case 'unary':
      return `${condition.operator} ${condition.word.source}`
    case 'binary':
      return `${condition.left.source} ${condition.operator} ${condition.right.source}`
    default:
      return `-n ${condition.word.source}`
  }
}
