// stat: prints the status of files.

import type { CommandStat } from './text-files.ts'
import { quotedName } from './quoted-name.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'
import { has, optionTable, parseArguments } from './options.ts'
import { permissions } from './program.ts'
import { formatTime, inZone, type ZonedTime } from '../format/time-format.ts'
import { checkFileName, reasonOf, namesDirectory } from '../errno.ts'

const statOptions = optionTable(`
  -c --format: format=, --printf: printf=, -t --terse: terse, -f --file-system: file-system, --cached: cached=,
  -L --dereference: follow
`)

/**
 * `stat [-Lt] [-c FORMAT | --printf=FORMAT] FILE...`. The owner is always `user`. Reading a file
 * changes no time of it, so the time of access is that of the last modification until a command sets it.
 */
export async function stat(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, statOptions)
  if (typeof parsed === 'string') return failed('stat', parsed)
  if (parsed.operands.length === 0) return failed('stat', 'missing operand')
  const asked = parsed.options.findLast(({ name }) => name === 'printf' || name === 'format')
  const escaped = asked?.name === 'printf' ? asked.value : undefined
  if (has(parsed, 'file-system'))
    return failed('stat', "'-f' is not available here: the size of the filesystem is unknown; use stat without it")
  const zone = context.env['TZ'] ?? ''
  const format = escaped === undefined ? asked?.value : unescaped(escaped)
  const { fs, cwd } = context
  let [stdout, stderr] = ['', '']
  for (const name of parsed.operands) {
    const path = fs.resolvePath(cwd, name)
    try {
      const found = has(parsed, 'follow') || namesDirectory(name) ? await fs.stat(path) : await fs.lstat(path)
      if (!found.isDirectory) checkFileName(name)
      const link = found.isSymbolicLink ? await fs.readlink(path) : undefined
      const timeIn = (time: Date): ZonedTime | undefined => inZone(time.getTime(), zone) ?? inZone(time.getTime(), '')
      const written = has(parsed, 'terse') ? terse : usual(link === undefined ? '' : ` -> ${link}`)
      const shown = fill(format ?? written, { name, found, link, timeIn })
      stdout += shown + (escaped === undefined ? '\n' : '')
    } catch (error) {
      stderr += `stat: cannot statx ${quotedName(name)}: ${reasonOf(error)}\n`
    }
  }
  return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
}

/** Names have no quotes here, as they have them with `-c %N`. */
const usual = (target: string): string => `  File: %n${target.replaceAll('%', '%%')}
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: %Hd,%Ld\tInode: %-11i Links: %h
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w`

const terse = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o'

interface Subject {
  readonly name: string
  readonly found: CommandStat
  readonly link: string | undefined
  readonly timeIn: (time: Date) => ZonedTime | undefined
}

/** An unknown directive is shown as `?`. */
function fill(format: string, subject: Subject): string {
  return format.replace(
    /%([-0+ #']*)(\d*)(?:\.(\d*))?(%|[HL][dr]|[^])/g,
    (_all, flags: string, width: string, precision: string | undefined, letter: string) => {
      const value = valueFor(letter, subject, precision) ?? '?'
      const prefixed = flags.includes('#') ? withPrefix(letter, value) : value
      const isNumber = /^[aBbdDfghiorstTuWXYZ]$|^[HL]/.test(letter)
      const signed = isNumber && flags.includes('+') && !/^[afDtT]$/.test(letter) ? `+${prefixed}` : prefixed
      const cut = precision === undefined || precision === '' || isNumber ? signed : signed.slice(0, Number(precision))
      const size = Number(width)
      if (flags.includes('-')) return cut.padEnd(size)
      return cut.padStart(size, flags.includes('0') && isNumber ? '0' : ' ')
    },
  )
}

function withPrefix(letter: string, value: string): string {
  return letter === 'a' ? `0${value}` : /^[fDtT]$/.test(letter) && value !== '0' ? `0x${value}` : value
}

function valueFor(letter: string, { name, found, link, timeIn }: Subject, precision: string | undefined): string | undefined {
  const typeBits = found.isSymbolicLink ? 0o120000 : found.isDirectory ? 0o040000 : found.device ? 0o020000 : 0o100000
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
      return String(found.isSymbolicLink ? 0 : found.isDirectory ? 8 : Math.ceil(found.size / 4096) * 8)
    case 'B':
      return '512'
    case 'o':
      return '4096'
    case 'F':
      if (found.isSymbolicLink) return 'symbolic link'
      if (found.device !== undefined) return 'character special file'
      if (found.isPipe === true) return 'fifo'
      return found.isDirectory ? 'directory' : found.size === 0 ? 'regular empty file' : 'regular file'
    case 'a':
      return bits.toString(8)
    case 'A':
      return (found.isSymbolicLink ? 'l' : found.isDirectory ? 'd' : found.device ? 'c' : '-') + permissions(bits)
    case 'f':
      return (typeBits | bits).toString(16)
    case 'i':
      return String(found.ino)
    case 'd':
    case 'Ld':
      return String(found.dev)
    case 'D':
      return found.dev.toString(16)
    case 'h':
      return String(found.nlink)
    case 'Hr':
      return String(found.device?.[0] ?? 0)
    case 'Lr':
      return String(found.device?.[1] ?? 0)
    case 't':
      return (found.device?.[0] ?? 0).toString(16)
    case 'T':
      return (found.device?.[1] ?? 0).toString(16)
    case 'r':
      return String(rawDevice(found))
    case 'R':
      return rawDevice(found).toString(16)
    case 'Hd':
    case 'W':
      return '0'
    case 'u':
    case 'g':
      return '1000'
    case 'U':
    case 'G':
      return 'user'
    case 'm':
      return '/'
    case 'X':
      return secondsOf(found.atime.getTime(), precision)
    case 'Y':
      return secondsOf(found.mtime.getTime(), precision)
    case 'Z':
      return secondsOf(found.ctime.getTime(), precision)
    case 'w':
      return '-'
    case 'x':
      return shownTime(timeIn(found.atime))
    case 'y':
      return shownTime(timeIn(found.mtime))
    case 'z':
      return shownTime(timeIn(found.ctime))
    default:
      return undefined
  }
}

function rawDevice({ device: [major, minor] = [0, 0] }: CommandStat): number {
  return major * 256 + minor
}

function shownTime(time: ZonedTime | undefined): string {
  return time === undefined ? '' : formatTime('%F %T.%N %z', time)
}

/** Seconds with the digits of the fraction that a precision asks for; a bare dot asks for all nine. */
function secondsOf(timeMs: number, precision: string | undefined): string {
  const seconds = String(Math.floor(timeMs / 1000))
  if (precision === undefined) return seconds
  const digits = precision === '' ? 9 : Number(precision)
  const fraction = String(Math.floor(((timeMs % 1000) + 1000) % 1000)).padStart(3, '0')
  return digits === 0 ? seconds : `${seconds}.${fraction.padEnd(digits, '0').slice(0, digits)}`
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

function unescaped(format: string): string {
  return format.replace(/\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|([^]))/g, (all, hex?: string, octal?: string, letter = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return octal === undefined ? (escapes[letter] ?? all) : String.fromCharCode(Number.parseInt(octal, 8))
  })
}
