// The words of dates and times: months, weekdays, units and zones. They may be abbreviated to three letters, or end in `s` or a period.

import { numberTable } from '../../../../core/words.ts'
import { ownValue } from '../../../../core/record.ts'
import { monthNames, weekdayNames } from '../../../../core/calendar.ts'

const months = monthNames.map(name => name.toLowerCase())
const days = weekdayNames.map(name => name.toLowerCase())
const dayNicknames: Readonly<Record<string, number>> = { tues: 2, wednes: 3, thur: 4, thurs: 4 }

/** The field and the amount that one unit adds. */
export interface Unit {
  readonly field: 'year' | 'month' | 'day' | 'second'
  readonly count: number
}

const units: Readonly<Record<string, Unit>> = {
  year: { field: 'year', count: 1 },
  month: { field: 'month', count: 1 },
  fortnight: { field: 'day', count: 14 },
  week: { field: 'day', count: 7 },
  day: { field: 'day', count: 1 },
  hour: { field: 'second', count: 3600 },
  minute: { field: 'second', count: 60 },
  min: { field: 'second', count: 60 },
  second: { field: 'second', count: 1 },
  sec: { field: 'second', count: 1 },
}

const ordinals: Readonly<Record<string, number>> = numberTable(`
  last -1, this 0, next 1, first 1, third 3, fourth 4, fifth 5, sixth 6, seventh 7, eighth 8, ninth 9, tenth 10, eleventh 11,
  twelfth 12
`)

const dayShifts: Readonly<Record<string, number>> = { tomorrow: 1, yesterday: -1, today: 0, now: 0 }

/** Offsets in minutes east of Greenwich; the summer time zones include their extra hour. */
const zones: Readonly<Record<string, number>> = numberTable(`
  gmt 0, ut 0, utc 0, wet 0, west 60, bst 60, art -180, brt -180, nst -210, ast -240, adt -180, clt -240, est -300, edt -240,
  cst -360, cdt -300, mst -420, mdt -360, pst -480, pdt -420, akst -540, akdt -480, hst -600, sst -720, wat 60, cet 60,
  cest 120, met 60, mest 120, mez 60, mesz 120, cat 120, sast 120, eet 120, eest 180, eat 180, msk 180, msd 240, ist 330,
  sgt 480, kst 540, jst 540, gst 600, nzst 720, nzdt 780
`)

function indexIn(names: readonly string[], word: string): number | undefined {
  const found = names.findIndex(name => name === word || (word.length === 3 && name.startsWith(word)))
  return found < 0 ? undefined : found
}

const plain = (word: string): string => word.replace(/\.$/, '')

/** The index of a month; January is 0. */
export function monthOf(word: string): number | undefined {
  return plain(word) === 'sept' ? 8 : indexIn(months, plain(word))
}

/** The index of a weekday; Sunday is 0. */
export function dayOf(word: string): number | undefined {
  return indexIn(days, plain(word)) ?? ownValue(dayNicknames, plain(word))
}

export function unitOf(word: string): Unit | undefined {
  return ownValue(units, word) ?? (word.endsWith('s') ? ownValue(units, word.slice(0, -1)) : undefined)
}

export function ordinalOf(word: string): number | undefined {
  return ownValue(ordinals, word)
}

export function dayShiftOf(word: string): number | undefined {
  return ownValue(dayShifts, word)
}

/** Military time zones: A is UTC+1, and the letters continue to Z. J is not used. */
export function zoneOf(word: string): number | undefined {
  const name = word.replaceAll('.', '')
  if (name.length !== 1 || name === 'j') return ownValue(zones, name)
  if (name === 'z') return 0
  const east = 'abcdefghiklm'.indexOf(name)
  const west = 'nopqrstuvwxy'.indexOf(name)
  return east >= 0 ? (east + 1) * 60 : (west + 1) * -60
}

export function meridianOf(word: string): 'am' | 'pm' | undefined {
  const name = word.replaceAll('.', '')
  return name === 'am' || name === 'pm' ? name : undefined
}
