// What text commands read and give: strings of one character for each byte, so that no byte of a file that is not UTF-8 is ever changed.

import { latin1Bytes, latin1Text } from '../encoding.ts'
import type { CommandContext, CommandResult } from './command.ts'

export interface Input {
  /** As it was named; `-` for standard input. */
  readonly name: string
  /** One character for each byte. */
  readonly bytes: string
}

export interface Inputs {
  readonly found: readonly Input[]
  /** What could not be read, as messages of `command`. */
  readonly problems: string
}

/** The named files, in order; standard input for `-`, and where nothing is named. */
export async function readInputs(command: string, names: readonly string[], context: CommandContext): Promise<Inputs> {
  const found: Input[] = []
  let problems = ''
  for (const name of names.length === 0 ? ['-'] : names) {
    try {
      found.push({ name, bytes: await readInput(name, context) })
    } catch (error) {
      problems += `${command}: ${name}: ${reasonOf(error)}\n`
    }
  }
  return { found, problems }
}

export async function readInput(name: string, context: CommandContext): Promise<string> {
  const { fs, cwd } = context
  if (name === '-' || name === '/dev/stdin') return context.readStdin()
  return latin1Text(await fs.readFileBuffer(fs.resolvePath(cwd, name)))
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EEXIST: 'File exists',
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [code = ''] = /^E[A-Z]+/.exec(message) ?? []
  return reasons[code] ?? message
}

/** Bytes that are given to whoever reads. */
export function bytesResult(stdout: string, stderr = '', exitCode: number = stderr === '' ? 0 : 1): CommandResult {
  return { stdout, stdoutKind: 'bytes', stderr, exitCode }
}

/** The records of `bytes`, each without its end. A last one that has no end counts too. */
export function recordsOf(bytes: string, end = '\n'): string[] {
  const records = bytes.split(end)
  if (records.at(-1) === '') records.pop()
  return records
}

/** The bytes of an argument, as commands see it. */
export function bytesOfArgument(argument: string): string {
  return latin1Text(new TextEncoder().encode(argument))
}

/** What `bytes` say where they are UTF-8, else one character for each. */
export function shownText(bytes: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(latin1Bytes(bytes))
  } catch {
    // Not text in this encoding: shown byte by byte.
    return bytes
  }
}
