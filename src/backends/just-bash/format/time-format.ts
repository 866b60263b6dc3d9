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

/** Converts to `zone`, in the syntax of TZ: empty, UTC, or a name such as Europe/Berlin. Returns `undefined` for an unknown name. */
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
  readonly pad: '0' | ' '
}

/** `%%`, a directive, or what looks like the beginning of one. */
const directive = /%(?:%|([-_0^#+]*)(\d*)(?:([EO]?)(:{1,3}z|[A-Za-z])|[EO]?[^%]?))/g

/** The directives that are not known with `E` or `O`. */
const unknownWith: Readonly<Record<string, string>> = { E: 'aAbBdDeFgGhHIjklmMNSUVwW', O: 'aADFcxXYq' }

/** The directives whose values have a sign with `+` when they are wider than usual. */
const usualWidths: Readonly<Record<string, number>> = { Y: 4, G: 4, C: 2, g: 2, y: 2, F: 10 }

/** Formats `time`. Digits beyond the milliseconds come from its `nanoseconds`. An unknown directive is copied, padded to its width. */
export function formatTime(format: string, time: ZonedTime): string {
  return format.replace(directive, (all: string, flags = '', widthText = '', modifier = '', letter = '') => {
    if (all === '%%') return '%'
    // The clock has nine digits.
    if (all === '%-N') return formatTime('%N', time)
    const composite = composites[letter]
    const isUnknown = unknownWith[modifier]?.includes(letter) === true
    const field: Field | undefined = isUnknown
      ? undefined
      : composite === undefined
        ? fieldOf(letter, time)
        : { text: formatTime(composite, time), width: 0, pad: ' ' }
    if (field === undefined) return flags.includes('-') ? all : all.padStart(Number(widthText), ' ')
    const isPlain = modifier !== '' && field.width > 1 && letter !== 'N'
    return laidOut(isPlain ? { text: field.text, width: 0, pad: ' ' } : field, flags, widthText, letter)
  })
}

function laidOut({ text, width, pad }: Field, flags: string, widthText: string, letter: string): string {
  let shown = text
  if (flags.includes('^') && letter !== 'P') shown = shown.toUpperCase()
  if (flags.includes('#') && letter !== 'P' && letter !== 'c')
    shown = letter === 'Z' || letter === 'p' ? shown.toLowerCase() : shown.toUpperCase()
  const given = flags.match(/[-_0+]/g)?.at(-1)
  if (letter === 'N') return nanosecondsText(shown, given, widthText)
  if (letter.endsWith('z')) return offsetLaidOut(shown, given, widthText)
  const wanted = widthText === '' ? width : Number(widthText)
  if (letter === 'F')
    return given === '_' || given === '-' ? shown.padStart(given === '_' ? wanted : 0) : signed(shown, 10, wanted, given)
  // The padding of a number depends on the flag and the width, so its own one goes.
  if (width > 0) shown = shown.replace(/^([-+]?)[0 ]+(?=\d)/, '$1')
  if (given === '-') return shown
  const usual = given === '+' && width > 0 ? usualWidths[letter] : undefined
  if (usual !== undefined) return signed(shown, usual, wanted, given)
  const character = given === '_' ? ' ' : given === '0' || given === '+' ? '0' : pad
  return character === '0' ? zeroPadded(shown, wanted) : shown.padStart(wanted, ' ')
}

/** Zeros stand between the sign and the digits. */
function zeroPadded(text: string, width: number): string {
  return /^[+-]/.test(text) ? text.charAt(0) + text.slice(1).padStart(width - 1, '0') : text.padStart(width, '0')
}

/** With `+`, a year that is wider than usual has a sign. */
function signed(text: string, usualWidth: number, width: number, given: string | undefined): string {
  const isWide = Math.max(width, text.length) > usualWidth
  return zeroPadded(given === '+' && isWide && !text.startsWith('-') ? `+${text}` : text, width)
}

/** An offset such as `+05:30`: its hours are a number with a sign, which is padded as other numbers are. */
function offsetLaidOut(text: string, given: string | undefined, widthText: string): string {
  const wanted = widthText === '' ? text.length : Number(widthText)
  const short = text.replace(/^([-+])0+(?=\d)/, '$1')
  return given === '-' ? short : given === '_' ? short.padStart(wanted, ' ') : zeroPadded(short, wanted)
}

/** For `%N`, the field width is the number of digits. `-` and `_` take zeros at the end away. */
function nanosecondsText(digits: string, flag: string | undefined, widthText: string): string {
  const width = widthText === '' ? digits.length : Number(widthText)
  const cut = digits.slice(0, width)
  if (flag !== '-' && flag !== '_') return cut.padEnd(width, '0')
  const short = cut.replace(/(?<=.)0+$/, '')
  return flag === '-' ? short : short.padEnd(width, ' ')
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
