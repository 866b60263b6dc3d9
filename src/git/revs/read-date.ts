// Dates as git reads them: exact ones with a time, and approximate ones (`2 weeks ago`, `last friday`). Loaded when there is one to read.

import { monthNames, weekdayNames } from '../../core/calendar.ts'
import { numberTable } from '../../core/words.ts'
import type { GitDate } from './date.ts'
import {
  type DateFields,
  digitsAt,
  exactTimeOf,
  fieldsOf,
  isDigit,
  matchedLength,
  readNumberGroup,
  setDate,
  setTime,
  timeOf,
  unknownFields,
} from './date-fields.ts'

const daySeconds = 86_400
/** A smaller number is a day, a month or a year. */
const leastSeconds = 100_000_000
/** Minutes east of UTC. */
const zones = Object.entries(
  numberTable(`
    IDLW -720, NT -660, CAT -600, HST -600, HDT -540, YST -540, YDT -480, PST -480, PDT -420, MST -420, MDT -360, CST -360, CDT -300,
    EST -300, EDT -240, AST -180, ADT -120, WAT -60, GMT 0, UTC 0, Z 0, WET 0, BST 60, CET 60, MET 60, MEWT 60, MEST 120, CEST 120,
    MESZ 120, FWT 60, FST 120, EET 120, EEST 180, WAST 420, WADT 480, CCT 480, JST 540, EAST 600, EADT 660, GST 600, NZT 720, NZST 720,
    NZDT 780, IDLE 720
  `),
)
const weekdays = weekdayNames.map(name => `${name}s`)
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const units = [
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', daySeconds],
  ['weeks', 7 * daySeconds],
] as const

function zoneText(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`
}

/** A date in the form of `GIT_AUTHOR_DATE` and `--date`; `undefined` if a part of the date or of the time is missing. */
export function parseGitDate(text: string, now: number): GitDate | undefined {
  const [, seconds, zone] = /^@(\d+) ([+-]\d{4})(?=\n|$)/.exec(text) ?? []
  if (seconds !== undefined && zone !== undefined) return { time: Number(seconds), zone }
  const reader = new ExactDate(text, now)
  for (let at = 0; at < text.length && text[at] !== '\n';) at = reader.readAt(at)
  return reader.date()
}

class ExactDate {
  readonly #text: string
  readonly #now: number
  readonly #fields = unknownFields()
  #zoneMinutes: number | undefined
  #isUtc = false

  constructor(text: string, now: number) {
    this.#text = text
    this.#now = now
  }

  date(): GitDate | undefined {
    const time = exactTimeOf(this.#fields)
    const zone = this.#zoneMinutes ?? 0
    return time === undefined ? undefined : { time: this.#isUtc ? time : time - zone * 60, zone: zoneText(zone) }
  }

  /** Reads what begins at a place, and returns where it ends. */
  readAt(at: number): number {
    const character = this.#text[at] ?? ''
    if (/[A-Za-z]/.test(character)) return this.#readWord(at)
    if (isDigit(character)) return this.#readNumber(at)
    const isZone = (character === '-' || character === '+') && isDigit(this.#text[at + 1]) && this.#fields.hour !== -1
    return isZone ? this.#readZone(at) : at + 1
  }

  #readWord(at: number): number {
    const [text, fields] = [this.#text, this.#fields]
    for (const [month, name] of monthNames.entries()) {
      const length = matchedLength(text, at, name)
      if (length < 3) continue
      fields.month = month
      return at + length
    }
    for (const name of weekdays) {
      const length = matchedLength(text, at, name)
      if (length >= 3) return at + length
    }
    for (const [name, minutes] of zones) {
      const length = matchedLength(text, at, name)
      if (length < 3 && length !== name.length) continue
      this.#zoneMinutes ??= minutes
      return at + length
    }
    for (const [name, hours] of [
      ['pm', 12],
      ['am', 0],
    ] as const) {
      if (matchedLength(text, at, name) !== 2) continue
      fields.hour = (fields.hour % 12) + hours
      return at + 2
    }
    while (/[A-Za-z]/.test(text[at] ?? '')) at++
    return at
  }

  #readNumber(at: number): number {
    const [text, fields] = [this.#text, this.#fields]
    const number = digitsAt(text, at)
    const { value, end } = number
    const count = end - at
    const isNothingKnown = Object.values(fields).every(part => part === -1)
    if (value >= leastSeconds && isNothingKnown) {
      Object.assign(fields, fieldsOf(value))
      this.#isUtc = true
      return end
    }
    const group = readNumberGroup(text, number, fields, this.#now)
    if (group !== undefined) return group
    if (count === 8 || count === 6) return this.#readCompact(value, count, end)
    if (count === 4) {
      if (value <= 1400 && this.#zoneMinutes === undefined) this.#zoneMinutes = Math.floor(value / 100) * 60 + (value % 100)
      else if (value > 1900 && value < 2100) fields.year = value
    }
    if (count <= 2) setShortNumber(fields, value, count)
    return end
  }

  /** `YYYYMMDD` or `HHMMSS`. */
  #readCompact(value: number, count: number, end: number): number {
    const [first, second, third] = [Math.floor(value / 10_000), Math.floor((value % 10_000) / 100), value % 100]
    if (count === 8) setDate(this.#fields, first, second, third)
    else if (setTime(this.#fields, first, second, third) && this.#text[end] === '.' && isDigit(this.#text[end + 1]))
      return digitsAt(this.#text, end + 1).end
    return end
  }

  #readZone(at: number): number {
    const hours = digitsAt(this.#text, at + 1)
    const count = hours.end - at - 1
    const isDivided = count === 2 && this.#text[hours.end] === ':'
    const minutes = isDivided ? digitsAt(this.#text, hours.end + 1) : hours
    const isKnown = count === 4 || (count === 2 && (!isDivided || minutes.end - hours.end === 3))
    const hour = count === 4 ? Math.floor(hours.value / 100) : hours.value
    const minute = count === 4 ? hours.value % 100 : isDivided ? minutes.value : 0
    if (isKnown && minute < 60 && hour < 24) this.#zoneMinutes = (this.#text[at] === '-' ? -1 : 1) * (hour * 60 + minute)
    return minutes.end
  }
}

/** One or two digits: the day first, then a year of two digits, then the month. */
function setShortNumber(fields: DateFields, value: number, count: number): void {
  if (value > 0 && value < 32 && fields.day < 0) fields.day = value
  else if (count === 2 && fields.year < 0 && value < 10 && fields.day >= 0) fields.year = 2000 + value
  else if (count === 2 && fields.year < 0 && value >= 70) fields.year = 1900 + value
  else if (value > 0 && value < 13 && fields.month < 0) fields.month = value - 1
}

/** The value of `--date`, and the date of a mail: also approximate; `undefined` for a text without meaning. */
export function dateGiven(text: string, now: number): GitDate | undefined {
  const exact = parseGitDate(text, now)
  if (exact !== undefined) return exact
  const reader = new ApproximateDate(text, now)
  const time = reader.read()
  // git reads its own result again, as seconds if there are nine digits.
  return reader.isUnderstood && time >= leastSeconds ? { time, zone: '+0000' } : undefined
}

/** A date in the form of `--since`. As in git, a text without meaning is the current time. */
export function approximateDate(text: string, now: number): number {
  return parseGitDate(text, now)?.time ?? new ApproximateDate(text, now).read()
}

class ApproximateDate {
  readonly #text: string
  readonly #now: number
  #fields: DateFields
  #weekday: number
  /** The last number without a unit. */
  #number = 0
  #isUnderstood = false

  constructor(text: string, now: number) {
    this.#text = text
    this.#now = now
    this.#weekday = new Date(now * 1000).getUTCDay()
    this.#fields = { ...fieldsOf(now), year: -1, month: -1, day: -1 }
  }

  /** Whether any part had a meaning. */
  get isUnderstood(): boolean {
    return this.#isUnderstood
  }

  read(): number {
    for (let at = 0; at < this.#text.length;) {
      const character = this.#text[at] ?? ''
      if (isDigit(character)) {
        this.#isUnderstood = true
        this.#placeNumber()
        at = this.#readDigits(at)
      } else if (/[A-Za-z]/.test(character)) {
        if (this.#readWord(at)) this.#isUnderstood = true
        while (/[A-Za-z]/.test(this.#text[at] ?? '')) at++
      } else at++
    }
    this.#placeNumber()
    return this.#goBack(0)
  }

  /** A number that nothing followed is a day, a month or a year. */
  #placeNumber(): void {
    const [number, fields] = [this.#number, this.#fields]
    this.#number = 0
    if (number === 0) return
    if (fields.day < 0 && number < 32) fields.day = number
    else if (fields.month < 0 && number < 13) fields.month = number - 1
    else if (fields.year < 0) {
      if (number > 1969 && number < 2100) fields.year = number
      else if (number > 69 && number < 100) fields.year = 1900 + number
      else if (number < 38) fields.year = 2000 + number
    }
  }

  /** Completes the date with today's, and goes back. */
  #goBack(seconds: number): number {
    const [fields, today] = [this.#fields, fieldsOf(this.#now)]
    if (fields.day < 0) fields.day = today.day
    if (fields.month < 0) fields.month = today.month
    if (fields.year < 0) fields.year = fields.month > today.month ? today.year - 1 : today.year
    const time = timeOf(fields) - seconds
    this.#fields = fieldsOf(time)
    this.#weekday = new Date(time * 1000).getUTCDay()
    return time
  }

  #readDigits(at: number): number {
    const number = digitsAt(this.#text, at)
    const group = readNumberGroup(this.#text, number, this.#fields, this.#now)
    if (group !== undefined) return group
    if (this.#text[at] !== '0' || number.end - at <= 2) this.#number = number.value
    return number.end
  }

  /** Returns whether the word has a meaning. */
  #readWord(at: number): boolean {
    const [text, fields] = [this.#text, this.#fields]
    const month = monthNames.findIndex(name => matchedLength(text, at, name) >= 3)
    if (month !== -1) {
      fields.month = month
      return true
    }
    const is = (word: string): boolean => matchedLength(text, at, word) === word.length
    const special = Object.keys(this.#special).find(is)
    if (special !== undefined) {
      this.#special[special]?.()
      return true
    }
    if (this.#number === 0) {
      const number = numberWords.findIndex((word, index) => index > 0 && is(word))
      if (number !== -1) this.#number = number
      else if (is('last')) this.#number = 1
      return this.#number !== 0
    }
    return this.#readUnit(at)
  }

  #readUnit(at: number): boolean {
    const count = this.#number
    const startsAs = (word: string, least: number): boolean => matchedLength(this.#text, at, word) >= least
    const unit = units.find(([name]) => startsAs(name, name.length - 1))
    const weekday = weekdays.findIndex(name => startsAs(name, 3))
    if (unit !== undefined) this.#goBack(unit[1] * count)
    else if (weekday !== -1) {
      const days = this.#weekday - weekday
      this.#goBack((days + 7 * (days <= 0 ? count : count - 1)) * daySeconds)
    } else if (startsAs('months', 5)) {
      this.#goBack(0)
      const months = this.#fields.month - count
      this.#fields.year += Math.floor(months / 12)
      this.#fields.month = ((months % 12) + 12) % 12
    } else if (startsAs('years', 4)) {
      this.#goBack(0)
      this.#fields.year -= count
    } else return false
    this.#number = 0
    return true
  }

  readonly #special: Readonly<Record<string, () => void>> = {
    yesterday: () => {
      this.#number = 0
      this.#goBack(daySeconds)
    },
    noon: () => this.#atHour(12),
    midnight: () => this.#atHour(0),
    tea: () => this.#atHour(17),
    pm: () => this.#setHalf(12),
    am: () => this.#setHalf(0),
    never: () => {
      this.#number = 0
      this.#fields = fieldsOf(0)
    },
    now: () => {
      this.#number = 0
      this.#goBack(0)
    },
  }

  /** Today, or the day before if it is not that late. */
  #atHour(hour: number): void {
    this.#placeNumber()
    if (this.#fields.hour < hour) this.#goBack(daySeconds)
    Object.assign(this.#fields, { hour, minute: 0, second: 0 })
  }

  #setHalf(hours: number): void {
    const { hour } = this.#fields
    if (this.#number !== 0) Object.assign(this.#fields, { minute: 0, second: 0 })
    this.#fields.hour = ((this.#number === 0 ? hour : this.#number) % 12) + hours
    this.#number = 0
  }
}
