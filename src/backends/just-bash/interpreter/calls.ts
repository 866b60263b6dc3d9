// The parts of the interpreter depend on each other: a trap runs commands, and a command runs traps. To avoid cyclic imports,
// shared functions are called through this object, which is filled once (run-script.ts).

import type { Command, ParameterPart, Script } from '../syntax/tree.ts'
import type { Fields } from './fields.ts'
import type { SavedDescriptors } from './redirect.ts'
import type { Shell } from './shell.ts'

export interface TextOptions {
  /** The number of the first line. */
  readonly line?: number
  /** The text is a script file or the input of a shell, not a text within another script. */
  readonly isWholeScript?: boolean
  /** What messages about the syntax name as the origin of the text. */
  readonly origin?: '-c' | 'eval' | undefined
  /** An error of syntax in it ends the shell. */
  readonly isFatal?: boolean | undefined
}

export interface Calls {
  runText(shell: Shell, text: string, options?: TextOptions): Promise<number>
  runScript(shell: Shell, script: Script): Promise<number>
  runCommand(shell: Shell, command: Command): Promise<number>
  runAlone(shell: Shell, command: Command): Promise<number>
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

/** Parses and runs a text line by line, as bash does. Throws a `Flow` that leaves the text. */
export function runText(shell: Shell, text: string, options?: TextOptions): Promise<number> {
  return calls().runText(shell, text, options)
}

export function runScript(shell: Shell, script: Script): Promise<number> {
  return calls().runScript(shell, script)
}

/** Returns the exit code; the caller stores it. */
export function runCommand(shell: Shell, command: Command): Promise<number> {
  return calls().runCommand(shell, command)
}

/** Like `runCommand`, for a process that runs only this command. */
export function runAlone(shell: Shell, command: Command): Promise<number> {
  return calls().runAlone(shell, command)
}

/** Runs `work` as a process: converts errors and flows to an exit code, runs the exit trap, and closes the files. */
export function runProcess(shell: Shell, work: () => Promise<number>): Promise<number> {
  return calls().runProcess(shell, work)
}

/** Returns the exit code of the builtin. Error messages begin with the name of the builtin. */
export function runBuiltin(
  shell: Shell,
  name: string,
  args: readonly string[],
  saved: SavedDescriptors | undefined,
): Promise<number> {
  return calls().runBuiltin(shell, name, args, saved)
}

/** Runs `work` as a condition: `set -e` does not apply to failures in it. */
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
