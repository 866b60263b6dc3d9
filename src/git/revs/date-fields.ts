// The parts of a date while git's rules read them. A part that is not known is -1. Months count from 0.

export interface DateFields {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const tenDaysSeconds = 864_000

export function unknownFields(): DateFields {
  return { year: -1, month: -1, day: -1, hour: -1, minute: -1, second: -1 }
}

export function fieldsOf(time: number): DateFields {
  const date = new Date(time * 1000)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  }
}

/** Seconds since the epoch. Days that a month does not have are days of the next one. */
export function timeOf({ year, month, day, hour, minute, second }: DateFields): number {
  return Date.UTC(year, month, day, hour, minute, second) / 1000
}

/** `undefined` unless every part is known. */
export function exactTimeOf(fields: DateFields): number | undefined {
  const { year, month, hour, minute, second } = fields
  if (year < 1970 || year > 2099 || month < 0 || month > 11 || hour < 0 || minute < 0 || second < 0) return undefined
  return timeOf(fields)
}

/** The length of the part of `text` from `at` on that is a beginning of `word`, in any case; 0 if another letter or digit follows. */
export function matchedLength(text: string, at: number, word: string): number {
  for (let length = 0; ; length++) {
    const given = text[at + length]
    if (given === undefined) return length
    if (given.toLowerCase() === word[length]?.toLowerCase()) continue
    return /[A-Za-z0-9]/.test(given) ? 0 : length
  }
}

/** The digits at a place of a text: their value, and where they end. */
export function digitsAt(text: string, at: number): { readonly value: number; readonly end: number } {
  let end = at
  while (isDigit(text[end])) end++
  return { value: Number(text.slice(at, end)), end }
}

export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

export function setTime(fields: DateFields, hour: number, minute: number, second: number): boolean {
  if (hour > 24 || minute > 59 || second > 60) return false
  Object.assign(fields, { hour, minute, second })
  return true
}

/** `latest`: the date may be at most ten days after it, and a missing year is that of this time. An invalid year is refused, but month and day stay set, as in git. */
export function setDate(fields: DateFields, year: number, month: number, day: number, latest?: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > 31) return false
  const changed = latest === undefined ? fields : { ...fields }
  changed.month = month - 1
  changed.day = day
  if (year === -1) {
    if (latest === undefined) return false
    changed.year = fieldsOf(latest).year
  } else if (year >= 1970 && year < 2100) changed.year = year
  else if (year > 70 && year < 100) changed.year = 1900 + year
  else if (year < 38) changed.year = 2000 + year
  else return false
  if (latest === undefined) return true
  const time = exactTimeOf(changed)
  if (time !== undefined && latest + tenDaysSeconds < time) return false
  Object.assign(fields, changed, year === -1 ? { year: fields.year } : {})
  return true
}

/** Two or three numbers that the same character divides, such as `10:30` or `2021-06-10`. Returns where they end; `undefined` if they are none. */
export function readNumberGroup(
  text: string,
  first: { readonly value: number; readonly end: number },
  fields: DateFields,
  now: number,
): number | undefined {
  const mark = text[first.end] ?? ''
  if (!':./-'.includes(mark) || mark === '' || !isDigit(text[first.end + 1])) return undefined
  const second = digitsAt(text, first.end + 1)
  const hasThird = text[second.end] === mark && isDigit(text[second.end + 1])
  const third = hasThird ? digitsAt(text, second.end + 1) : { value: -1, end: second.end }
  const [one, two, three] = [first.value, second.value, third.value]
  if (mark === ':') {
    if (!setTime(fields, one, two, Math.max(0, three))) return undefined
    const hasFraction = text[third.end] === '.' && isDigit(text[third.end + 1])
    const isDateKnown = fields.year !== -1 && fields.month !== -1 && fields.day !== -1
    return hasFraction && isDateKnown ? digitsAt(text, third.end + 1).end : third.end
  }
  const isRead =
    (one > 70 && (setDate(fields, one, two, three) || setDate(fields, one, three, two))) ||
    (mark !== '.' && setDate(fields, three, one, two, now)) ||
    setDate(fields, three, two, one, now) ||
    (mark === '.' && setDate(fields, three, one, two, now))
  return isRead ? third.end : undefined
}
