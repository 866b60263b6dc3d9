// External commands: those of the command table and of the host, child shells, and script files.

import { pathFrom, physicalPath } from '../physical-files.ts'
import { TimedSignals } from './timed-signals.ts'
import { watchWith } from '../commands/stop.ts'
import {
  BrokenPipeError,
  type ExecOptions,
  type ShellCommandContext,
  type ShellInput,
  type ShellOutput,
} from '../../../shell/commands.ts'
import { decodeText } from '../../../shell/byte-text.ts'
import { runChildShell, runScriptFile } from './child-shell.ts'
import { filesOf } from './command-files.ts'
import { bytesOfData, Description, inputFile, outputFile, refuseReading, type OpenFile } from './descriptors.ts'
import { Flow, ShellError } from './flow.ts'
import { callFunction } from './functions.ts'
import { runBuiltin, runProcess } from './calls.ts'
import { childShells, isProgramName, programBuiltins } from './program-names.ts'
import { pathInside, type HashedCommand } from './hashed-commands.ts'
import { quoteValue } from './quote.ts'
import type { Shell } from './shell.ts'
import { reasonOf } from '../errno.ts'

/** Whether `name` is a program, regardless of functions and builtins. */
export function isProgram(shell: Shell, name: string): boolean {
  return isProgramName(name, shell.run.commands)
}

/** Runs the program in `words` with the exported variables of the shell. Returns the exit code. */
export async function runProgram(
  shell: Shell,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<number> {
  const [name = '', ...args] = words
  if (name.includes('/')) return runPath(shell, name, args, env)
  if (name === '') return notFound(shell, name, args)
  const known = env === undefined ? await useHashed(shell, name) : undefined
  if (known !== undefined && !isVirtual(known.path, name)) return runPath(shell, known.path, args, env)
  if (known === undefined && (shell.run.hasOwnPrograms || !isDefaultPath(shell))) {
    const path = await findInPath(shell, name)
    if (path !== undefined) {
      remember(shell, name, path)
      return runPath(shell, path, args, env)
    }
  }
  if (known === undefined && !searchesPrograms(shell)) return notFound(shell, name, args)
  if (known === undefined && isProgram(shell, name)) remember(shell, name, programPaths(shell, name)[0])
  return runNamed(shell, name, args, env)
}

function isVirtual(path: string, name: string): boolean {
  return path === `/usr/bin/${name}` || path === `/bin/${name}`
}

/** The remembered path of a command, which this use counts. A relative path where nothing is any more is forgotten. */
export async function useHashed(shell: Shell, name: string): Promise<HashedCommand | undefined> {
  const known = shell.hashed.get(name)
  if (known === undefined) return undefined
  const path = /^\.?\//.test(known.path) ? known.path : `./${known.path}`
  if (!path.startsWith('/') && !(await isExecutable(shell, path))) {
    shell.hashed.delete(name)
    return undefined
  }
  shell.hashed.set(name, { path: known.path, hits: known.hits + 1 })
  return { path, hits: known.hits }
}

function remember(shell: Shell, name: string, path: string | undefined): void {
  if (path !== undefined && shell.has('hashall')) shell.hashed.set(name, { path, hits: 1 })
}

/** The paths of a program of ours, in the order of `PATH`. */
export function programPaths(shell: Shell, name: string): string[] {
  const directories = (shell.variables.get('PATH') ?? '').split(':').map(directory => directory.replace(/\/$/, ''))
  const paths = directories.filter(directory => /^(?:\/usr)?\/bin$/.test(directory)).map(directory => `${directory}/${name}`)
  return paths.length === 0 && searchesPrograms(shell) ? [`/usr/bin/${name}`] : [...new Set(paths)]
}

/** The function that bash calls for a command that it does not find. */
const notFoundHandler = 'command_not_found_handle'

const programDirectories = /^(?:\/usr(?:\/local)?)?\/s?bin\/?$/

function isDefaultPath(shell: Shell): boolean {
  return (shell.variables.get('PATH') ?? '').split(':').every(directory => programDirectories.test(directory))
}

/** Whether `PATH` contains a directory of the virtual programs. They are not found otherwise, as in Unix. */
function searchesPrograms(shell: Shell): boolean {
  return (shell.variables.get('PATH') ?? '').split(':').some(directory => programDirectories.test(directory))
}

export async function isExecutable(shell: Shell, name: string): Promise<boolean> {
  try {
    const found = await shell.run.files.stat(await physicalPath(shell.run.files, pathFrom(shell.directory, name)))
    return found.kind === 'file' && (found.mode & 0o111) !== 0
  } catch {
    // The path does not exist.
    return false
  }
}

/** Searches `PATH` for a file of the user. Virtual programs are found by name. */
export async function findInPath(shell: Shell, name: string): Promise<string | undefined> {
  for (const directory of (shell.variables.get('PATH') ?? '').split(':')) {
    const path = pathInside(directory, name)
    if (await isExecutable(shell, path)) return path
    if (programDirectories.test(directory) && isProgram(shell, name)) return undefined
  }
  return undefined
}

async function notFound(shell: Shell, name: string, args: readonly string[]): Promise<number> {
  const handler = shell.functions.get(notFoundHandler)
  if (handler !== undefined) {
    const child = shell.fork()
    const given = [name, ...args]
    return runProcess(child, () => callFunction(child, notFoundHandler, handler, given, shell.line))
  }
  if (name.startsWith('%')) {
    await shell.complain('fg: no job control')
    return 1
  }
  const { suggestCommand } = await import('./suggest.ts')
  const hint = suggestCommand(name, shell.run.commands.keys())
  const shown = /[\0-\x1f\x7f]/.test(name) ? quoteValue(name) : name
  await shell.complain(`${shown}: command not found${hint === undefined ? '' : ` (${hint})`}`)
  return 127
}

async function runNamed(
  shell: Shell,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> | undefined,
): Promise<number> {
  if (childShells.has(name) && !shell.run.commands.has(name)) return runChildShell(shell, args, env, { program: name })
  const command = shell.run.commands.get(name)
  if (command === undefined) {
    if (!programBuiltins.has(name)) return notFound(shell, name, args)
    // The program prints where it is, the builtin how it came there.
    if (name === 'pwd' && args.length === 0) return runBuiltin(shell, name, ['-P'], undefined)
    if (name !== 'printf') return runBuiltin(shell, name, args, undefined)
    const { builtinArguments } = await import('../commands/utilities/external-printf.ts')
    const given = builtinArguments(args)
    if (typeof given !== 'string') return runBuiltin(shell, name, given, undefined)
    await shell.writeError(`printf: ${given}\n`)
    return 1
  }
  if (shell.run.pause !== undefined) await shell.run.pause()
  // Before a command sleeps, all earlier output becomes visible to others.
  if (name === 'sleep') await shell.run.beforeWaiting()
  shell.programDepth += 1
  try {
    const status = (await command.run(contextOf(shell, args, env ?? environmentOf(shell, name)))) & 0xff
    return shell.takeProgramEnd() ?? status
  } catch (error) {
    const endedBy = shell.takeProgramEnd()
    if (endedBy !== undefined) return endedBy
    if (error instanceof BrokenPipeError || error instanceof Flow || error instanceof ShellError) throw error
    shell.checkAlive()
    await shell.writeError(`${name}: ${reasonOf(error)}\n`)
    return 1
  } finally {
    shell.programDepth -= 1
  }
}

/** In `_` a program finds its own path. Only these two show it. */
function environmentOf(shell: Shell, name: string): Readonly<Record<string, string>> {
  const exported = shell.variables.exported()
  return name === 'env' || name === 'printenv' ? { ...exported, _: `/usr/bin/${name}` } : exported
}

function contextOf(shell: Shell, args: readonly string[], environment: Readonly<Record<string, string>>): ShellCommandContext {
  return {
    args,
    cwd: shell.directory,
    env: environment,
    stdin: inputOf(shell),
    stdout: outputOf(shell.descriptors.get(1)),
    stderr: complaintsOf(shell),
    files: filesOf(shell),
    umask: shell.umask,
    get signal() {
      const { signal } = shell
      watchWith(signal, { check: () => shell.checkAlive(), pause: shell.run.pause })
      return signal
    },
    exec: (words, options = {}) => execute(shell, words, environment, options),
  }
}

function inputOf(shell: Shell): ShellInput {
  const file = shell.descriptors.get(0)?.file
  const { pause } = shell.run
  const isGiven = file !== undefined && file.kind !== 'terminal'
  if (file === undefined) return { isGiven, read: refuseReading }
  const isPipe = file.kind === 'pipe'
  const path = file.path === undefined ? {} : { path: file.path }
  if (pause === undefined) return { isGiven, isPipe, ...path, read: () => file.read() }
  return {
    isGiven,
    isPipe,
    ...path,
    read: async () => {
      await pause()
      shell.checkAlive()
      return file.read()
    },
  }
}

function outputOf(description: Description | undefined): ShellOutput {
  const file = description?.file
  return {
    ...(file?.path === undefined ? {} : { path: file.path }),
    write: data => {
      if (data.length === 0) return
      if (file?.canWrite !== true) throw Object.assign(new Error('EBADF: write error'), { code: 'EBADF' })
      return file.write(bytesOfData(data))
    },
    isBroken: () => file?.isBroken?.() === true,
  }
}

/** Standard error. A command that is ended must not report the end as the failure of what it was doing. */
function complaintsOf(shell: Shell): ShellOutput {
  const output = outputOf(shell.descriptors.get(2))
  return {
    ...output,
    write: data => {
      shell.checkAlive()
      return output.write(data)
    },
  }
}

async function execute(
  shell: Shell,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { stdin, stdout, stderr, cwd, env: ownEnv, signal, signals }: ExecOptions,
): Promise<number> {
  const child = shell.fork()
  for (const [fd, file] of [
    [0, stdin && fileOfInput(stdin)],
    [1, stdout && fileOfOutput(stdout)],
    [2, stderr && fileOfOutput(stderr)],
  ] as const)
    if (file !== undefined) await child.descriptors.set(fd, new Description(file))
  if (cwd !== undefined) child.enter(cwd)
  child.isForProgram = true
  const timed = signals && new TimedSignals(child, signals)
  const onAbort = (): void => child.kill(143)
  if (signal?.aborted === true) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await runProcess(child, () => runProgram(child, words, ownEnv ?? env))
  } finally {
    signal?.removeEventListener('abort', onAbort)
    timed?.end()
  }
}

function fileOfInput(input: ShellInput): OpenFile {
  const rest = inputFile(new Uint8Array())
  return {
    ...rest,
    kind: input.isGiven ? 'pipe' : 'terminal',
    read: () => rest.read() ?? input.read(),
  }
}

function fileOfOutput(output: ShellOutput): OpenFile {
  return outputFile(bytes => output.write(bytes), 'pipe')
}

/** Runs a name that contains a slash: a virtual program or a file. */
async function runPath(
  shell: Shell,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> | undefined,
): Promise<number> {
  let path = pathFrom(shell.directory, name)
  let bytes: Uint8Array
  try {
    path = await physicalPath(shell.run.files, path)
    const found = await shell.run.files.stat(path)
    if (found.kind === 'directory') {
      await shell.complain(`${name}: Is a directory`)
      return 126
    }
    if ((found.mode & 0o111) === 0) {
      await shell.complain(`${name}: Permission denied`)
      return 126
    }
    bytes = await shell.run.files.readFile(path)
  } catch (error) {
    const program = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(path)?.[1]
    if (program !== undefined && isProgram(shell, program)) return runNamed(shell, program, args, env)
    await shell.complain(`${name}: ${reasonOf(error)}`)
    return reasonOf(error) === 'Not a directory' ? 126 : 127
  }
  if (bytes.subarray(0, 80).includes(0)) {
    await shell.complain(`${name}: cannot execute binary file: Exec format error`)
    return 126
  }
  const text = decodeText(bytes)
  const [, interpreter, argument] = /^#!\s*(\S+)[ \t]*([^\n]*?)\s*(?:\n|$)/.exec(text) ?? []
  const [program, ...given] = interpreterOf(interpreter, argument)
  if (program === undefined || childShells.has(program))
    return runScriptFile(shell, { name, text, args, flags: given, program: program ?? 'bash', env })
  if (isProgram(shell, program)) return runNamed(shell, program, [...given, name, ...args], env)
  await shell.complain(`${name}: cannot execute: required file not found (${interpreter ?? ''}: not available in this shell)`)
  return 127
}

/** Parses a `#!` line such as `#!/usr/bin/env -S bash -e`. */
function interpreterOf(interpreter: string | undefined, argument = ''): string[] {
  if (interpreter === undefined) return []
  const name = interpreter.slice(interpreter.lastIndexOf('/') + 1)
  if (name !== 'env') return argument === '' ? [name] : [name, argument]
  return argument.replace(/^-S\s*/, '').split(/\s+/)
}
