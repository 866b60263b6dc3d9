// Dates as git writes them.

import { abbreviated, monthNames, weekdayNames } from '../../core/calendar.ts'

export interface GitDate {
  /** Seconds since the epoch. */
  readonly time: number
  readonly zone: string
}

/** The offset of a zone in minutes east of Greenwich, from its text in a commit. */
export function zoneMinutes(zone: string): number {
  const number = Number.parseInt(zone, 10)
  if (Number.isNaN(number)) return 0
  const size = Math.abs(number)
  const minutes = Math.floor(size / 100) * 60 + (size % 100)
  return number < 0 ? -minutes : minutes
}

const two = (number: number): string => String(number).padStart(2, '0')

/** `mode` is the value of `--date=`; `undefined` for an unknown mode. */
export function formatDate(
  { time, zone }: GitDate,
  mode: string,
  now: number,
  localZone: (time: number) => string = () => '+0000',
): string | undefined {
  const isLocal = mode === 'local' || /^[a-z0-9-]+-local(?::|$)/.test(mode)
  const shownZone = isLocal ? localZone(time) : zone
  // `auto:` is for a terminal.
  const kind = mode === 'local' || mode.startsWith('auto:') ? 'default' : mode.replace(/^([a-z0-9-]+)-local(?=:|$)/, '$1')
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
