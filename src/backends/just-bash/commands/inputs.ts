// Inputs and outputs of text commands as byte strings (one character per byte), so that bytes that are not UTF-8 are never changed.

import { latin1Bytes, latin1Text } from '../encoding.ts'
import { checkFileName, codeOf, reasonOf } from '../errno.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { byteTextInParts, paceOf } from './pace.ts'

export interface Input {
  /** The name as given on the command line; `-` for standard input. */
  readonly name: string
  /** One character per byte. */
  readonly bytes: string
  /** It was opened, and could not be read. Only with `keepsDirectories`. */
  readonly isDirectory?: boolean
}

export interface Inputs {
  readonly found: readonly Input[]
  /** Error messages of `command` about inputs that could not be read. */
  readonly problems: string
  /** Both in the order of the names: an input, or the error message for it. */
  readonly inOrder: readonly (Input | string)[]
}

/** Reads the named files in order; `-`, or an empty list, means standard input. */
export async function readInputs(
  command: string,
  names: readonly string[],
  context: CommandContext,
  keepsDirectories = false,
): Promise<Inputs> {
  const inOrder: (Input | string)[] = []
  for (const name of names.length === 0 ? ['-'] : names) {
    try {
      inOrder.push({ name, bytes: await readInput(name, context) })
    } catch (error) {
      const isDirectory = codeOf(error) === 'EISDIR'
      inOrder.push(`${command}: ${problemOf(command, name, reasonOf(error), isDirectory)}\n`)
      if (keepsDirectories && isDirectory) inOrder.push({ name, bytes: '', isDirectory: true })
    }
  }
  return {
    found: inOrder.filter(input => typeof input !== 'string'),
    problems: inOrder.filter(input => typeof input === 'string').join(''),
    inOrder,
  }
}

/** Words a problem with a file as `command` of GNU does. */
function problemOf(command: string, name: string, reason: string, isDirectory: boolean): string {
  switch (command) {
    case 'head':
    case 'tail':
      return isDirectory ? `error reading '${name}': ${reason}` : `cannot open '${name}' for reading: ${reason}`
    case 'sort':
      return `${isDirectory ? 'read failed' : 'cannot read'}: ${name}: ${reason}`
    case 'tac':
      return `${isDirectory ? 'read error' : `failed to open '${name}' for reading`}: ${reason}`
    default:
      return `${name}: ${reason}`
  }
}

export async function readInput(name: string, context: CommandContext): Promise<string> {
  const { fs, cwd } = context
  if (name === '-' || name === '/dev/stdin') return context.readStdin()
  const bytes = await fs.readFileBuffer(fs.resolvePath(cwd, name))
  checkFileName(name)
  return byteTextInParts(bytes, paceOf(context.signal))
}

/** A result whose output is a byte string. */
export function bytesResult(stdout: string, stderr = '', exitCode: number = stderr === '' ? 0 : 1): CommandResult {
  return { stdout, stdoutKind: 'bytes', stderr, exitCode }
}

/** Splits `bytes` into records without their delimiters. A last record without a delimiter counts too. */
export function recordsOf(bytes: string, end = '\n'): string[] {
  const records = bytes.split(end)
  if (records.at(-1) === '') records.pop()
  return records
}

export function bytesOfArgument(argument: string): string {
  return latin1Text(new TextEncoder().encode(argument))
}

/** Decodes a byte string as UTF-8; if it is not valid, returns it unchanged, one character per byte. */
export function shownText(bytes: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(latin1Bytes(bytes))
  } catch {
    return bytes
  }
}
