// The output of -printf and -ls for an entry.

import type { CommandStat } from '../text-files.ts'
import { permissions } from '../program.ts'
import { escapedCharacter } from '../quoted-name.ts'
import { letterOf, type Entry } from './entry.ts'
import { ExpressionError, type FileTime } from './expression.ts'
import { formatTime, inZone, type ZonedTime } from '../../format/time-format.ts'

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

interface Surroundings {
  readonly readLink: () => Promise<string>
  /** As in TZ. */
  readonly zone: string
}

/** Text behind `\c` is not printed. An unknown directive is printed as it stands. */
export async function formatted(format: string, entry: Entry, { readLink, zone }: Surroundings): Promise<string> {
  const found = await entry.stat()
  const link = found.isSymbolicLink ? await readLink() : ''
  const times = { mtime: zoned(found.mtime, zone), ctime: zoned(found.ctime, zone), atime: zoned(found.atime, zone) }
  const shown = /^(?:[^\\]|\\[^c])*?(?=\\c)/.exec(format)?.[0] ?? format
  return shown.replace(
    /\\([0-7]{1,3}|[^])|%([-0 +#]*)(\d*)(?:\.(\d+))?([^TAC]|[TAC][^])/g,
    (all: string, escape: string | undefined, flags = '', width = '', precision: string | undefined, directive = '') => {
      if (escape !== undefined)
        return /^[0-7]/.test(escape) && escape !== '0'
          ? String.fromCharCode(Number.parseInt(escape, 8) & 0xff)
          : (escapes[escape] ?? `\\${escape}`)
      const plain = valueOf(directive, entry, found, link, times)
      if (plain === undefined) return all
      const value = directive === 'm' && String(flags).includes('#') ? `0${plain}` : plain
      const cut = precision === undefined ? value : value.slice(0, Number(precision))
      const isNumber = String(flags).includes('0') && /^[bdDGikmnsU]$/.test(directive)
      return String(flags).includes('-') ? cut.padEnd(Number(width)) : cut.padStart(Number(width), isNumber ? '0' : ' ')
    },
  )
}

type Times = Readonly<Record<FileTime, ZonedTime>>

function valueOf(directive: string, entry: Entry, found: CommandStat, link: string, times: Times): string | undefined {
  const { shown, start, depth } = entry
  const slash = shown.replace(/(?<=.)\/+$/, '').lastIndexOf('/')
  const time = times[/^c/i.test(directive) ? 'ctime' : /^a/i.test(directive) ? 'atime' : 'mtime']
  switch (directive) {
    case '%':
      return '%'
    case 'p':
      return shown
    case 'f':
      return shown === '/' ? shown : shown.slice(slash + 1)
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
      return String(blocksOf(found) / 2)
    case 'b':
      return String(blocksOf(found))
    case 'S':
      return found.size === 0 ? '1' : String(Number(((blocksOf(found) * 512) / found.size).toPrecision(6)))
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
    case 'D':
      return String(found.dev)
    case 'n':
      return String(found.nlink)
    case 'u':
    case 'g':
      return 'user'
    case 'U':
    case 'G':
      return '1000'
    case 't':
    case 'a':
    case 'c':
      return `${formatTime('%a %b %e %H:%M:%S', time)}.${fraction(time)} ${formatTime('%Y', time)}`
    case 'F':
    case 'Z':
      throw new ExpressionError(`%${directive} of -printf is not available here; leave it out`)
    default:
      return /^[TAC]/.test(directive) ? timePart(directive.slice(1), time) : undefined
  }
}

/** Blocks of 512 bytes; a file takes whole blocks of 4096. */
function blocksOf({ size, isDirectory, isSymbolicLink }: CommandStat): number {
  return isSymbolicLink ? 0 : isDirectory ? 8 : Math.ceil(size / 4096) * 8
}

function letterFor(found: CommandStat): string {
  return letterOf(found).replace('f', '-')
}

function zoned(time: Date, zone: string): ZonedTime {
  return inZone(time.getTime(), zone) ?? { local: time, offsetMinutes: 0, zoneName: 'UTC', timeMs: time.getTime() }
}

/** Timestamps have millisecond precision; the remaining digits of the fraction are 0. */
function fraction(time: ZonedTime): string {
  return `${formatTime('%N', time)}0`
}

function timePart(letter: string, time: ZonedTime): string | undefined {
  switch (letter) {
    case '@':
      return `${formatTime('%s', time)}.${fraction(time)}`
    case '+':
      return `${formatTime('%F+%T', time)}.${fraction(time)}`
    case 'T':
    case 'X':
    case 'S':
      return `${formatTime(`%${letter}`, time)}.${fraction(time)}`
    default:
      return /^[aAbBcdDeFgGhHIjklmMprRsuUVwWxyYzZ]$/.test(letter) ? formatTime(`%${letter}`, time) : undefined
  }
}

/** The line that -ls prints. */
export async function longLine(entry: Entry, nowMs: number, { readLink, zone }: Surroundings): Promise<string> {
  const found = await entry.stat()
  const { mtime, size, ino } = found
  const isRecent = Math.abs(nowMs - mtime.getTime()) < 180 * 86_400_000
  const time = formatTime(isRecent ? '%b %e %H:%M' : '%b %e  %Y', zoned(mtime, zone))
  const link = found.isSymbolicLink ? ` -> ${escaped(await readLink())}` : ''
  const blocks = String(blocksOf(found) / 2).padStart(6)
  return `${String(ino).padStart(9)} ${blocks} ${letterFor(found)}${permissions(found.mode)} ${String(found.nlink).padStart(3)} user     user     ${String(size).padStart(8)} ${time} ${escaped(entry.shown)}${link}\n`
}

/** A name of -ls has no blanks and only ASCII. */
function escaped(name: string): string {
  return name.replace(/[^!#-[\]-~]/gu, character => (/[\\" ]/.test(character) ? `\\${character}` : escapedCharacter(character)))
}
