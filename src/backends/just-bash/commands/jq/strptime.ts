// Parses a time by a format, as C's strptime does; the result is in UTC.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const composites: Readonly<Record<string, string>> = {
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  T: '%H:%M:%S',
  c: '%a %b %e %H:%M:%S %Y',
}

const shapes: Readonly<Record<string, RegExp>> = {
  Y: /^([+-]?\d{1,4})/,
  y: /^(\d{1,2})/,
  m: /^(\d{1,2})/,
  d: /^ ?(\d{1,2})/,
  e: /^ ?(\d{1,2})/,
  H: /^(\d{1,2})/,
  I: /^(\d{1,2})/,
  M: /^(\d{1,2})/,
  S: /^(\d{1,2})/,
  j: /^(\d{1,3})/,
  s: /^(-?\d+)/,
  p: /^([AaPp][Mm])/,
  Z: /^([A-Za-z]+)/,
  z: /^(Z|[+-]\d\d:?\d\d)/,
  a: /^([A-Za-z]{3,9})/,
  A: /^([A-Za-z]{3,9})/,
  b: /^([A-Za-z]{3,9})/,
  B: /^([A-Za-z]{3,9})/,
  h: /^([A-Za-z]{3,9})/,
}

/** Seconds since 1970, or `undefined` if `text` does not match `format`. */
export function parseTimeBy(text: string, format: string): number | undefined {
  const found: Record<string, string> = {}
  const whole = format.replace(/%([DFRTc])/g, (_, letter: string) => composites[letter] ?? '')
  let rest = text
  for (let at = 0; at < whole.length; at++) {
    const character = whole.charAt(at)
    if (character !== '%') {
      if (/\s/.test(character)) rest = rest.trimStart()
      else if (rest.startsWith(character)) rest = rest.slice(1)
      else return undefined
      continue
    }
    at += 1
    const letter = whole.charAt(at)
    const [all, value = ''] = shapes[letter]?.exec(rest) ?? (letter === '%' && rest.startsWith('%') ? ['%'] : [])
    if (all === undefined) return undefined
    found[letter] = value
    rest = rest.slice(all.length)
  }
  return rest === '' ? secondsOf(found) : undefined
}

function secondsOf(found: Readonly<Record<string, string>>): number | undefined {
  if (found['s'] !== undefined) return Number(found['s'])
  const named = (found['b'] ?? found['B'] ?? found['h'])?.slice(0, 3).toLowerCase()
  const month = named === undefined ? Number(found['m'] ?? 1) - 1 : months.indexOf(named)
  if (month < 0 || month > 11) return undefined
  const short = Number(found['y'] ?? 0)
  const year =
    found['Y'] === undefined ? (found['y'] === undefined ? 1900 : short + (short < 69 ? 2000 : 1900)) : Number(found['Y'])
  const day = Number(found['d'] ?? found['e'] ?? 1)
  const isAfternoon = found['p']?.toLowerCase() === 'pm'
  const hour = found['I'] === undefined ? Number(found['H'] ?? 0) : (Number(found['I']) % 12) + (isAfternoon ? 12 : 0)
  const [minute, second] = [Number(found['M'] ?? 0), Number(found['S'] ?? 0)]
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 61) return undefined
  const ofYear = found['j'] === undefined ? undefined : Number(found['j'])
  // As in C, the zone offset is parsed but ignored.
  return (
    (ofYear === undefined ? Date.UTC(year, month, day, hour, minute, second) : Date.UTC(year, 0, ofYear, hour, minute, second)) /
    1000
  )
}
