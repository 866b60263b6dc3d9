// Dates as git reads them. Like git, it also accepts approximate dates (`2 weeks ago`, `last friday`). Loaded when there is one to read.

import { numberTable } from '../../core/words.ts'
import { ownValue } from '../../core/record.ts'
import { monthNames, weekdayNames } from '../../core/calendar.ts'
import type { GitDate } from './date.ts'

const months = monthNames.map(name => name.toLowerCase())
const weekdays = weekdayNames.map(name => name.toLowerCase())
const zoneNames: Readonly<Record<string, number>> = numberTable(`
  z 0, ut 0, utc 0, gmt 0, wet 0, bst 60, cet 60, met 60, mez 60, cest 120, eet 120, eest 180, msk 180, est -300, edt -240,
  cst -360, cdt -300, mst -420, mdt -360, pst -480, pdt -420, jst 540
`)

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
    if ((word === 'am' || word === 'pm') && count !== undefined) {
      const day = new Date(time * 1000)
      const hour = (count % 12) + (word === 'pm' ? 12 : 0)
      time = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour) / 1000
      count = undefined
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
