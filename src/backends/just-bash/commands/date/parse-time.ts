// Parses the dates of `date -d` by the GNU grammar: dates, times of day, time zones, weekdays and relative items, in any order.
// Text that it does not understand is an error, because a guess would be a wrong time.

import { fromZone, inZone } from '../../format/time-format.ts'
import { tokensOf, type Token } from './tokens.ts'
import { dayOf, dayShiftOf, meridianOf, monthOf, ordinalOf, unitOf, zoneOf } from './words.ts'

/** A point in time. */
export interface Moment {
  /** Seconds since 1970, an integer. */
  readonly seconds: number
  readonly nanoseconds: number
}

export function millisecondsOf({ seconds, nanoseconds }: Moment): number {
  return seconds * 1000 + nanoseconds / 1e6
}

export function momentOf(timeMs: number): Moment {
  const seconds = Math.floor(timeMs / 1000)
  return { seconds, nanoseconds: Math.round((timeMs - seconds * 1000) * 1e6) }
}

/** `zone` has the format of TZ. Returns `undefined` for text that is not understood, or for a time that does not exist. */
export function parseTime(text: string, nowMs: number, zone: string = ''): Moment | undefined {
  const [, ownZone, inZoneText] = /^\s*TZ="([^"]*)"([^]*)$/.exec(text) ?? []
  if (ownZone !== undefined && inZoneText !== undefined) return parseTime(inZoneText, nowMs, ownZone)
  const [, sign = '', seconds, fraction = ''] = /^\s*@\s*([-+]?)(\d+)(?:[.,](\d+))?\s*$/.exec(text) ?? []
  if (seconds !== undefined) {
    const nanoseconds = Number(fraction.slice(0, 9).padEnd(9, '0'))
    if (sign !== '-') return { seconds: Number(seconds), nanoseconds }
    return nanoseconds === 0
      ? { seconds: -Number(seconds), nanoseconds: 0 }
      : { seconds: -Number(seconds) - 1, nanoseconds: 1e9 - nanoseconds }
  }
  const tokens = tokensOf(text)
  const reading = tokens === undefined ? undefined : new Reader(tokens).read()
  return reading === undefined ? undefined : resolve(reading, nowMs, zone)
}

interface Reading {
  date: { year: number | undefined; month: number; day: number } | undefined
  time: { hour: number; minute: number; second: number; nanoseconds: number } | undefined
  zoneMinutes: number | undefined
  weekday: { index: number; ordinal: number } | undefined
  hasSteps: boolean
  readonly steps: Record<'year' | 'month' | 'day' | 'second', number>
  stepNanoseconds: number
}

class Reader {
  private at = 0
  private readonly tokens: readonly Token[]
  private readonly reading: Reading = {
    date: undefined,
    time: undefined,
    zoneMinutes: undefined,
    weekday: undefined,
    hasSteps: false,
    steps: { year: 0, month: 0, day: 0, second: 0 },
    stepNanoseconds: 0,
  }

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  read(): Reading | undefined {
    while (this.at < this.tokens.length) if (!this.item()) return undefined
    return this.reading
  }

  private token(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead]
  }

  private isMark(text: string, ahead: number): boolean {
    const token = this.token(ahead)
    return token?.kind === 'mark' && token.text === text
  }

  private word(ahead: number): string {
    const token = this.token(ahead)
    return token?.kind === 'word' ? token.text : ''
  }

  private number(ahead: number): (Token & { readonly kind: 'number' }) | undefined {
    const token = this.token(ahead)
    return token?.kind === 'number' ? token : undefined
  }

  private unsigned(ahead: number, mayHaveFraction = false): (Token & { readonly kind: 'number' }) | undefined {
    const token = this.number(ahead)
    return token?.isSigned === false && (mayHaveFraction || token.fraction === undefined) ? token : undefined
  }

  private signed(ahead: number): (Token & { readonly kind: 'number' }) | undefined {
    const token = this.number(ahead)
    return token?.isSigned === true ? token : undefined
  }

  /** Consumes one item; returns false if the next token is not understood. */
  private item(): boolean {
    const token = this.token()
    if (token === undefined) return false
    if (token.kind === 'mark') return false
    if (token.kind === 'word') return this.beginsWithWord(token.text)
    return token.isSigned ? this.step(token.value, token.fraction) : this.beginsWithNumber(token)
  }

  private beginsWithWord(word: string): boolean {
    const ordinal = ordinalOf(word)
    if (ordinal !== undefined) {
      const index = dayOf(this.word(1))
      if (index !== undefined) return this.setWeekday(index, ordinal, 2)
      if (unitOf(this.word(1)) === undefined) return false
      return this.step(ordinal, undefined)
    }
    const shift = dayShiftOf(word)
    if (shift !== undefined) {
      this.at += 1
      this.reading.hasSteps = true
      this.reading.steps.day += shift * this.ago()
      return true
    }
    const month = monthOf(word)
    if (month !== undefined) return this.beginsWithMonth(month)
    const index = dayOf(word)
    if (index !== undefined) return this.setWeekday(index, 0, this.isMark(',', 1) ? 2 : 1)
    if (unitOf(word) !== undefined) {
      this.at -= 1
      return this.step(1, undefined)
    }
    const zone = zoneOf(word)
    if (zone === undefined) return false
    this.at += 1
    let minutes = zone
    // `UTC+2`, `EST DST`.
    const offset = this.signed(0)
    if (offset !== undefined && unitOf(this.word(1)) === undefined) minutes += this.takeOffset() ?? Number.NaN
    else if (this.word(0) === 'dst') {
      this.at += 1
      minutes += 60
    }
    return this.setZone(minutes)
  }

  private beginsWithMonth(month: number): boolean {
    const day = this.number(1)
    if (day === undefined || day.fraction !== undefined) return false
    if (day.isSigned) {
      // Jun-17-1992
      const year = this.signed(2)
      if (year === undefined) return false
      return this.setDate(yearOf(-year.value, year.digits), month, -day.value, 3)
    }
    if (!this.isMark(',', 2)) return this.setDate(undefined, month, day.value, 2)
    const year = this.unsigned(3)
    return year !== undefined && this.setDate(yearOf(year.value, year.digits), month, day.value, 4)
  }

  private beginsWithNumber(first: Token & { readonly kind: 'number' }): boolean {
    if (this.isMark(':', 1)) return this.time(first)
    const meridian = meridianOf(this.word(1))
    if (meridian !== undefined) {
      const hour = hourOf(first.value, meridian)
      return hour !== undefined && this.setTime(hour, 0, 0, 0, 2)
    }
    if (this.isMark('/', 1)) return this.slashes(first)
    const [second, third] = [this.signed(1), this.signed(2)]
    // 2024-01-31; numbers with a plus sign do not form a date.
    if (second !== undefined && third !== undefined && second.value <= 0 && third.value <= 0)
      return this.setDate(yearOf(first.value, first.digits), -second.value - 1, -third.value, 3) && this.timeBehindLetter()
    const month = monthOf(this.word(1))
    if (month !== undefined) return this.dayAndMonth(first.value, month)
    const weekday = dayOf(this.word(1))
    if (weekday !== undefined) return this.setWeekday(weekday, first.value, 2)
    if (unitOf(this.word(1)) !== undefined) return this.step(first.value, first.fraction)
    if (second !== undefined && unitOf(this.word(2)) === undefined && first.fraction === undefined)
      return this.hourWithOffset(first.value)
    return first.fraction === undefined && this.plainNumber(first)
  }

  private dayAndMonth(day: number, month: number): boolean {
    const year = this.number(2)
    // 17-JUN-1992, 17 June 1992
    if (year?.isSigned === true && year.value <= 0) return this.setDate(yearOf(-year.value, year.digits), month, day, 3)
    if (year?.isSigned === false) return this.setDate(yearOf(year.value, year.digits), month, day, 3)
    return this.setDate(undefined, month, day, 2)
  }

  private slashes(first: Token & { readonly kind: 'number' }): boolean {
    const second = this.unsigned(2)
    if (second === undefined) return false
    const third = this.isMark('/', 3) ? this.unsigned(4) : undefined
    if (third === undefined) return this.setDate(undefined, first.value - 1, second.value, 3)
    return first.digits >= 4
      ? this.setDate(first.value, second.value - 1, third.value, 5)
      : this.setDate(yearOf(third.value, third.digits), first.value - 1, second.value, 5)
  }

  /** `T` between a date as 2024-01-31 and a time of day without `am` or `pm`; elsewhere T is a military zone. */
  private timeBehindLetter(): boolean {
    if (this.word(0) !== 't') return true
    this.at += 1
    const hour = this.unsigned(0)
    if (hour === undefined) return false
    if (!this.isMark(':', 1)) return this.signed(1) !== undefined && this.hourWithOffset(hour.value)
    return this.time(hour, false)
  }

  /** `10 +0200` */
  private hourWithOffset(hour: number): boolean {
    if (!this.setTime(hour, 0, 0, 0, 1)) return false
    const offset = this.takeOffset()
    return offset !== undefined && this.setZone(offset)
  }

  private time(first: Token & { readonly kind: 'number' }, mayHaveMeridian = true): boolean {
    const minute = this.unsigned(2)
    if (minute === undefined) return false
    const second = this.isMark(':', 3) ? this.unsigned(4, true) : undefined
    if (this.isMark(':', 3) && second === undefined) return false
    let taken = second === undefined ? 3 : 5
    let hour: number | undefined = first.value
    const meridian = meridianOf(this.word(taken))
    if (meridian !== undefined) {
      if (!mayHaveMeridian) return false
      hour = hourOf(hour, meridian)
      taken += 1
    }
    if (hour === undefined) return false
    if (!this.setTime(hour, minute.value, second?.value ?? 0, second?.fraction ?? 0, taken)) return false
    if (meridian !== undefined || this.signed(0) === undefined) return true
    // A signed number after a time of day is a zone offset, even if a unit follows.
    const offset = this.takeOffset()
    return offset !== undefined && this.setZone(offset)
  }

  /** Reads an offset such as `+2`, `+02`, `+0200` or `+02:00`; returns minutes. */
  private takeOffset(): number | undefined {
    const token = this.signed(0)
    if (token === undefined) return undefined
    this.at += 1
    const sign = token.value < 0 || Object.is(token.value, -0) ? -1 : 1
    const size = Math.abs(token.value)
    let minutes = token.digits <= 2 ? size * 60 : Math.floor(size / 100) * 60 + (size % 100)
    const behind = this.isMark(':', 0) ? this.unsigned(1) : undefined
    if (behind !== undefined) {
      this.at += 2
      minutes = size * 60 + behind.value
    }
    return minutes > 24 * 60 ? undefined : sign * minutes
  }

  /** A number by itself: the year after a date, a date as YYYYMMDD, or a time as HH or HHMM. */
  private plainNumber({ value, digits }: Token & { readonly kind: 'number' }): boolean {
    const { date, time, hasSteps } = this.reading
    if (date !== undefined && date.year === undefined && !hasSteps && (time !== undefined || digits > 2)) {
      date.year = yearOf(value, digits)
      this.at += 1
      return true
    }
    if (digits > 4)
      return this.setDate(yearOf(Math.floor(value / 10_000), digits - 4), Math.floor((value % 10_000) / 100) - 1, value % 100, 1)
    return digits <= 2 ? this.setTime(value, 0, 0, 0, 1) : this.setTime(Math.floor(value / 100), value % 100, 0, 0, 1)
  }

  /** A relative item: a count (a number or a word such as `next`) and its unit. */
  private step(count: number, fraction: number | undefined): boolean {
    const unit = unitOf(this.word(1))
    if (unit === undefined) return false
    this.at += 2
    const { steps } = this.reading
    const sign = this.ago()
    if (fraction !== undefined) {
      if (unit.field !== 'second' || unit.count !== 1) return false
      this.reading.stepNanoseconds += sign * (count < 0 ? -fraction : fraction)
    }
    steps[unit.field] += count * unit.count * sign
    this.reading.hasSteps = true
    return true
  }

  private ago(): number {
    const word = this.word(0)
    if (word !== 'ago' && word !== 'hence') return 1
    this.at += 1
    return word === 'ago' ? -1 : 1
  }

  private setDate(year: number | undefined, month: number, day: number, taken: number): boolean {
    if (this.reading.date !== undefined) return false
    this.reading.date = { year, month, day }
    this.at += taken
    return true
  }

  private setTime(hour: number, minute: number, second: number, nanoseconds: number, taken: number): boolean {
    if (this.reading.time !== undefined || hour > 23 || minute > 59 || second > 59) return false
    this.reading.time = { hour, minute, second, nanoseconds }
    this.at += taken
    return true
  }

  private setZone(minutes: number): boolean {
    if (this.reading.zoneMinutes !== undefined || Number.isNaN(minutes)) return false
    this.reading.zoneMinutes = minutes
    return true
  }

  private setWeekday(index: number, ordinal: number, taken: number): boolean {
    if (this.reading.weekday !== undefined) return false
    this.reading.weekday = { index, ordinal }
    this.at += taken
    return true
  }
}

function hourOf(hour: number, meridian: 'am' | 'pm'): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (meridian === 'pm' ? 12 : 0)
}

/** A year of exactly two digits is one of 1969 to 2068. */
function yearOf(value: number, digits: number): number {
  return digits === 2 ? value + (value < 69 ? 2000 : 1900) : value
}

function resolve(reading: Reading, nowMs: number, zone: string): Moment | undefined {
  const { date, time, weekday, steps } = reading
  // Missing fields come from the current time in `zone`, even if the text names another zone.
  const now = inZone(nowMs, zone)
  const today = now?.local ?? new Date(nowMs)
  const year = date?.year ?? today.getUTCFullYear()
  const month = date?.month ?? today.getUTCMonth()
  const day = date?.day ?? today.getUTCDate()
  const keepsTime = time === undefined && reading.hasSteps && date === undefined && weekday === undefined
  const start = new Date(0)
  start.setUTCFullYear(year, month, day)
  // Rejects dates that do not exist, such as February 31.
  if (start.getUTCMonth() !== month || start.getUTCDate() !== day) return undefined
  if (weekday !== undefined && date === undefined) {
    const { index, ordinal } = weekday
    const ahead = (index - start.getUTCDay() + 7) % 7
    // On a Monday, "next monday" is a week later, and "monday" is the same day.
    start.setUTCDate(day + ahead + 7 * (ordinal - (ordinal > 0 && ahead > 0 ? 1 : 0)))
  }
  // A day beyond the end of the month overflows into the next month.
  start.setUTCFullYear(start.getUTCFullYear() + steps.year, start.getUTCMonth() + steps.month, start.getUTCDate() + steps.day)
  const clock = time ?? {
    hour: keepsTime ? today.getUTCHours() : 0,
    minute: keepsTime ? today.getUTCMinutes() : 0,
    second: keepsTime ? today.getUTCSeconds() : 0,
    nanoseconds: keepsTime ? momentOf(nowMs).nanoseconds : 0,
  }
  const localMs = start.getTime() + ((clock.hour * 60 + clock.minute) * 60 + clock.second) * 1000
  if (!Number.isFinite(localMs)) return undefined
  // If the text has only relative items, the current UTC offset applies, even if the result falls in another offset (daylight saving time).
  const offsetMinutes = reading.zoneMinutes ?? (keepsTime ? now?.offsetMinutes : undefined)
  const utcMs = offsetMinutes === undefined ? fromZone(localMs, zone) : localMs - offsetMinutes * 60_000
  const nanoseconds = clock.nanoseconds + reading.stepNanoseconds
  const carried = Math.floor(nanoseconds / 1e9)
  return { seconds: Math.floor(utcMs / 1000) + steps.second + carried, nanoseconds: nanoseconds - carried * 1e9 }
}
