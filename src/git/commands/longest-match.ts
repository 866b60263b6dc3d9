// The longest match that begins at a place. The C library takes it where JavaScript takes the first alternative that fits.

/** The ends of all matches that begin at these places. */
type Ends = (line: string, starts: ReadonlySet<number>) => ReadonlySet<number>

/** A character, a class, a place, or a sign between them, as `posixPattern` writes them. */
const token = /\(\?:\\\d\)|\(\?<?[!=](?:\[[^\]]*\]|\\.|[^)])*\)|\[(?:\\.|[^\]\\])*\]|\{\d+,?\d*\}|\(\?:|\\.|[^]/g
const repetition = /^(?:[*+?]|\{\d+,?\d*\})$/

/**
 * The function that finds where the longest match ends. Nothing if the first match is the longest, and for a pattern that refers to
 * its groups.
 */
export function longestMatch(pattern: RegExp): ((line: string, start: number) => number) | undefined {
  const tokens: readonly string[] = pattern.source.match(token) ?? []
  const isFirstLongest = !tokens.includes('|') && tokens.filter(text => repetition.test(text)).length < 2
  if (isFirstLongest || tokens.some(text => /^\(\?:\\\d\)$/.test(text))) return undefined
  const ends = readAlternatives(tokens, { at: 0 }, pattern.flags)
  return (line, start) => {
    let longest = -1
    for (const end of ends(line, new Set([start]))) longest = Math.max(longest, end)
    return longest
  }
}

function readAlternatives(tokens: readonly string[], reader: { at: number }, flags: string): Ends {
  const branches = [readSequence(tokens, reader, flags)]
  while (tokens[reader.at] === '|') {
    reader.at++
    branches.push(readSequence(tokens, reader, flags))
  }
  const [only] = branches
  if (branches.length === 1 && only !== undefined) return only
  return (line, starts) => new Set(branches.flatMap(branch => [...branch(line, starts)]))
}

function readSequence(tokens: readonly string[], reader: { at: number }, flags: string): Ends {
  const parts: Ends[] = []
  for (let text = tokens[reader.at]; text !== undefined && text !== '|' && text !== ')'; text = tokens[reader.at]) {
    reader.at++
    let part: Ends
    if (text === '(' || text === '(?:') {
      part = readAlternatives(tokens, reader, flags)
      reader.at++
    } else part = one(new RegExp(text, flags.replace('g', 'y')))
    for (let sign = tokens[reader.at]; sign !== undefined && repetition.test(sign); sign = tokens[reader.at]) {
      reader.at++
      part = repeated(part, ...timesOf(sign))
    }
    parts.push(part)
  }
  return (line, starts) => parts.reduce((places, part) => part(line, places), starts)
}

/** A character that fits, or a place. */
function one(pattern: RegExp): Ends {
  return (line, starts) => {
    const ends = new Set<number>()
    for (const start of starts) {
      pattern.lastIndex = start
      if (pattern.test(line)) ends.add(pattern.lastIndex)
    }
    return ends
  }
}

function timesOf(sign: string): readonly [least: number, most: number] {
  const [least = '', most] = sign.slice(1, -1).split(',')
  if (sign.startsWith('{')) return [Number(least), most === undefined ? Number(least) : most === '' ? Infinity : Number(most)]
  return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
}

function repeated(part: Ends, least: number, most: number): Ends {
  return (line, starts) => {
    let places = starts
    for (let count = 0; count < least && places.size > 0; count++) places = part(line, places)
    const ends = new Set(places)
    for (let count = least; count < most && places.size > 0; count++) {
      places = new Set([...part(line, places)].filter(place => !ends.has(place)))
      for (const place of places) ends.add(place)
    }
    return ends
  }
}
