// The output of -printf and -ls for an entry.

import { abbreviated, monthNames } from '../../../../core/calendar.ts'
import type { CommandStat } from '../text-files.ts'
import { permissions } from '../program.ts'
import { letterOf, nameOf, type Entry } from './entry.ts'
import { ExpressionError } from './expression.ts'

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

export async function formatted(format: string, entry: Entry, readLink: () => Promise<string>): Promise<string> {
  const found = await entry.stat()
  const link = found.isSymbolicLink ? await readLink() : ''
  return format.replace(
    /\\([0-7]{1,3}|[^])|%([-0 +#]*)(\d*)(?:\.(\d+))?([^TAC]|[TAC][^])/g,
    (_, escape: string | undefined, flags = '', width = '', precision: string | undefined, directive = '') => {
      if (escape !== undefined)
        return /^[0-7]/.test(escape) && escape !== '0'
          ? String.fromCharCode(Number.parseInt(escape, 8) & 0xff)
          : (escapes[escape] ?? `\\${escape}`)
      const value = valueOf(directive, entry, found, link)
      const cut = precision === undefined ? value : value.slice(0, Number(precision))
      return String(flags).includes('-')
        ? cut.padEnd(Number(width))
        : cut.padStart(Number(width), String(flags).includes('0') ? '0' : ' ')
    },
  )
}

function valueOf(directive: string, entry: Entry, found: CommandStat, link: string): string {
  const { shown, start, depth } = entry
  const slash = shown.lastIndexOf('/')
  switch (directive) {
    case '%':
      return '%'
    case 'p':
      return shown
    case 'f':
      return nameOf(entry)
    case 'h':
      return slash === -1 ? '.' : slash === 0 ? '' : shown.slice(0, slash)
    case 'P':
      return shown.slice(start.length).replace(/^\//, '')
    case 'H':
      return start
    case 'd':
      return String(depth)
    case 's':
      return String(found.size)
    case 'k':
      return String(Math.ceil(found.size / 1024))
    case 'b':
      return String(Math.ceil(found.size / 512))
    case 'm':
      return (found.mode & 0o7777).toString(8)
    case 'M':
      return letterFor(found) + permissions(found.mode)
    case 'y':
    case 'Y':
      return letterOf(found)
    case 'l':
      return link
    case 'i':
      return String(found.ino)
    case 'n':
      return '1'
    case 'u':
    case 'g':
      return 'user'
    case 'U':
    case 'G':
      return '1000'
    case 't':
      return `${found.mtime.toUTCString().slice(0, 3)} ${abbreviated(monthNames, found.mtime.getUTCMonth())} ${String(found.mtime.getUTCDate()).padStart(2)} ${timePart('T', found.mtime)} ${found.mtime.getUTCFullYear()}`
    default: {
      const part = /^[TAC]/.test(directive) ? timePart(directive.slice(1), found.mtime) : undefined
      if (part === undefined)
        throw new ExpressionError(`%${directive} of -printf is not available here; use -exec stat -c FORMAT {} +`)
      return part
    }
  }
}

function letterFor(found: CommandStat): string {
  return letterOf(found).replace('f', '-')
}

/** Timestamps have millisecond precision; the remaining digits of the fraction are 0. */
function timePart(letter: string, time: Date): string | undefined {
  const [date = '', clock = ''] = time.toISOString().replace('Z', '').split('T')
  const [hours = '', minutes = '', seconds = ''] = clock.split(':')
  const full = `${seconds}0000000`
  switch (letter) {
    case '@':
      return `${Math.floor(time.getTime() / 1000)}.${full.split('.')[1] ?? ''}`
    case '+':
      return `${date}+${hours}:${minutes}:${full}`
    case 'F':
      return date
    case 'T':
      return `${hours}:${minutes}:${full}`
    case 'R':
      return `${hours}:${minutes}`
    case 'Y':
      return date.slice(0, -6)
    case 'm':
      return date.slice(-5, -3)
    case 'd':
      return date.slice(-2)
    case 'H':
      return hours
    case 'M':
      return minutes
    case 'S':
      return full
    case 'b':
      return abbreviated(monthNames, time.getUTCMonth())
    case 'y':
      return date.slice(-8, -6)
    default:
      return undefined
  }
}

/** The line that -ls prints. */
export async function longLine(entry: Entry, nowMs: number, readLink: () => Promise<string>): Promise<string> {
  const found = await entry.stat()
  const { mtime, size, ino } = found
  const day = `${abbreviated(monthNames, mtime.getUTCMonth())} ${String(mtime.getUTCDate()).padStart(2)}`
  const isRecent = Math.abs(nowMs - mtime.getTime()) < 180 * 86_400_000
  const time = isRecent ? mtime.toISOString().slice(11, 16) : ` ${mtime.getUTCFullYear()}`
  const link = found.isSymbolicLink ? ` -> ${await readLink()}` : ''
  const blocks = String(Math.ceil(size / 4096) * 4).padStart(6)
  return `${String(ino).padStart(9)} ${blocks} ${letterFor(found)}${permissions(found.mode)}   1 user     user     ${String(size).padStart(8)} ${day} ${time} ${entry.shown}${link}\n`
}
