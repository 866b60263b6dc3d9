// What programs with streams share: their complaints, their inputs, and what an argument is as a path.

import { readAll, type ShellCommandContext } from '../../../shell/commands.ts'
import { resolveFrom, type FileStat } from '../../../shell/files.ts'
import { reasonOf } from '../interpreter/open-files.ts'

export { reasonOf }

/** Says what is wrong, and gives `code`. */
export async function complain({ stderr }: ShellCommandContext, name: string, problem: string, code = 1): Promise<number> {
  await stderr.write(`${name}: ${problem}\n`)
  return code
}

export function pathOf({ cwd }: ShellCommandContext, name: string): string {
  return resolveFrom(cwd, name)
}

/** The content of a named file; standard input for `-`. */
export async function readNamed(context: ShellCommandContext, name: string): Promise<Uint8Array> {
  return name === '-' ? readAll(context.stdin) : context.files.readFile(pathOf(context, name))
}

/** Gives each named file's bytes to `work`; what cannot be read is reported, and makes the code 1. */
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
    // Nothing is there.
    return undefined
  }
}

/** The last name of a path, as `basename` gives it. */
export function lastName(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed === '' ? (path === '' ? '' : '/') : trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

export function childOf(directory: string, name: string): string {
  return directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`
}

/** `rwxr-xr-x`. */
export function permissions(mode: number): string {
  const letters = Array.from('rwxrwxrwx', (letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-'))
  if (mode & 0o4000) letters[2] = letters[2] === 'x' ? 's' : 'S'
  if (mode & 0o2000) letters[5] = letters[5] === 'x' ? 's' : 'S'
  if (mode & 0o1000) letters[8] = letters[8] === 'x' ? 't' : 'T'
  return letters.join('')
}

/** 1536 is `1.5K`. */
export function humanSize(bytes: number): string {
  const units = ['', 'K', 'M', 'G', 'T', 'P']
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  if (unit === 0) return String(bytes)
  return `${value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${units[unit] ?? ''}`
}
