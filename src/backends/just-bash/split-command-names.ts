// just-bash takes `"$@"` where a command's name stands for one word, "echo hi" for `echo` and `hi`; so `run() { "$@"; }`, which half of all
// scripts have, finds no command. The first word and the others are written apart. Found by experiment, just-bash 3.4.2.

import type { Script, SimpleCommand } from './ast.ts'

/** The same script, in which no command is named by a list, in substitutions neither. */
export function splitCommandNames(script: Script, source: string): Script {
  // The tree keeps its shape: only commands are put in the place of commands.
  return /\$\{?@|\[@\]/.test(source) ? (mapped(script) as Script) : script
}

function mapped(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(mapped)
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, unknown> = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, mapped(value)]))
  return isCommand(copy) ? split(copy) : copy
}

function isCommand(node: object): node is SimpleCommand {
  return 'type' in node && node.type === 'SimpleCommand'
}

function split(command: SimpleCommand): SimpleCommand {
  const list = listIn(command.name)
  if (list === undefined) return command
  const [first, from] = list === '@' ? ['1', 2] : [list.replace('[@]', '[0]'), 1]
  const rest = {
    type: 'Substring',
    offset: { type: 'ArithmeticExpression', expression: { type: 'ArithNumber', value: from }, originalText: String(from) },
    length: null,
  } as const
  return { ...command, name: quoted(first, null), args: [quoted(list, rest), ...command.args] }
}

type Word = NonNullable<SimpleCommand['name']>
type Operation = Extract<Word['parts'][number], { type: 'ParameterExpansion' }>['operation']

/** `@` or `name[@]`, where the name is nothing else. */
function listIn(name: SimpleCommand['name']): string | undefined {
  const [part] = name?.parts ?? []
  if (name?.parts.length !== 1 || part?.type !== 'DoubleQuoted' || part.parts.length !== 1) return undefined
  const [inner] = part.parts
  const isList = inner?.type === 'ParameterExpansion' && inner.operation === null && /^(?:@|\w+\[@\])$/.test(inner.parameter)
  return isList ? inner.parameter : undefined
}

function quoted(parameter: string, operation: Operation): Word {
  return { type: 'Word', parts: [{ type: 'DoubleQuoted', parts: [{ type: 'ParameterExpansion', parameter, operation }] }] }
}
