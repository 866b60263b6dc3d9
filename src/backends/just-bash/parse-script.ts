// Lists the commands of a script in the order in which they are written, for code that decides whether to allow them.

import type { ParsedCommand, ParsedRedirection, ParsedScript, ParsedWord } from '../../shell/parsed-script.ts'
import { Parser } from './syntax/parser.ts'
import { SyntaxProblem } from './syntax/source.ts'
import type { Command, Redirection, Script, SimpleCommand, Word, WordPart } from './syntax/tree.ts'

// A limit on the list. A reviewer would not read a longer script either.
const maxCommands = 10_000

/** Returns `undefined` if bash would reject the script. */
export async function parseScript(script: string): Promise<ParsedScript | undefined> {
  try {
    // Extended patterns are accepted in any case: they are only words here, and bash may have them enabled.
    return await Promise.resolve(flatten(new Parser(script, { isExtendedGlob: () => true }).all()))
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined
    throw error
  }
}

function flatten(tree: Script): ParsedScript {
  const commands: ParsedCommand[] = []
  let isCut = false
  const add = (command: ParsedCommand): void => {
    if (commands.length < maxCommands) commands.push(command)
    else isCut = true
  }
  const script = ({ items }: Script, position: ParsedCommand['position']): void => {
    let next = position
    for (const { first, rest } of items) {
      for (const { commands: piped } of [first, ...rest.map(({ pipeline }) => pipeline)]) {
        for (const command of piped) {
          visit(command, next)
          if (next === 'first') next = 'later'
        }
      }
    }
  }
  const visit = (command: Command, position: ParsedCommand['position']): void => {
    if (command.type === 'simple') {
      add(simpleCommand(command, position))
      nested([command.assignments, command.words, command.redirections])
      return
    }
    const inside = position === 'first' ? 'later' : position
    if (command.type === 'function' || command.type === 'coproc') {
      visit(command.body, inside)
      return
    }
    // The redirections of a compound command are listed as a command without words.
    if (command.redirections.length > 0)
      add({ words: [], assignments: [], redirections: command.redirections.map(redirection), position: inside })
    nested(command.redirections)
    switch (command.type) {
      case 'if':
        for (const branch of command.branches) {
          script(branch.condition, inside)
          script(branch.body, inside)
        }
        if (command.otherwise !== undefined) script(command.otherwise, inside)
        break
      case 'while':
      case 'until':
        script(command.condition, inside)
        script(command.body, inside)
        break
      case 'case':
        nested(command.word)
        for (const branch of command.branches) {
          nested(branch.patterns)
          script(branch.body, inside)
        }
        break
      case 'for':
      case 'select':
        nested(command.words)
        script(command.body, inside)
        break
      case 'arithmetic-for':
        nested([command.start, command.condition, command.step])
        script(command.body, inside)
        break
      case 'group':
      case 'subshell':
        script(command.body, inside)
        break
      default:
        nested(command.expression)
    }
  }
  /** Visits the scripts of all substitutions. They can occur in any word, at any depth. */
  const nested = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) nested(item)
    } else if (isScript(node)) {
      script(node, 'nested')
    } else if (typeof node === 'object' && node !== null) {
      for (const value of Object.values(node)) nested(value)
    }
  }
  script(tree, 'first')
  return { commands, isCut }
}

function isScript(node: unknown): node is Script {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
}

function simpleCommand({ words, assignments, redirections }: SimpleCommand, position: ParsedCommand['position']): ParsedCommand {
  return {
    words: words.map(word),
    assignments: assignments.map(assignment => assignment.name),
    redirections: redirections.map(redirection),
    position,
  }
}

function redirection({ operator, fd, target, hereDocument }: Redirection): ParsedRedirection {
  return { operator, fd, target: hereDocument === undefined ? word(target) : undefined }
}

function word({ parts, assignment, source }: Word): ParsedWord {
  if (assignment !== undefined) {
    const value =
      assignment.value === undefined ? { text: '', isPlain: assignment.elements === undefined } : word(assignment.value)
    return {
      text:
        assignment.elements === undefined && assignment.value !== undefined
          ? `${source.slice(0, source.indexOf('=') + 1)}${value.text}`
          : source,
      isPlain: value.isPlain,
    }
  }
  const shown = parts.map(part)
  return { text: shown.map(({ text }) => text).join(''), isPlain: shown.every(({ isPlain }) => isPlain) }
}

function part(node: WordPart): ParsedWord {
  switch (node.type) {
    case 'text':
      return { text: node.text, isPlain: !/[*?[{]|^~/.test(node.text) }
    case 'quoted':
      return { text: node.text, isPlain: true }
    case 'double': {
      const inner = node.parts.map(part)
      return { text: inner.map(({ text }) => text).join(''), isPlain: inner.every(({ isPlain }) => isPlain) }
    }
    case 'parameter':
      return { text: `$${node.name}`, isPlain: false }
    case 'command':
    case 'process':
      return { text: '$(…)', isPlain: false }
    case 'arithmetic':
      return { text: '$((…))', isPlain: false }
    default:
      return { text: '{…}', isPlain: false }
  }
}
