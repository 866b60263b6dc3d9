// stat: prints the status of files. Unknown format directives are an error.

import type { CommandStat } from './text-files.ts'
import { quotedName } from './quoted-name.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'
import { reasonOf } from './inputs.ts'
import { has, parseArguments, valueOf } from './options.ts'
import { permissions } from './program.ts'

/**
 * `stat [-L] [-c FORMAT | --printf=FORMAT] FILE...`. The owner is always `user`, and all timestamps are the time of the last
 * modification.
 */
export async function stat(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {
    '-c': 'format=',
    '--format': 'format=',
    '--printf': 'printf=',
    '-L': 'follow',
    '--dereference': 'follow',
  })
  if (typeof parsed === 'string') return failed('stat', parsed)
  if (parsed.operands.length === 0) return failed('stat', 'missing operand')
  const escaped = valueOf(parsed, 'printf')
  const format = escaped === undefined ? valueOf(parsed, 'format') : unescaped(escaped)
  const { fs, cwd } = context
  let [stdout, stderr] = ['', '']
  for (const name of parsed.operands) {
    const path = fs.resolvePath(cwd, name)
    try {
      const found = has(parsed, 'follow') || name.endsWith('/') ? await fs.stat(path) : await fs.lstat(path)
      const link = found.isSymbolicLink ? await fs.readlink(path) : undefined
      const shown = fill(format ?? usual, name, found, link)
      if (typeof shown !== 'string') return failed('stat', `%${shown.unknown} is not available here`)
      stdout += shown + (escaped === undefined ? '\n' : '')
    } catch (error) {
      stderr += `stat: cannot stat ${quotedName(name)}: ${reasonOf(error)}\n`
    }
  }
  return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
}

const usual = `  File: %N
  Size: %-15s Blocks: %-10b IO Block: %-6o %F
Access: (%a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Modify: %y`

function fill(format: string, name: string, found: CommandStat, link: string | undefined): string | { readonly unknown: string } {
  let unknown: string | undefined
  const shown = format.replace(/%([-0]*)(\d*)([^])/g, (_all, flags: string, width: string, letter: string) => {
    const value = valueFor(letter, name, found, link)
    if (value === undefined) unknown ??= letter
    const size = Number(width)
    if (flags.includes('-')) return (value ?? '').padEnd(size)
    return (value ?? '').padStart(size, flags.includes('0') ? '0' : ' ')
  })
  return unknown === undefined ? shown : { unknown }
}

function valueFor(letter: string, name: string, found: CommandStat, link: string | undefined): string | undefined {
  const seconds = Math.floor(found.mtime.getTime() / 1000)
  const typeBits = found.isSymbolicLink ? 0o120000 : found.isDirectory ? 0o040000 : 0o100000
  const bits = found.mode & 0o7777
  switch (letter) {
    case '%':
      return '%'
    case 'n':
      return name
    case 'N':
      return link === undefined ? quotedName(name) : `${quotedName(name)} -> ${quotedName(link)}`
    case 's':
      return String(found.size)
    case 'b':
      return String(Math.ceil(found.size / 512))
    case 'B':
      return '512'
    case 'o':
      return '4096'
    case 'F':
      if (found.isSymbolicLink) return 'symbolic link'
      return found.isDirectory ? 'directory' : found.size === 0 ? 'regular empty file' : 'regular file'
    case 'a':
      return bits.toString(8)
    case 'A':
      return (found.isSymbolicLink ? 'l' : found.isDirectory ? 'd' : '-') + permissions(bits)
    case 'f':
      return (typeBits | bits).toString(16)
    case 'i':
      return String(found.ino)
    case 'd':
      return String(found.dev)
    case 'h':
      return '1'
    case 't':
    case 'T':
      return '0'
    case 'u':
    case 'g':
      return '1000'
    case 'U':
    case 'G':
      return 'user'
    case 'X':
    case 'Y':
    case 'Z':
      return String(seconds)
    case 'W':
      return '0'
    case 'w':
      return '-'
    case 'x':
    case 'y':
    case 'z':
      return `${found.mtime
        .toISOString()
        .replace('T', ' ')
        .replace(/(\.\d+)Z$/, '$1000000')} +0000`
    default:
      return undefined
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\\': '\\', '"': '"' }

function unescaped(format: string): string {
  return format.replace(/\\([^])/g, (all, letter: string) => escapes[letter] ?? all)
}
