// Aliases, which only sessions expand by default. The words of an alias replace the first word of a command, if it is written
// without quotes.

import { Parser } from '../syntax/parser.ts'
import { SyntaxProblem } from '../syntax/source.ts'
import type { Command, Script, SimpleCommand } from '../syntax/tree.ts'
import type { Shell } from './shell.ts'

/** An alias may begin with its own name, or with another alias. */
const maxDepth = 50

/** `undefined` if the first word is not an alias. */
export function expandAlias(shell: Shell, command: SimpleCommand): Script | undefined {
  return expandOnce(shell, command, new Set())
}

function expandOnce(shell: Shell, command: SimpleCommand, used: ReadonlySet<string>): Script | undefined {
  const [first, ...rest] = command.words
  const name = first?.parts.length === 1 && first.parts[0]?.type === 'text' ? first.literal : undefined
  const text = name === undefined || used.has(name) || used.size > maxDepth ? undefined : shell.aliases.get(name)
  if (name === undefined || text === undefined) return undefined
  const script = parse(text)
  if (script === undefined) return undefined
  const inside = new Set([...used, name])
  const last = script.items.at(-1)
  if (last === undefined) return withFirstCommand({ ...command, words: rest })
  // The remaining words of the command become arguments of the last command of the alias.
  const items = script.items.map(item => (item === last ? { ...item, ...withRest(item, command, rest) } : item))
  return { items: items.map(item => expandItem(shell, item, inside)) }
}

type Item = Script['items'][number]

function withRest(item: Item, { redirections, assignments }: SimpleCommand, rest: SimpleCommand['words']): Partial<Item> {
  const append = (given: Command): Command =>
    given.type === 'simple'
      ? {
          ...given,
          assignments: [...assignments, ...given.assignments],
          words: [...given.words, ...rest],
          redirections: [...given.redirections, ...redirections],
        }
      : given
  const inPipeline = (pipeline: Item['first']): Item['first'] => ({
    ...pipeline,
    commands: pipeline.commands.map((each, index) => (index === pipeline.commands.length - 1 ? append(each) : each)),
  })
  const lastRest = item.rest.at(-1)
  return lastRest === undefined
    ? { first: inPipeline(item.first) }
    : { rest: [...item.rest.slice(0, -1), { ...lastRest, pipeline: inPipeline(lastRest.pipeline) }] }
}

/** The first command of an alias may be an alias too. It is expanded here, except for names that are being expanded. */
function expandItem(shell: Shell, item: Item, used: ReadonlySet<string>): Item {
  const [first, ...more] = item.first.commands
  if (first?.type !== 'simple') return item
  const inner = expandOnce(shell, first, used)
  // A quoted word is never an alias, so a name that is being expanded is quoted.
  const kept: Command = inner === undefined ? unaliased(first) : groupOf(inner, first)
  return { ...item, first: { ...item.first, commands: [kept, ...more] } }
}

function unaliased(command: SimpleCommand): SimpleCommand {
  const [first, ...rest] = command.words
  const [part] = first?.parts ?? []
  if (first === undefined || part?.type !== 'text' || first.literal === undefined) return command
  return { ...command, words: [{ ...first, parts: [{ type: 'quoted', text: first.literal }] }, ...rest] }
}

function groupOf(script: Script, { line }: SimpleCommand): Command {
  const [only] = script.items
  const isOne = script.items.length === 1 && only !== undefined && only.rest.length === 0 && !only.isBackground
  const [command] = only?.first.commands ?? []
  if (isOne && only.first.commands.length === 1 && command !== undefined) return command
  return { type: 'group', body: script, redirections: [], line }
}

function withFirstCommand(command: SimpleCommand): Script {
  const source = command.words.map(word => word.source).join(' ')
  const first = { isNegated: false, time: undefined, commands: [command], pipesStderr: [false] }
  return { items: [{ first, rest: [], isBackground: false, source }] }
}

function parse(text: string): Script | undefined {
  try {
    return new Parser(text, { isExtendedGlob: () => true }).all()
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined
    throw error
  }
}
