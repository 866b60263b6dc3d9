// Formats times as strftime does, with the flags and field widths of GNU date.

import { abbreviated, monthNames, weekdayNames } from '../../../core/calendar.ts'

export interface ZonedTime {
  /** The local time in the zone, as if it were UTC. */
  readonly local: Date
  readonly offsetMinutes: number
  readonly zoneName: string
  readonly timeMs: number
  /** The fraction of the second. Default: the milliseconds of the time. */
  readonly nanoseconds?: number
}

/**
 * Converts to `zone`, in the syntax of TZ: empty, UTC, or a name such as Europe/Berlin. Returns `undefined` for an unknown name.
 */
export function inZone(timeMs: number, zone: string): ZonedTime | undefined {
  const name = zone.replace(/^:/, '')
  if (/^(?:|UTC0?|GMT0?|Etc\/UTC|Universal|Zulu)$/.test(name))
    return { local: new Date(timeMs), offsetMinutes: 0, zoneName: name.startsWith('GMT') ? 'GMT' : 'UTC', timeMs }
  const fixed = /^<?([A-Za-z]{3,}|[+-]\d+)>?([+-]?\d{1,2})(?::?(\d\d))?$/.exec(name)
  if (fixed !== null) {
    const [, zoneName = '', hours = '0', minutes = '0'] = fixed
    const offsetMinutes = -(Number(hours) * 60 + Math.sign(Number(hours) || 1) * Number(minutes))
    return { local: new Date(timeMs + offsetMinutes * 60_000), offsetMinutes, zoneName, timeMs }
  }
  try {
    const offsetMinutes = offsetOf(timeMs, name)
    return {
      local: new Date(timeMs + offsetMinutes * 60_000),
      offsetMinutes,
      zoneName: shortName(timeMs, name, offsetMinutes),
      timeMs,
    }
  } catch {
    // Intl throws only for an unknown name.
    return undefined
  }
}

/** The time at which the local time in `zone` is `localMs`, given as if it were UTC. */
export function fromZone(localMs: number, zone: string): number {
  const guess = inZone(localMs, zone)?.offsetMinutes ?? 0
  const offset = inZone(localMs - guess * 60_000, zone)?.offsetMinutes ?? guess
  return localMs - offset * 60_000
}

function offsetOf(timeMs: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(timeMs)
  const value = (type: string): number => Number(parts.find(part => part.type === type)?.value ?? 0)
  const shown = Date.UTC(value('year'), value('month') - 1, value('day'), value('hour'), value('minute'), value('second'))
  return Math.round((shown - Math.floor(timeMs / 1000) * 1000) / 60_000)
}

/** Abbreviations that Intl does not provide in any locale. */
const standardNames: Readonly<Record<string, { readonly name: string; readonly offsetMinutes: number }>> = {
  'Asia/Tokyo': { name: 'JST', offsetMinutes: 540 },
  'Asia/Seoul': { name: 'KST', offsetMinutes: 540 },
  'Asia/Shanghai': { name: 'CST', offsetMinutes: 480 },
  'Asia/Taipei': { name: 'CST', offsetMinutes: 480 },
  'Asia/Hong_Kong': { name: 'HKT', offsetMinutes: 480 },
  'Asia/Manila': { name: 'PST', offsetMinutes: 480 },
  'Asia/Kolkata': { name: 'IST', offsetMinutes: 330 },
  'Asia/Calcutta': { name: 'IST', offsetMinutes: 330 },
  'Asia/Karachi': { name: 'PKT', offsetMinutes: 300 },
  'Asia/Jakarta': { name: 'WIB', offsetMinutes: 420 },
  'Asia/Jerusalem': { name: 'IST', offsetMinutes: 120 },
  'Europe/Moscow': { name: 'MSK', offsetMinutes: 180 },
  'Africa/Lagos': { name: 'WAT', offsetMinutes: 60 },
  'Africa/Nairobi': { name: 'EAT', offsetMinutes: 180 },
}

function shortName(timeMs: number, zone: string, offsetMinutes: number): string {
  const known = standardNames[zone]
  if (known !== undefined && known.offsetMinutes === offsetMinutes) return known.name
  const options = { timeZone: zone, timeZoneName: 'short' } as const
  for (const locale of ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-ZA']) {
    const name = new Intl.DateTimeFormat(locale, options).formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value
    if (name !== undefined && !/^(?:GMT|UTC)[+-]/.test(name)) return name
  }
  return offsetText(offsetMinutes, '').replace(/00$/, '')
}

function offsetText(offsetMinutes: number, separator: string): string {
  const size = Math.abs(offsetMinutes)
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map(part => String(part).padStart(2, '0'))
  return `${offsetMinutes < 0 ? '-' : '+'}${hours}${separator}${minutes}`
}

interface Field {
  readonly text: string
  /** The default field width and padding character. */
  readonly width: number
  readonly pad: '0' | ' ' | ''
}

const directive = /%([-_0^#+]*)(\d*)(:{1,3}z|[EO]?[A-Za-z%])/g

/** Formats `time`. Digits beyond the milliseconds come from its `nanoseconds`. An unknown directive is copied unchanged. */
export function formatTime(format: string, time: ZonedTime): string {
  return format.replace(directive, (all: string, flags: string, widthText: string, letter: string) => {
    const composite = composites[letter.replace(/^[EO]/, '')]
    const field: Field | undefined =
      composite === undefined
        ? fieldOf(letter.replace(/^[EO](?=.)/, ''), time)
        : { text: formatTime(composite, time), width: 0, pad: ' ' }
    if (field === undefined) return all
    return laidOut(field, flags, widthText, letter)
  })
}

function laidOut({ text, width, pad }: Field, flags: string, widthText: string, letter: string): string {
  let shown = text
  if (flags.includes('^')) shown = shown.toUpperCase()
  if (flags.includes('#')) shown = letter === 'Z' || letter === 'p' ? shown.toLowerCase() : shown.toUpperCase()
  const given = flags.match(/[-_0+]/g)?.at(-1)
  if (letter === 'N') return nanosecondsText(shown, given, widthText)
  const character = given === '-' ? '' : given === '_' ? ' ' : given === '0' || given === '+' ? '0' : pad === '' ? ' ' : pad
  const wanted = widthText === '' ? width : Number(widthText)
  if (given === '-' && widthText === '') return shown.replace(/^(-?)[0 ]+(?=\d)/, '$1')
  // The padding character of the flag also replaces existing padding.
  if (pad !== '' && width > 0 && character !== pad) shown = shown.replace(/^([-+]?)[0 ]+(?=\d)/, '$1')
  const isSigned = /^[+-]/.test(shown) && character === '0'
  return isSigned ? shown.charAt(0) + shown.slice(1).padStart(wanted - 1, '0') : shown.padStart(wanted, character || ' ')
}

/** For `%N`, the field width is the number of digits. */
function nanosecondsText(digits: string, flag: string | undefined, widthText: string): string {
  const cut = widthText === '' ? digits : digits.slice(0, Number(widthText)).padEnd(Number(widthText), flag === '_' ? ' ' : '0')
  return flag === '-' ? cut.replace(/0+$/, '') || '0' : cut
}

const composites: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  h: '%b',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  v: '%e-%b-%Y',
}

function fieldOf(letter: string, { local, offsetMinutes, zoneName, timeMs, nanoseconds }: ZonedTime): Field | undefined {
  const zeros = (value: number, width: number): Field => ({ text: String(value).padStart(width, '0'), width, pad: '0' })
  const blanks = (value: number, width: number): Field => ({ text: String(value).padStart(width, ' '), width, pad: ' ' })
  const text = (value: string): Field => ({ text: value, width: 0, pad: ' ' })
  const year = local.getUTCFullYear()
  const hour = local.getUTCHours()
  const weekday = local.getUTCDay()
  const dayOfYear = Math.floor((startOfDay(local) - startOfYear(year)) / 86_400_000)
  switch (letter) {
    case '%':
      return text('%')
    case 'n':
      return text('\n')
    case 't':
      return text('\t')
    case 'a':
      return text(abbreviated(weekdayNames, weekday))
    case 'A':
      return text(weekdayNames[weekday] ?? '')
    case 'b':
      return text(abbreviated(monthNames, local.getUTCMonth()))
    case 'B':
      return text(monthNames[local.getUTCMonth()] ?? '')
    case 'C':
      return zeros(Math.floor(year / 100), 2)
    case 'd':
      return zeros(local.getUTCDate(), 2)
    case 'e':
      return blanks(local.getUTCDate(), 2)
    case 'g':
      return zeros(isoWeek(local).year % 100, 2)
    case 'G':
      return zeros(isoWeek(local).year, 4)
    case 'H':
      return zeros(hour, 2)
    case 'I':
      return zeros(hour % 12 || 12, 2)
    case 'j':
      return zeros(dayOfYear + 1, 3)
    case 'k':
      return blanks(hour, 2)
    case 'l':
      return blanks(hour % 12 || 12, 2)
    case 'm':
      return zeros(local.getUTCMonth() + 1, 2)
    case 'M':
      return zeros(local.getUTCMinutes(), 2)
    case 'N':
      return {
        text: String(nanoseconds ?? Math.floor((((timeMs % 1000) + 1000) % 1000) * 1e6)).padStart(9, '0'),
        width: 9,
        pad: '0',
      }
    case 'p':
      return text(hour < 12 ? 'AM' : 'PM')
    case 'P':
      return text(hour < 12 ? 'am' : 'pm')
    case 'q':
      return zeros(Math.floor(local.getUTCMonth() / 3) + 1, 1)
    case 's':
      return zeros(Math.floor(timeMs / 1000), 1)
    case 'S':
      return zeros(local.getUTCSeconds(), 2)
    case 'u':
      return zeros(weekday || 7, 1)
    case 'U':
      return zeros(Math.floor((dayOfYear + 7 - weekday) / 7), 2)
    case 'V':
      return zeros(isoWeek(local).week, 2)
    case 'w':
      return zeros(weekday, 1)
    case 'W':
      return zeros(Math.floor((dayOfYear + 7 - ((weekday + 6) % 7)) / 7), 2)
    case 'y':
      return zeros(((year % 100) + 100) % 100, 2)
    case 'Y':
      return zeros(year, 4)
    case 'z':
      return text(offsetText(offsetMinutes, ''))
    case ':z':
      return text(offsetText(offsetMinutes, ':'))
    case '::z':
      return text(`${offsetText(offsetMinutes, ':')}:00`)
    case ':::z':
      return text(offsetText(offsetMinutes, ':').replace(/:00$/, ''))
    case 'Z':
      return text(zoneName)
    default:
      return undefined
  }
}

function startOfDay(date: Date): number {
  return Math.floor(date.getTime() / 86_400_000) * 86_400_000
}

function startOfYear(year: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, 0, 1)
  return date.getTime()
}

/** The ISO week, which is the week of the Thursday in the same Monday-to-Sunday week. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(startOfDay(date) + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000)
  const year = thursday.getUTCFullYear()
  return { year, week: 1 + Math.floor((thursday.getTime() - startOfYear(year)) / (7 * 86_400_000)) }
}
