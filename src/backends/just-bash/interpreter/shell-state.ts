// The state of a session between two commands, as plain data. Another worker can continue from it.

import type { Command } from '../syntax/tree.ts'
import type { HashedCommand } from './hashed-commands.ts'
import type { Shell } from './shell.ts'
import { Variable } from './variables.ts'

export interface ShellState {
  readonly cwd: string
  readonly directory: string
  readonly status: number
  readonly variables: readonly (readonly [name: string, variable: SavedVariable])[]
  /** Dynamic variables that were unset. */
  readonly removed: readonly string[]
  readonly functions: readonly (readonly [name: string, body: Command, line: number, source: string])[]
  readonly exportedFunctions: readonly string[]
  readonly readonlyFunctions: readonly string[]
  readonly tracedFunctions: readonly string[]
  readonly disabledBuiltins: readonly string[]
  readonly options: readonly string[]
  readonly shopts: readonly string[]
  readonly aliases: readonly (readonly [string, string])[]
  readonly traps: readonly (readonly [string, string])[]
  readonly parameters: readonly string[]
  readonly pipeStatus: readonly number[]
  readonly lastBackgroundPid: number | undefined
  readonly lastArgument: string
  readonly directoryStack: readonly string[]
  readonly umask: number
  readonly seconds: number
  readonly getoptsPlace: { readonly index: number; readonly offset: number }
  readonly randomSeed: number | undefined
  readonly lineHistory: readonly string[]
  readonly hashed: readonly (readonly [name: string, command: HashedCommand])[]
}

export type SavedVariable = Pick<
  Variable,
  'scalar' | 'list' | 'map' | 'isExported' | 'isReadonly' | 'isInteger' | 'isTraced' | 'letterCase' | 'isReference' | 'isSet'
>

export function saveState(shell: Shell): ShellState {
  const { functions, functionLines, functionSources } = shell
  return {
    cwd: shell.cwd,
    directory: shell.directory,
    status: shell.status,
    variables: [...shell.variables.globals()].map(([name, variable]) => [name, savedVariable(variable)]),
    removed: [...shell.variables.dynamic.removed],
    functions: [...functions].map(([name, body]) => [name, body, functionLines.get(name) ?? 1, functionSources.get(name) ?? '']),
    exportedFunctions: [...shell.exportedFunctions],
    readonlyFunctions: [...shell.readonlyFunctions],
    tracedFunctions: [...shell.tracedFunctions],
    disabledBuiltins: [...shell.disabledBuiltins],
    options: [...shell.options],
    shopts: [...shell.shopts],
    aliases: [...shell.aliases],
    traps: [...shell.traps],
    parameters: shell.parameters,
    pipeStatus: shell.pipeStatus,
    lastBackgroundPid: shell.lastBackgroundPid,
    lastArgument: shell.lastArgument,
    directoryStack: shell.directoryStack,
    umask: shell.umask,
    seconds: Math.floor((performance.now() - shell.startedAtMs) / 1000) + shell.secondsBase,
    getoptsPlace: { ...shell.getoptsPlace },
    randomSeed: shell.randomSeed,
    lineHistory: shell.lineHistory,
    hashed: [...shell.hashed],
  }
}

export function restoreState(shell: Shell, state: ShellState): void {
  shell.enter(state.cwd, state.directory)
  shell.status = state.status
  shell.variables.restoreGlobals(state.variables.map(([name, saved]) => [name, Object.assign(new Variable(), saved)]))
  for (const name of state.removed) shell.variables.dynamic.removed.add(name)
  for (const [name, body, line, source] of state.functions) {
    shell.functions.set(name, body)
    shell.functionLines.set(name, line)
    if (source !== '') shell.functionSources.set(name, source)
  }
  for (const name of state.exportedFunctions) shell.exportedFunctions.add(name)
  for (const name of state.readonlyFunctions) shell.readonlyFunctions.add(name)
  for (const name of state.tracedFunctions) shell.tracedFunctions.add(name)
  for (const name of state.disabledBuiltins) shell.disabledBuiltins.add(name)
  shell.restoreOptions(new Set(state.options))
  shell.shopts.clear()
  for (const name of state.shopts) shell.shopts.add(name)
  for (const [name, value] of state.aliases) shell.aliases.set(name, value)
  for (const [name, command] of state.traps) shell.traps.set(name, command)
  shell.parameters = [...state.parameters]
  shell.pipeStatus = state.pipeStatus
  shell.lastBackgroundPid = state.lastBackgroundPid
  shell.lastArgument = state.lastArgument
  shell.directoryStack = [...state.directoryStack]
  shell.umask = state.umask
  shell.secondsBase = state.seconds
  shell.getoptsPlace = { ...state.getoptsPlace }
  shell.randomSeed = state.randomSeed
  shell.lineHistory = [...state.lineHistory]
  for (const [name, command] of state.hashed) shell.hashed.set(name, command)
}

function savedVariable(variable: Variable): SavedVariable {
  const { scalar, list, map, isExported, isReadonly, isInteger, isTraced, letterCase, isReference, isSet } = variable
  return { scalar, list, map, isExported, isReadonly, isInteger, isTraced, letterCase, isReference, isSet }
}
