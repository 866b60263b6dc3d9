// Analyses a program before it is compiled: which names are arrays, and which functions are asynchronous.

import type { Expression, FunctionDefinition, Program } from './syntax.ts'

export interface Analysis {
  readonly globalArrays: ReadonlySet<string>
  /** For each function, the names of its parameters that are arrays. */
  readonly arrayParameters: ReadonlyMap<string, ReadonlySet<string>>
  readonly waitingFunctions: ReadonlySet<string>
}

interface AnyNode {
  readonly kind: string
  readonly [key: string]: unknown
}

/** For each builtin, the indexes of its array arguments. */
const arrayArguments: Readonly<Record<string, readonly number[]>> = {
  split: [1, 3],
  match: [2],
  asort: [0, 1],
  asorti: [0, 1],
  patsplit: [1, 3],
}

const loops: ReadonlySet<string> = new Set(['while', 'for', 'for-in'])

const waitingBuiltins: ReadonlySet<string> = new Set(['system', 'close', 'fflush'])
const longBuiltins: ReadonlySet<string> = new Set(['sub', 'gsub', 'gensub'])

/** `longWorkWaits`: a loop or a change of a long text lets others run. */
export function analyse(program: Program, longWorkWaits: boolean): Analysis {
  const functions = [...program.functions.values()]
  const arrayParameters = new Map(functions.map(({ name }) => [name, new Set<string>()]))
  const globalArrays = new Set<string>()
  const waitingFunctions = new Set<string>()
  const isArray = (name: string, within: FunctionDefinition | undefined): boolean =>
    within?.parameters.includes(name) === true ? arrayParameters.get(within.name)?.has(name) === true : globalArrays.has(name)
  const note = (name: string, within: FunctionDefinition | undefined): void => {
    if (within?.parameters.includes(name) === true) arrayParameters.get(within.name)?.add(name)
    else globalArrays.add(name)
  }
  const look = (node: AnyNode, within: FunctionDefinition | undefined): void => {
    if (typeof node['array'] === 'string') note(node['array'], within)
    if (node.kind === 'builtin') {
      const args = node['args'] as readonly Expression[]
      for (const place of arrayArguments[String(node['name'])] ?? []) {
        const argument = args[place]
        if (argument?.kind === 'variable') note(argument.name, within)
      }
      const name = String(node['name'])
      if (within !== undefined && (waitingBuiltins.has(name) || (longWorkWaits && longBuiltins.has(name))))
        waitingFunctions.add(within.name)
    }
    if ((node.kind === 'getline' || (longWorkWaits && loops.has(node.kind))) && within !== undefined)
      waitingFunctions.add(within.name)
    if ((node.kind === 'print' || node.kind === 'printf') && node['to'] !== undefined && within !== undefined)
      waitingFunctions.add(within.name)
    if (node.kind === 'call') {
      const callee = program.functions.get(String(node['name']))
      if (callee === undefined) return
      if (waitingFunctions.has(callee.name) && within !== undefined) waitingFunctions.add(within.name)
      for (const [place, argument] of (node['args'] as readonly Expression[]).entries()) {
        const parameter = callee.parameters[place]
        if (argument.kind !== 'variable' || parameter === undefined) continue
        if (arrayParameters.get(callee.name)?.has(parameter) === true) note(argument.name, within)
        // The callee only passes the array on or takes its length, so its body does not show that the parameter is an array.
        else if (
          isArray(argument.name, within) &&
          !argumentsOf(program, callee.name, place).some(other => !isArrayName(other, isArray, within))
        )
          arrayParameters.get(callee.name)?.add(parameter)
      }
    }
  }
  // Each round may reveal more about the callers; the number of functions bounds the number of rounds.
  for (let round = 0; round <= functions.length + 1; round++) {
    for (const node of nodesOf([program.begin, program.beginFile, program.rules, program.endFile, program.end]))
      look(node, undefined)
    for (const definition of functions) for (const node of nodesOf(definition.body)) look(node, definition)
  }
  return { globalArrays, arrayParameters, waitingFunctions }
}

function isArrayName(
  argument: Expression | undefined,
  isArray: (name: string, within: FunctionDefinition | undefined) => boolean,
  within: FunctionDefinition | undefined,
): boolean {
  return argument?.kind === 'variable' && isArray(argument.name, within)
}

function argumentsOf(program: Program, name: string, place: number): readonly (Expression | undefined)[] {
  const found: (Expression | undefined)[] = []
  for (const node of nodesOf([program.begin, program.rules, program.end])) {
    if (node.kind === 'call' && node['name'] === name) found.push((node['args'] as readonly Expression[])[place])
  }
  return found
}

/** All nodes of a part of a program. */
export function* nodesOf(value: unknown): Generator<AnyNode> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item)
    return
  }
  if (value instanceof Map) yield* nodesOf([...value.values()])
  if ('kind' in value) yield value as AnyNode
  for (const part of Object.values(value)) yield* nodesOf(part)
}
