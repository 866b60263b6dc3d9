// Dates as git reads and writes them. Like git, it also accepts approximate dates (`2 weeks ago`, `last friday`).

import { ownValue } from '../../core/record.ts'
import { abbreviated, monthNames, weekdayNames } from '../../core/calendar.ts'

export interface GitDate {
  /** Seconds since the epoch. */
  readonly time: number
  readonly zone: string
}

const months = monthNames.map(name => name.toLowerCase())
const weekdays = weekdayNames.map(name => name.toLowerCase())
const zoneNames: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  cet: 60,
  met: 60,
  mez: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  jst: 540,
}

/** The offset of a zone in minutes east of Greenwich, from its text in a commit. */
export function zoneMinutes(zone: string): number {
  const number = Number.parseInt(zone, 10)
  if (Number.isNaN(number)) return 0
  const size = Math.abs(number)
  const minutes = Math.floor(size / 100) * 60 + (size % 100)
  return number < 0 ? -minutes : minutes
}

function zoneText(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`
}

function monthOf(word: string): number {
  return word.length < 3 ? -1 : months.findIndex(name => name.startsWith(word.toLowerCase()))
}

interface Fields {
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
  zone?: number
}

/** A date in the form of `GIT_AUTHOR_DATE` and `--date`; `undefined` for other texts. */
export function parseGitDate(text: string, now: number): GitDate | undefined {
  const raw = /^@?(-?\d+)(?: ([+-]\d{4}))?$/.exec(text.trim())
  if (raw !== null && (text.trim().startsWith('@') || raw[2] !== undefined || (raw[1]?.length ?? 0) > 8)) {
    return { time: Number(raw[1]), zone: raw[2] ?? '+0000' }
  }
  const fields = readFields(text)
  if (fields === undefined) return undefined
  return timeOf(fields, now)
}

function timeOf(fields: Fields, now: number): GitDate | undefined {
  const today = new Date(now * 1000)
  const { year = today.getUTCFullYear(), month = today.getUTCMonth(), day = today.getUTCDate(), zone = 0 } = fields
  const hasTime = fields.hour !== undefined
  const hour = hasTime ? (fields.hour ?? 0) : today.getUTCHours()
  const minute = hasTime ? (fields.minute ?? 0) : today.getUTCMinutes()
  const second = hasTime ? (fields.second ?? 0) : today.getUTCSeconds()
  if (month > 11 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined
  const time = Date.UTC(year, month, day, hour, minute, second) / 1000 - zone * 60
  return { time, zone: zoneText(zone) }
}

function readFields(text: string): Fields | undefined {
  const fields: Fields = {}
  let rest = text.trim()
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest)
    if (found === null) return undefined
    rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`
    return found
  }
  const iso = take(/(?<!\d)(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)/)
  if (iso !== undefined) {
    fields.year = Number(iso[1])
    fields.month = Number(iso[2]) - 1
    fields.day = Number(iso[3])
  }
  const clock = take(/[Tt]?\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?/)
  if (clock !== undefined) {
    fields.hour = Number(clock[1])
    fields.minute = Number(clock[2])
    fields.second = Number(clock[3] ?? 0)
    const half = take(/\b([ap])m\b/i)
    if (half !== undefined) fields.hour = (fields.hour % 12) + (half[1]?.toLowerCase() === 'p' ? 12 : 0)
  }
  const zone = clock === undefined ? undefined : take(/([+-])(\d{2}):?(\d{2})?\b/)
  if (zone !== undefined) fields.zone = (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3] ?? 0))
  if (iso === undefined) {
    const slashed = take(/\b(\d{1,2})\/(\d{1,2})\/(\d{2,4})\b/) ?? take(/\b(\d{1,2})-(\d{1,2})-(\d{4})\b/)
    const dotted = slashed === undefined ? take(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/) : undefined
    if (slashed !== undefined) {
      fields.month = Number(slashed[1]) - 1
      fields.day = Number(slashed[2])
      fields.year = fullYear(Number(slashed[3]))
    } else if (dotted !== undefined) {
      fields.day = Number(dotted[1])
      fields.month = Number(dotted[2]) - 1
      fields.year = Number(dotted[3])
    }
  }
  for (const [word] of rest.matchAll(/[A-Za-z]+/g)) {
    const month = monthOf(word)
    if (month !== -1) fields.month = month
    else if (weekdays.some(day => word.length >= 3 && day.startsWith(word.toLowerCase()))) continue
    else if (Object.hasOwn(zoneNames, word.toLowerCase())) fields.zone = zoneNames[word.toLowerCase()] ?? 0
    else if (!/^(t|st|nd|rd|th)$/i.test(word)) return undefined
  }
  for (const [, digits = ''] of rest.matchAll(/\b(\d+)(?:st|nd|rd|th)?\b/g)) {
    const number = Number(digits)
    if (digits.length === 4) fields.year = number
    else if (fields.day === undefined && number >= 1 && number <= 31) fields.day = number
    else if (fields.year === undefined && digits.length === 2) fields.year = fullYear(number)
    else return undefined
  }
  const hasDate = fields.day !== undefined || fields.month !== undefined
  return hasDate || fields.hour !== undefined ? fields : undefined
}

function fullYear(year: number): number {
  return year > 99 ? year : year < 70 ? 2000 + year : 1900 + year
}

const unitSeconds: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A date in the form of `--since`. As in git, a text without meaning is the current time. */
export function approximateDate(text: string, now: number): number {
  const exact = parseGitDate(text, now)
  if (exact !== undefined) return exact.time
  let time = now
  const atHour = (hour: number): void => {
    if (new Date(time * 1000).getUTCHours() < hour && !/yesterday|ago|last/.test(text)) time -= 86_400
    const day = new Date(time * 1000)
    time = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour) / 1000
  }
  let count: number | undefined
  for (const [word] of text.toLowerCase().matchAll(/\d+|[a-z]+/g)) {
    if (/^\d/.test(word)) {
      count = Number(word)
      continue
    }
    const unit = word.replace(/s$/, '')
    const asNumber = numberWords.indexOf(word)
    if (asNumber !== -1) count = asNumber
    else if (word === 'a' || word === 'an' || word === 'last') count = 1
    else if (word === 'yesterday') time -= 86_400
    else if (word === 'now' || word === 'today') time = word === 'now' ? now : time
    else if (word === 'never') return 0
    else if (word === 'noon') atHour(12)
    else if (word === 'midnight') atHour(0)
    else if (word === 'tea') atHour(17)
    else if (unit in unitSeconds) {
      time -= (count ?? 0) * (ownValue(unitSeconds, unit) ?? 0)
      count = undefined
    } else if (unit === 'month' || unit === 'year') {
      time = monthsBefore(time, (count ?? 0) * (unit === 'year' ? 12 : 1))
      count = undefined
    } else {
      const weekday = weekdays.findIndex(day => word.length >= 3 && day.startsWith(unit))
      if (weekday !== -1) {
        let days = new Date(time * 1000).getUTCDay() - weekday
        if (days <= 0) days += 7
        time -= (days + 7 * ((count ?? 1) - 1)) * 86_400
        count = undefined
      }
    }
  }
  return time
}

function monthsBefore(time: number, count: number): number {
  const date = new Date(time * 1000)
  return (
    Date.UTC(
      date.getUTCFullYear(),
      date.getUTCMonth() - count,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
    ) / 1000
  )
}

const two = (number: number): string => String(number).padStart(2, '0')

/** `mode` is the value of `--date=`; `undefined` for an unknown mode. */
export function formatDate({ time, zone }: GitDate, mode: string, now: number): string | undefined {
  const isLocal = mode === 'local' || /^[a-z0-9-]+-local(?::|$)/.test(mode)
  const shownZone = isLocal ? '+0000' : zone
  const kind = mode === 'local' ? 'default' : mode.replace(/^([a-z0-9-]+)-local(?=:|$)/, '$1')
  const date = new Date((time + zoneMinutes(shownZone) * 60) * 1000)
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  const weekday = abbreviated(weekdayNames, date.getUTCDay())
  const month = abbreviated(monthNames, date.getUTCMonth())
  switch (kind) {
    case 'default':
      return `${weekday} ${month} ${date.getUTCDate()} ${clock} ${date.getUTCFullYear()}${isLocal ? '' : ` ${zone}`}`
    case 'iso':
    case 'iso8601':
      return `${day} ${clock} ${shownZone}`
    case 'iso-strict':
    case 'iso8601-strict':
      return `${day}T${clock}${zoneMinutes(shownZone) === 0 ? '+00:00' : `${shownZone.slice(0, -2)}:${shownZone.slice(-2)}`}`
    case 'rfc':
    case 'rfc2822':
      return `${weekday}, ${date.getUTCDate()} ${month} ${date.getUTCFullYear()} ${clock} ${shownZone}`
    case 'short':
      return day
    case 'raw':
      return `${time} ${shownZone}`
    case 'unix':
      return String(time)
    case 'relative':
      return relativeDate(time, now)
    case 'human':
      return humanDate(date, { time, zone, now })
    default:
      return kind.startsWith('format:') ? byPattern(kind.slice('format:'.length), date, shownZone, time) : undefined
  }
}

function humanDate(
  date: Date,
  { time, zone, now }: { readonly time: number; readonly zone: string; readonly now: number },
): string {
  const today = new Date(now * 1000)
  const isThisYear = date.getUTCFullYear() === today.getUTCFullYear()
  const days = Math.floor(now / 86_400) - Math.floor((time + zoneMinutes(zone) * 60) / 86_400)
  if (isThisYear && days === 0) return relativeDate(time, now)
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  const weekday = abbreviated(weekdayNames, date.getUTCDay())
  const month = abbreviated(monthNames, date.getUTCMonth())
  const suffix = zoneMinutes(zone) === 0 ? '' : ` ${zone}`
  if (!isThisYear) return `${month} ${date.getUTCDate()} ${date.getUTCFullYear()}`
  if (days > 0 && days < 6) return `${weekday} ${clock}${suffix}`
  return `${weekday} ${month} ${date.getUTCDate()} ${clock}${suffix}`
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** `3 days ago`, rounded as git rounds. */
function relativeDate(time: number, now: number): string {
  if (time > now) return 'in the future'
  let difference = now - time
  if (difference < 90) return `${plural(difference, 'second')} ago`
  difference = Math.floor((difference + 30) / 60)
  if (difference < 90) return `${plural(difference, 'minute')} ago`
  difference = Math.floor((difference + 30) / 60)
  if (difference < 36) return `${plural(difference, 'hour')} ago`
  difference = Math.floor((difference + 12) / 24)
  if (difference < 14) return `${plural(difference, 'day')} ago`
  if (difference < 70) return `${plural(Math.floor((difference + 3) / 7), 'week')} ago`
  if (difference < 365) return `${plural(Math.floor((difference + 15) / 30), 'month')} ago`
  if (difference < 1825) {
    const total = Math.floor((difference * 12 * 2 + 365) / (365 * 2))
    const years = plural(Math.floor(total / 12), 'year')
    return total % 12 === 0 ? `${years} ago` : `${years}, ${plural(total % 12, 'month')} ago`
  }
  return `${plural(Math.floor((difference + 183) / 365), 'year')} ago`
}

function byPattern(pattern: string, date: Date, zone: string, time: number): string {
  const hour12 = date.getUTCHours() % 12 || 12
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1
  const one: Readonly<Record<string, () => string>> = {
    Y: () => String(date.getUTCFullYear()),
    y: () => two(date.getUTCFullYear() % 100),
    m: () => two(date.getUTCMonth() + 1),
    d: () => two(date.getUTCDate()),
    e: () => String(date.getUTCDate()).padStart(2),
    H: () => two(date.getUTCHours()),
    I: () => two(hour12),
    k: () => String(date.getUTCHours()).padStart(2),
    l: () => String(hour12).padStart(2),
    C: () => two(Math.floor(date.getUTCFullYear() / 100)),
    M: () => two(date.getUTCMinutes()),
    S: () => two(date.getUTCSeconds()),
    p: () => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
    P: () => (date.getUTCHours() < 12 ? 'am' : 'pm'),
    a: () => abbreviated(weekdayNames, date.getUTCDay()),
    A: () => weekdayNames[date.getUTCDay()] ?? '',
    b: () => abbreviated(monthNames, date.getUTCMonth()),
    h: () => abbreviated(monthNames, date.getUTCMonth()),
    B: () => monthNames[date.getUTCMonth()] ?? '',
    j: () => String(dayOfYear).padStart(3, '0'),
    u: () => String(date.getUTCDay() || 7),
    U: () => two(Math.floor((dayOfYear + 6 - date.getUTCDay()) / 7)),
    W: () => two(Math.floor((dayOfYear + 6 - ((date.getUTCDay() + 6) % 7)) / 7)),
    V: () => two(isoWeek(date).week),
    G: () => String(isoWeek(date).year),
    g: () => two(isoWeek(date).year % 100),
    w: () => String(date.getUTCDay()),
    s: () => String(time),
    z: () => zone,
    Z: () => '',
    n: () => '\n',
    t: () => '\t',
    '%': () => '%',
  }
  const wide: Readonly<Record<string, string>> = {
    F: '%Y-%m-%d',
    T: '%H:%M:%S',
    R: '%H:%M',
    r: '%I:%M:%S %p',
    D: '%m/%d/%y',
    c: '%a %b %e %H:%M:%S %Y',
    x: '%m/%d/%y',
    X: '%H:%M:%S',
  }
  return pattern
    .replaceAll(/%([FTRrDcxX])/g, (_, letter: string) => wide[letter] ?? '')
    .replaceAll(/%(.)/g, (whole, letter: string) => one[letter]?.() ?? whole)
}

/** Weeks begin on Monday and belong to the year of their Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date)
  thursday.setUTCDate(date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7))
  const year = thursday.getUTCFullYear()
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1 }
}
