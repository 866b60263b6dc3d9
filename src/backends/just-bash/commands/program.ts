// Helpers shared by streaming commands: error messages, inputs, and paths of arguments.

import { complaintOf } from './options.ts'
import { readAll, type ShellCommandContext } from '../../../shell/commands.ts'
import type { FileStat } from '../../../shell/files.ts'
import { pathFrom } from '../physical-files.ts'
import { checkFileName, reasonOf } from '../errno.ts'

/** Writes an error message and returns `code`. */
export async function complain({ stderr }: ShellCommandContext, name: string, problem: string, code = 1): Promise<number> {
  await stderr.write(complaintOf(name, problem))
  return code
}

export function pathToWrite(context: ShellCommandContext, name: string): string {
  checkFileName(name)
  return pathOf(context, name)
}

export function pathOf({ cwd }: ShellCommandContext, name: string): string {
  return pathFrom(cwd, name)
}

/** Reads a named file; `-` is standard input. */
export async function readNamed(context: ShellCommandContext, name: string): Promise<Uint8Array> {
  if (name === '-') return readAll(context.stdin)
  const bytes = await context.files.readFile(pathOf(context, name))
  checkFileName(name)
  return bytes
}

/** Calls `work` with the content of each named file. A file that cannot be read is reported and makes the exit code 1. */
export async function eachInput(
  context: ShellCommandContext,
  command: string,
  names: readonly string[],
  work: (bytes: Uint8Array, name: string) => Promise<void>,
): Promise<number> {
  let code = 0
  for (const name of names.length === 0 ? ['-'] : names) {
    let bytes: Uint8Array
    try {
      bytes = await readNamed(context, name)
    } catch (error) {
      code = await complain(context, command, `${name}: ${reasonOf(error)}`)
      continue
    }
    await work(bytes, name)
  }
  return code
}

export async function statIfThere(context: ShellCommandContext, path: string, follows = true): Promise<FileStat | undefined> {
  try {
    return await (follows ? context.files.stat(path) : context.files.lstat(path))
  } catch {
    return undefined
  }
}

/** The last component of a path, like `basename`. */
export function lastName(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed === '' ? (path === '' ? '' : '/') : trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

export function childOf(directory: string, name: string): string {
  return directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`
}

/** Formats a mode, as in `rwxr-xr-x`. */
export function permissions(mode: number): string {
  const letters = Array.from('rwxrwxrwx', (letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-'))
  if (mode & 0o4000) letters[2] = letters[2] === 'x' ? 's' : 'S'
  if (mode & 0o2000) letters[5] = letters[5] === 'x' ? 's' : 'S'
  if (mode & 0o1000) letters[8] = letters[8] === 'x' ? 't' : 'T'
  return letters.join('')
}

/** 1536 is `1.5K`, and with a base of 1000 it is `1.6k`. */
export function humanSize(bytes: number, base: 1000 | 1024 = 1024): string {
  const units = ['', base === 1000 ? 'k' : 'K', 'M', 'G', 'T', 'P']
  let [value, unit] = [bytes, 0]
  while (Math.ceil(value) >= base && unit < units.length - 1) {
    value /= base
    unit += 1
  }
  if (unit === 0) return String(bytes)
  const tenths = Math.ceil(value * 10)
  return `${tenths < 100 ? (tenths / 10).toFixed(1) : Math.ceil(value)}${units[unit] ?? ''}`
}
