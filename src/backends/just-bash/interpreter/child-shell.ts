// `bash`, `sh` and script files: new shells that inherit only the environment of the caller.

import { pathFrom } from '../physical-files.ts'
import { decodeText } from '../../../shell/byte-text.ts'
import { readAll } from '../../../shell/commands.ts'
import { filesOf } from './command-files.ts'
import { runProcess, runText } from './calls.ts'
import { setNamedOption, setOptionLetters, shoptNames } from './shell-options.ts'
import { prepareVariables } from './environment.ts'
import { Shell } from './shell.ts'
import { signalNumbers } from './traps.ts'
import { showFunction } from './show-functions.ts'
import { Parser } from '../syntax/parser.ts'
import type { Command } from '../syntax/tree.ts'
import { codeOf, reasonOf } from '../errno.ts'

interface ScriptFile {
  readonly name: string
  readonly text: string
  readonly args: readonly string[]
  /** Options from the `#!` line. */
  readonly flags: readonly string[]
  /** `bash` or `sh`. */
  readonly program: string
  readonly env: Readonly<Record<string, string>> | undefined
}

/** Runs a script file that was called by its name. */
export async function runScriptFile(shell: Shell, { name, text, args, flags, program, env }: ScriptFile): Promise<number> {
  return runChildShell(shell, [...flags, '--', name, ...args], env, { program, text })
}

interface Request {
  readonly letters: string[]
  readonly removed: string[]
  readonly named: (readonly [boolean, string])[]
  readonly shopts: (readonly [boolean, string])[]
  readonly operands: readonly string[]
  readonly isCommand: boolean
  readonly readsInput: boolean
}

export async function runChildShell(
  shell: Shell,
  args: readonly string[],
  given: Readonly<Record<string, string>> | undefined,
  { program, text: known }: { readonly program: string; readonly text?: string },
): Promise<number> {
  const request = readArguments(args)
  if (typeof request === 'string') {
    if (request.startsWith('GNU')) {
      await shell.run.writeTo(shell.descriptors.get(1), `${request}\n`)
      return 0
    }
    await shell.writeError(`bash: ${request}\n`)
    return 2
  }
  const [first, ...rest] = request.operands
  const isFile = !request.isCommand && first !== undefined && !request.readsInput
  const name = (request.isCommand ? rest[0] : isFile ? first : undefined) ?? program
  const child = new Shell({
    run: shell.run,
    descriptors: shell.descriptors.fork(),
    environment: given ?? shell.variables.exported(),
    cwd: shell.cwd,
    directory: shell.directory,
    name,
    parameters: request.isCommand ? rest.slice(1) : isFile ? rest : request.operands,
    parentPid: shell.pid,
    isCommandString: request.isCommand,
    parent: shell,
    signal: shell.outerSignal,
  })
  child.umask = shell.umask
  child.lastArgument = given?.['_'] ?? `/usr/bin/${program}`
  // An ignored signal stays ignored.
  for (const [signal, command] of shell.traps) if (command === '' && signal in signalNumbers) child.traps.set(signal, command)
  for (const function_ of shell.exportedFunctions) {
    const body = shell.functions.get(function_)
    if (body === undefined) continue
    child.functions.set(function_, importedBody(function_, body))
    child.functionLines.set(function_, 0)
    child.exportedFunctions.add(function_)
  }
  shell.run.processes.set(child.pid, child)
  child.takePlaceOf(shell)
  prepareVariables(child)
  if (request.isCommand && first !== undefined) child.variables.obtain('BASH_EXECUTION_STRING').scalar = first
  // As in bash, and as in other shells of this name.
  if (program === 'sh') setNamedOption(child, 'posix', true)
  const problem = applyOptions(child, request)
  if (problem !== undefined) {
    await shell.writeError(`bash: ${problem}\n`)
    await child.end()
    return 2
  }
  const status = await runProcess(child, async () => {
    const text = known ?? (await textOf(child, request, isFile ? first : undefined))
    if (typeof text === 'number') return text
    return runText(child, request.isCommand ? (first ?? '') : text, {
      isWholeScript: !request.isCommand,
      origin: request.isCommand ? '-c' : undefined,
    })
  })
  shell.checkAlive()
  return status
}

const importedBodies = new WeakMap<Command, Command>()

/**
 * A function comes to a child shell as the text that `declare -f` prints, with its first command on line 0. The two lines before
 * that command are one in the environment.
 */
function importedBody(name: string, body: Command): Command {
  const known = importedBodies.get(body)
  if (known !== undefined) return known
  const command = new Parser(showFunction(name, body), { line: -2, isExtendedGlob: () => true }).nextLine()?.items[0]?.first
    .commands[0]
  const imported = command?.type === 'function' ? command.body : body
  importedBodies.set(body, imported)
  return imported
}

async function textOf(child: Shell, { isCommand, operands }: Request, file: string | undefined): Promise<string | number> {
  if (isCommand) {
    if (operands.length > 0) return ''
    await child.writeError('bash: -c: option requires an argument\n')
    return 2
  }
  if (file === undefined) {
    const input = child.descriptors.get(0)?.file
    try {
      return decodeText(await readAll({ isGiven: true, read: () => input?.read() }))
    } catch (error) {
      await child.writeError(`bash: ${reasonOf(error)}\n`)
      return 126
    }
  }
  try {
    const bytes = await filesOf(child).readFile(pathFrom(child.directory, file))
    if (!bytes.subarray(0, 80).includes(0)) return decodeText(bytes)
    await child.writeError(`${file}: ${file}: cannot execute binary file\n`)
    return 126
  } catch (error) {
    await child.writeError(`bash: ${file}: ${reasonOf(error)}\n`)
    return codeOf(error) === 'EISDIR' ? 126 : 127
  }
}

function applyOptions(child: Shell, { letters, removed, named, shopts }: Request): string | undefined {
  for (const letter of letters) if (!setOptionLetters(child, letter, true)) return `-${letter}: invalid option`
  for (const letter of removed) if (!setOptionLetters(child, letter, false)) return `+${letter}: invalid option`
  for (const [isOn, name] of named) if (!setNamedOption(child, name, isOn)) return `${name}: invalid option name`
  for (const [isOn, name] of shopts) {
    if (!shoptNames.includes(name)) return `${name}: invalid shell option name`
    if (isOn) child.shopts.add(name)
    else child.shopts.delete(name)
  }
  return undefined
}

const longOptions = new Set(['norc', 'noprofile', 'login', 'posix', 'noediting', 'restricted', 'verbose'])

function readArguments(args: readonly string[]): Request | string {
  const letters: string[] = []
  const removed: string[] = []
  const named: (readonly [boolean, string])[] = []
  const shopts: (readonly [boolean, string])[] = []
  let isCommand = false
  let readsInput = false
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--' || arg === '-') {
      index += 1
      break
    }
    if (arg.startsWith('--')) {
      const name = arg.slice(2)
      if (name === 'version') return 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)'
      if (name === 'rcfile' || name === 'init-file') index += 1
      else if (name === 'posix' || name === 'verbose') named.push([true, name])
      else if (!longOptions.has(name)) return `${arg}: invalid option`
      continue
    }
    const isOn = arg.startsWith('-')
    if (!isOn && !arg.startsWith('+')) break
    for (const letter of arg.slice(1)) {
      if (letter === 'c') isCommand = true
      else if (letter === 's') readsInput = true
      else if (letter === 'o' || letter === 'O') {
        index += 1
        const name = args[index] ?? ''
        if (letter === 'o') named.push([isOn, name])
        else shopts.push([isOn, name])
      } else if (letter === 'l' || letter === 'i') continue
      else if (isOn) letters.push(letter)
      else removed.push(letter)
    }
  }
  return { letters, removed, named, shopts, operands: args.slice(index), isCommand, readsInput }
}
