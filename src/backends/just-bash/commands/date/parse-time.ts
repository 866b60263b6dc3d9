// Times as people write them for `date -d`: a date, a time of day, and steps from there. What is not understood is said; a guess would be a wrong
// time.

const unitWords: Readonly<Record<string, number>> = {
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  fortnight: 1_209_600,
}
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const dayMs = 86_400_000

interface Reading {
  /** The day, as midnight. */
  dayMs: number
  /** Since midnight. `undefined`: the present one, or midnight where a date was given. */
  clockMs: number | undefined
  hasDate: boolean
  zoneMs: number
  steps: { months: number; ms: number }
  weekday: { index: number; weeks: number } | undefined
}

/** In milliseconds since 1970, in UTC unless the text names a zone; `undefined` for what is not understood. */
export function parseTime(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim()
  const [, seconds] = /^@(-?\d+(?:\.\d+)?)$/.exec(trimmed) ?? []
  if (seconds !== undefined) return Number(seconds) * 1000
  const midnight = Math.floor(nowMs / dayMs) * dayMs
  const reading: Reading = {
    dayMs: midnight,
    clockMs: undefined,
    hasDate: false,
    zoneMs: 0,
    steps: { months: 0, ms: 0 },
    weekday: undefined,
  }
  let rest = trimmed.toLowerCase()
  // Each turn takes at least one character.
  while (rest !== '') {
    const length = readPart(rest, reading)
    if (length === 0) return undefined
    rest = rest.slice(length).replace(/^[\s,]+/, '')
  }
  const keepsClock = reading.clockMs === undefined && !reading.hasDate && reading.weekday === undefined
  const clockMs = reading.clockMs ?? (keepsClock && trimmed !== '' ? nowMs - midnight : 0)
  let day = reading.dayMs
  if (reading.weekday !== undefined) {
    const { index, weeks } = reading.weekday
    const ahead = (index - new Date(day).getUTCDay() + 7) % 7
    // "next monday" on a Monday is in a week, "monday" is today.
    day += (ahead + (weeks > 0 && ahead > 0 ? weeks - 1 : weeks) * 7) * dayMs
  }
  return addMonths(day, reading.steps.months) + clockMs + reading.steps.ms - reading.zoneMs
}

/** How much of `text` was understood. */
function readPart(text: string, reading: Reading): number {
  for (const [pattern, read] of parts) {
    const found = pattern.exec(text)
    if (found !== null && read(found, reading)) return found[0].length
  }
  return 0
}

type Part = readonly [pattern: RegExp, read: (found: RegExpExecArray, reading: Reading) => boolean]

const parts: readonly Part[] = [
  [
    /^(\d{4})-(\d\d?)-(\d\d?)(?=$|[\st])t?/,
    ([, year, month, day], reading) => setDate(reading, Number(year), Number(month), Number(day)),
  ],
  [/^(\d{4})(\d\d)(\d\d)(?=$|\s)/, ([, year, month, day], reading) => setDate(reading, Number(year), Number(month), Number(day))],
  [
    /^(\d\d?)\/(\d\d?)\/(\d{4})(?=$|\s)/,
    ([, month, day, year], reading) => setDate(reading, Number(year), Number(month), Number(day)),
  ],
  [
    /^(\d\d?)[\s-]([a-z]{3})[a-z]*[\s-](\d{4})(?=$|\s)/,
    ([, day, month = '', year], reading) => setDate(reading, Number(year), months.indexOf(month) + 1, Number(day)),
  ],
  [
    /^([a-z]{3})[a-z]*\.?\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(\d{4})(?=$|\s)/,
    ([, month = '', day, year], reading) => setDate(reading, Number(year), months.indexOf(month) + 1, Number(day)),
  ],
  [
    /^(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*([ap]m)?(?=$|[\sz+-])/,
    ([, hour, minute, second = '0', fraction = '', half], reading) => {
      const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
      if (hours > 23 || Number(minute) > 59 || Number(second) > 60 || reading.clockMs !== undefined) return false
      reading.clockMs = ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(`0.${fraction || '0'}`) * 1000
      return true
    },
  ],
  [
    /^(\d\d?)\s*([ap]m)(?=$|\s)/,
    ([, hour, half], reading) => {
      reading.clockMs = ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 3_600_000
      return Number(hour) <= 12
    },
  ],
  [/^(?:z|utc|gmt)(?=$|\s)/, () => true],
  [
    /^([+-])(\d\d):?(\d\d)(?=$|\s)/,
    ([, sign, hours, minutes], reading) => {
      if (reading.clockMs === undefined) return false
      reading.zoneMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
      return true
    },
  ],
  [/^(?:now|today)(?=$|\s)/, () => true],
  [
    /^(yesterday|tomorrow)(?=$|\s)/,
    ([, word], reading) => {
      reading.steps.ms += word === 'yesterday' ? -dayMs : dayMs
      return true
    },
  ],
  [
    /^([+-]?\s*\d+|an?|next|last)\s*(sec|second|min|minute|hour|day|week|fortnight|month|year)s?(\s+ago)?(?=$|\s|[+-])/,
    ([, amount = '', unit = '', ago], reading) => step(reading, countOf(amount) * (ago === undefined ? 1 : -1), unit),
  ],
  [
    /^(next|last|this)?\s*(sun|mon|tue|wed|thu|fri|sat)(?:day|sday|nesday|rsday|urday|s|rs|nes)?\.?(?=$|[\s,])/,
    ([, which, name = ''], reading) => {
      reading.weekday = { index: weekdays.indexOf(name), weeks: which === 'next' ? 1 : which === 'last' ? -1 : 0 }
      return true
    },
  ],
]

function setDate(reading: Reading, year: number, month: number, day: number): boolean {
  const time = Date.UTC(year, month - 1, day)
  const date = new Date(time)
  // The 31st of February is none.
  if (reading.hasDate || month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return false
  reading.dayMs = time
  reading.hasDate = true
  return true
}

function countOf(amount: string): number {
  if (amount === 'last') return -1
  return /^(?:an?|next)$/.test(amount) ? 1 : Number(amount.replace(/\s/g, ''))
}

function step({ steps }: Reading, count: number, unit: string): boolean {
  if (unit === 'month' || unit === 'year') steps.months += count * (unit === 'year' ? 12 : 1)
  else steps.ms += count * (unitWords[unit] ?? 0) * 1000
  return true
}

/** A day that the month does not have is one of the next, as GNU's counts. */
function addMonths(time: number, count: number): number {
  if (count === 0) return time
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, date.getUTCDate())
}
