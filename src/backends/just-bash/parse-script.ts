// The interpreter's syntax tree as those who judge commands see it: the commands, flat, in the order in which they are written.

import type { ParsedCommand, ParsedRedirection, ParsedScript, ParsedWord } from '../../shell/parsed-script.ts'
import type { Command, Redirection, Script, SimpleCommand, Statement } from './ast.ts'

type Word = NonNullable<SimpleCommand['name']>
type WordPart = Word['parts'][number]

// A script of more is no command that a person would read either.
const maxCommands = 10_000

/** `undefined` for a script that bash would refuse. The interpreter is loaded with the first call. */
export async function parseScript(script: string): Promise<ParsedScript | undefined> {
  const { parseTree } = await import('./engine.ts')
  const tree = parseTree(script)
  return tree === undefined ? undefined : flatten(tree)
}

function flatten(tree: Script): ParsedScript {
  const commands: ParsedCommand[] = []
  let isCut = false
  const add = (command: ParsedCommand): void => {
    if (commands.length < maxCommands) commands.push(command)
    else isCut = true
  }
  const script = (statements: readonly Statement[], position: ParsedCommand['position']): void => {
    let next = position
    for (const statement of statements) {
      for (const { commands: piped } of statement.pipelines) {
        for (const command of piped) {
          visit(command, next)
          if (next === 'first') next = 'later'
        }
      }
    }
  }
  const visit = (command: Command, position: ParsedCommand['position']): void => {
    if (command.type === 'SimpleCommand') {
      add(simpleCommand(command, position))
      nested(command)
      return
    }
    const inside = position === 'first' ? 'later' : position
    // What a redirection of a whole block does is done by no command of its own.
    if (command.redirections.length > 0)
      add({ words: [], assignments: [], redirections: command.redirections.map(redirection), position: inside })
    switch (command.type) {
      case 'FunctionDef':
        visit(command.body, inside)
        break
      case 'If':
        for (const clause of command.clauses) {
          script(clause.condition, inside)
          script(clause.body, inside)
        }
        script(command.elseBody ?? [], inside)
        break
      case 'While':
      case 'Until':
        script(command.condition, inside)
        script(command.body, inside)
        break
      case 'Case':
        nested(command.word)
        for (const item of command.items) script(item.body, inside)
        break
      case 'For':
        nested(command.words)
        script(command.body, inside)
        break
      case 'CStyleFor':
      case 'Group':
      case 'Subshell':
        script(command.body, inside)
        break
      case 'ArithmeticCommand':
      case 'ConditionalCommand':
        nested(command)
        break
    }
  }
  /** Substitutions stand in words of every kind, deep inside: whatever holds a script is looked into. */
  const nested = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) nested(item)
    } else if (isScript(node)) {
      script(node.statements, 'nested')
    } else if (typeof node === 'object' && node !== null) {
      for (const value of Object.values(node)) nested(value)
    }
  }
  script(tree.statements, 'first')
  return { commands, isCut }
}

function isScript(node: unknown): node is Script {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'Script' && 'statements' in node
}

function simpleCommand(
  { name, args, assignments, redirections }: SimpleCommand,
  position: ParsedCommand['position'],
): ParsedCommand {
  return {
    words: (name === null ? [] : [name, ...args]).map(word),
    assignments: assignments.map(assignment => assignment.name),
    redirections: redirections.map(redirection),
    position,
  }
}

function redirection({ operator, fd, target }: Redirection): ParsedRedirection {
  return { operator, fd: fd ?? undefined, target: target.type === 'HereDoc' ? undefined : word(target) }
}

function word({ parts }: Word): ParsedWord {
  const shown = parts.map(part)
  return { text: shown.map(({ text }) => text).join(''), isPlain: shown.every(({ isPlain }) => isPlain) }
}

function part(node: WordPart): ParsedWord {
  switch (node.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Escaped':
      return { text: node.value, isPlain: true }
    case 'DoubleQuoted': {
      const inner = node.parts.map(part)
      return { text: inner.map(({ text }) => text).join(''), isPlain: inner.every(({ isPlain }) => isPlain) }
    }
    case 'ParameterExpansion':
      return { text: `$${node.parameter}`, isPlain: false }
    case 'Glob':
      return { text: node.pattern, isPlain: false }
    case 'TildeExpansion':
      return { text: `~${node.user ?? ''}`, isPlain: false }
    case 'CommandSubstitution':
    case 'ProcessSubstitution':
      return { text: '$(…)', isPlain: false }
    case 'ArithmeticExpansion':
      return { text: '$((…))', isPlain: false }
    default:
      return { text: '{…}', isPlain: false }
  }
}
