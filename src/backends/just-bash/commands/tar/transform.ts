// --transform: changes the names of members by expressions of sed, `s,from,to,flags`, several of them divided by `;`.

import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError } from '../../regex/syntax.ts'
import { parseReplacement, replaced } from '../sed/replacement.ts'
import type { ReplacementPart } from '../sed/script.ts'

/** What a text names: a member, or the target of a link. */
export type NameKind = 'member' | 'symlink' | 'link'

interface Change {
  readonly regex: Regex
  readonly replacement: readonly ReplacementPart[]
  readonly from: number
  readonly isGlobal: boolean
  readonly kinds: ReadonlySet<NameKind>
}

/** The letter of a flag in upper case excludes what the one in lower case includes. */
const kindOfFlag: Readonly<Record<string, NameKind>> = { r: 'member', s: 'symlink', h: 'link' }

/** Compiles the expressions of all options `--transform`; throws an error that names what is wrong. */
export function transformer(expressions: readonly string[]): (name: string, kind: NameKind) => string {
  // `flags=` also holds for the options behind it.
  const changes = expressions.length === 0 ? [] : changesOf(expressions.join(';'))
  return (name, kind) => changes.reduce((text, change) => (change.kinds.has(kind) ? changed(text, change) : text), name)
}

function changesOf(expression: string): readonly Change[] {
  const changes: Change[] = []
  let kinds = new Set<NameKind>(['member', 'symlink', 'link'])
  let rest = expression
  do {
    const [whole, set] = /^flags=([a-zA-Z]*)(?:;|$)/.exec(rest) ?? []
    if (whole !== undefined) {
      kinds = kindsBy(set ?? '', new Set(), expression)
      rest = rest.slice(whole.length)
      continue
    }
    const parts = partsOf(rest)
    if (parts === undefined) throw new Error(`--transform: '${expression}' is not of the form 's/from/to/flags'`)
    changes.push(changeOf(parts, kinds, expression))
    rest = parts.rest
  } while (rest !== '')
  return changes
}

interface Parts {
  readonly source: string
  readonly written: string
  readonly flags: string
  readonly rest: string
}

function partsOf(text: string): Parts | undefined {
  const delimiter = text.charAt(1)
  if (!text.startsWith('s') || delimiter === '' || delimiter === '\\') return undefined
  const middle = endOfPart(text, 2, delimiter)
  const end = middle === undefined ? undefined : endOfPart(text, middle + 1, delimiter)
  if (middle === undefined || end === undefined) return undefined
  const [flags = ''] = /^[^;]*/.exec(text.slice(end + 1)) ?? []
  return {
    source: text.slice(2, middle),
    written: text.slice(middle + 1, end),
    flags,
    rest: text.slice(end + 1 + flags.length).replace(/^;/, ''),
  }
}

function endOfPart(text: string, start: number, delimiter: string): number | undefined {
  for (let at = start; at < text.length; at++) {
    if (text.charAt(at) === delimiter) return at
    if (text.charAt(at) === '\\') at += 1
  }
  return undefined
}

function changeOf({ source, written, flags }: Parts, kinds: ReadonlySet<NameKind>, expression: string): Change {
  const replacement = parseReplacement(written, false)
  const from = Number(/\d+/.exec(flags)?.[0] ?? 1)
  let regex: Regex
  try {
    regex = posixRegex(source, {
      syntax: flags.includes('x') ? 'extended' : 'basic',
      escapes: 'sed',
      isStrict: true,
      ignoresCase: flags.includes('i'),
      isMultiline: false,
    })
  } catch (error) {
    if (error instanceof PatternError) throw new Error(`--transform: '${expression}': ${error.message}`)
    throw error
  }
  const highest = Math.max(0, ...replacement.map(part => (typeof part === 'object' && 'group' in part ? part.group : 0)))
  if (highest > regex.groupCount) throw new Error(`--transform: '${expression}': there is no group \\${highest}`)
  const ownKinds = kindsBy(flags.replace(/[gix]|\d+/g, ''), kinds, expression)
  return { regex, replacement, from, isGlobal: flags.includes('g'), kinds: ownKinds }
}

function kindsBy(flags: string, before: ReadonlySet<NameKind>, expression: string): Set<NameKind> {
  const kinds = new Set(before)
  for (const flag of flags) {
    const kind = kindOfFlag[flag.toLowerCase()]
    if (kind === undefined)
      throw new Error(`--transform: '${expression}': the flag '${flag}' is not known; known are g i x r s h and a number`)
    if (flag === flag.toLowerCase()) kinds.add(kind)
    else kinds.delete(kind)
  }
  return kinds
}

function changed(text: string, { regex, replacement, from, isGlobal }: Change): string {
  let output = ''
  let count = 0
  let copied = 0
  let lastEnd = -1
  for (let at = 0; at <= text.length;) {
    const places = regex.exec(text, at)
    if (places === undefined) break
    const [start = 0, end = 0] = places
    // An empty match directly after another match does not count.
    if (start !== end || start !== lastEnd) {
      count += 1
      if (count >= from) {
        output += text.slice(copied, start) + replaced(replacement, text, places)
        copied = end
        if (!isGlobal) break
      }
    }
    lastEnd = end
    at = start === end ? end + 1 : end
  }
  return output + text.slice(copied)
}
