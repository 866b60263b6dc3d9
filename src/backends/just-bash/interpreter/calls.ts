// The parts of the interpreter need each other: a trap runs commands, and a command runs traps. So that no module imports what imports it,
// what is called from everywhere is called through here, and bound once (run-script.ts).

import type { Command, ParameterPart, Script } from '../syntax/tree.ts'
import type { Fields } from './fields.ts'
import type { SavedDescriptors } from './redirect.ts'
import type { Shell } from './shell.ts'

export interface TextOptions {
  /** Of the first line. */
  readonly line?: number
}

export interface Calls {
  runText(shell: Shell, text: string, options?: TextOptions): Promise<number>
  runScript(shell: Shell, script: Script): Promise<number>
  runCommand(shell: Shell, command: Command): Promise<number>
  runProcess(shell: Shell, work: () => Promise<number>): Promise<number>
  runBuiltin(shell: Shell, name: string, args: readonly string[], saved: SavedDescriptors | undefined): Promise<number>
  ignoringErrexit<T>(shell: Shell, work: () => Promise<T>): Promise<T>
  expandParameter(shell: Shell, part: ParameterPart, fields: Fields, isQuoted: boolean): Promise<void>
  builtinNames(): Iterable<string>
  hasBuiltin(name: string): boolean
}

let bound: Calls | undefined

export function bindCalls(calls: Calls): void {
  bound = calls
}

function calls(): Calls {
  if (bound === undefined) throw new Error('unreachable: the interpreter is bound before it runs')
  return bound
}

/** Runs a text line by line, as bash reads it. Throws the flow that leaves it. */
export function runText(shell: Shell, text: string, options?: TextOptions): Promise<number> {
  return calls().runText(shell, text, options)
}

export function runScript(shell: Shell, script: Script): Promise<number> {
  return calls().runScript(shell, script)
}

/** Gives the status, which the caller keeps. */
export function runCommand(shell: Shell, command: Command): Promise<number> {
  return calls().runCommand(shell, command)
}

/** Runs `work` as a process: whatever leaves it becomes its status, its exit trap runs, and its files are closed. */
export function runProcess(shell: Shell, work: () => Promise<number>): Promise<number> {
  return calls().runProcess(shell, work)
}

/** Gives the builtin's status; what goes wrong in it is a message under its name. */
export function runBuiltin(
  shell: Shell,
  name: string,
  args: readonly string[],
  saved: SavedDescriptors | undefined,
): Promise<number> {
  return calls().runBuiltin(shell, name, args, saved)
}

/** Runs `work` as a condition: what fails in it does not end the shell. */
export function ignoringErrexit<T>(shell: Shell, work: () => Promise<T>): Promise<T> {
  return calls().ignoringErrexit(shell, work)
}

export function expandParameter(shell: Shell, part: ParameterPart, fields: Fields, isQuoted: boolean): Promise<void> {
  return calls().expandParameter(shell, part, fields, isQuoted)
}

export function builtinNames(): string[] {
  return [...calls().builtinNames()]
}

export function hasBuiltin(name: string): boolean {
  return calls().hasBuiltin(name)
}
