// Times in the words of strftime.

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `timeZone`: as in the variable TZ; UTC where there is none. */
export function formatDate(format: string, seconds: number, timeZone: string | undefined): string {
  const offsetMinutes = offsetOf(seconds, timeZone)
  const date = new Date((seconds + offsetMinutes * 60) * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const year = date.getUTCFullYear()
  const dayOfYear = Math.floor((Date.UTC(year, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(year, 0, 1)) / 86_400_000) + 1
  const hour12 = date.getUTCHours() % 12 === 0 ? 12 : date.getUTCHours() % 12
  const shown: Readonly<Record<string, () => string>> = {
    a: () => (days[date.getUTCDay()] ?? '').slice(0, 3),
    A: () => days[date.getUTCDay()] ?? '',
    b: () => (months[date.getUTCMonth()] ?? '').slice(0, 3),
    h: () => (months[date.getUTCMonth()] ?? '').slice(0, 3),
    B: () => months[date.getUTCMonth()] ?? '',
    C: () => two(Math.floor(year / 100)),
    d: () => two(date.getUTCDate()),
    e: () => String(date.getUTCDate()).padStart(2),
    H: () => two(date.getUTCHours()),
    I: () => two(hour12),
    j: () => String(dayOfYear).padStart(3, '0'),
    k: () => String(date.getUTCHours()).padStart(2),
    l: () => String(hour12).padStart(2),
    m: () => two(date.getUTCMonth() + 1),
    M: () => two(date.getUTCMinutes()),
    n: () => '\n',
    N: () => String(Math.floor((seconds % 1) * 1e9)).padStart(9, '0'),
    p: () => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
    P: () => (date.getUTCHours() < 12 ? 'am' : 'pm'),
    s: () => String(Math.floor(seconds)),
    S: () => two(date.getUTCSeconds()),
    t: () => '\t',
    u: () => String(date.getUTCDay() || 7),
    w: () => String(date.getUTCDay()),
    y: () => two(year % 100),
    Y: () => String(year),
    z: () =>
      `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offsetMinutes) / 60))}${two(Math.abs(offsetMinutes) % 60)}`,
    Z: () => (timeZone === undefined || timeZone === '' || offsetMinutes === 0 ? 'UTC' : timeZone),
    '%': () => '%',
  }
  const long: Readonly<Record<string, string>> = {
    c: '%a %b %e %H:%M:%S %Y',
    D: '%m/%d/%y',
    F: '%Y-%m-%d',
    r: '%I:%M:%S %p',
    R: '%H:%M',
    T: '%H:%M:%S',
    x: '%m/%d/%y',
    X: '%H:%M:%S',
  }
  const expanded = format.replace(/%([cDFrRTxX])/g, (_, letter: string) => long[letter] ?? '')
  return expanded.replace(/%([-0^_]?)([A-Za-z%])/g, (all, flag: string, letter: string) => {
    const text = shown[letter]?.()
    if (text === undefined) return all
    if (flag === '-') return text.replace(/^[0 ]+(?=.)/, '')
    return flag === '^' ? text.toUpperCase() : flag === '_' ? text.replace(/^0+(?=.)/, zeros => ' '.repeat(zeros.length)) : text
  })
}

function offsetOf(seconds: number, timeZone: string | undefined): number {
  if (timeZone === undefined || timeZone === '' || timeZone.startsWith('UTC')) return 0
  try {
    const date = new Date(Math.floor(seconds) * 1000)
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(date)
    const value = (kind: string): number => Number(parts.find(({ type }) => type === kind)?.value ?? 0)
    const local = Date.UTC(value('year'), value('month') - 1, value('day'), value('hour'), value('minute'), value('second'))
    return Math.round((local - date.getTime()) / 60_000)
  } catch {
    // No zone of that name: UTC, as the C library does.
    return 0
  }
}
