// Most patterns that are written are so plain that JavaScript's own engine, which takes the first way, finds the longest match too.

import type { CharacterSet } from './character-set.ts'
import { intersects } from './character-set.ts'
import type { Assertion, Node } from './syntax.ts'

export interface NativePattern {
  /** With the flags d and y or g: see regex.ts. */
  readonly source: string
  /** How many parts may give characters back: what the time grows with. */
  readonly looseParts: number
}

/**
 * A JavaScript pattern with the same matches, or `undefined` where that is not certain.
 *
 * It is certain for a sequence of single characters, each repeated or not: were there a longer way, it would part from the greedy one
 * where it passes over a part that could take a character, and the greedy way could take the same characters later. It is certain too
 * for alternatives of fixed length of which no two can match at one place, as long as what stands before them has a fixed length.
 */
export function toNative(node: Node): NativePattern | undefined {
  const writer = new Writer()
  const source = writer.write(node)
  return source === undefined ? undefined : { source, looseParts: writer.looseParts }
}

class Writer {
  looseParts = 0
  private isFixed = true

  write(node: Node): string | undefined {
    switch (node.kind) {
      case 'empty':
        return ''
      case 'set':
        return setSource(node.set)
      case 'assertion':
        return assertionSources[node.assertion]
      case 'sequence': {
        const parts = node.nodes.map(part => this.write(part))
        return parts.includes(undefined) ? undefined : parts.join('')
      }
      case 'group': {
        const inside = this.write(node.node)
        return inside === undefined ? undefined : `(${inside})`
      }
      case 'repeat': {
        if (node.node.kind !== 'set' || node.mode !== 'greedy' || node.min > 1000) return undefined
        if (node.min !== node.max) {
          this.isFixed = false
          this.looseParts += node.max === Number.POSITIVE_INFINITY || node.max > 8 ? 1 : 0
        }
        return setSource(node.node.set) + quantifier(node.min, node.max)
      }
      case 'alternation': {
        if (!this.isFixed || !areApart(node.nodes)) return undefined
        const parts = node.nodes.map(part => this.write(part))
        // They may be of different lengths, so what follows them begins at different places: but only one of them can match.
        return parts.includes(undefined) ? undefined : `(?:${parts.join('|')})`
      }
      default:
        return undefined
    }
  }
}

function quantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

/** Each a sequence of single characters, and no two of them match at the same place. */
function areApart(nodes: readonly Node[]): boolean {
  const fixed = nodes.map(fixedSets)
  return fixed.every(
    (one, index) => one !== undefined && fixed.slice(index + 1).every(other => other !== undefined && differ(one, other)),
  )
}

function fixedSets(node: Node): readonly CharacterSet[] | undefined {
  if (node.kind === 'set') return [node.set]
  if (node.kind !== 'sequence') return undefined
  const sets = node.nodes.map(part => (part.kind === 'set' ? part.set : undefined))
  return sets.every(set => set !== undefined) ? sets : undefined
}

function differ(one: readonly CharacterSet[], other: readonly CharacterSet[]): boolean {
  return one.some((set, index) => {
    const against = other[index]
    return against !== undefined && !intersects(set, against)
  })
}

const word = String.raw`[\p{L}\p{Nd}\p{Nl}\p{M}_]`
const assertionSources: Partial<Readonly<Record<Assertion, string>>> = {
  'text-start': '^',
  'text-end': '$',
  'line-start': String.raw`(?<![^\n])`,
  'perl-line-start': String.raw`(?<![^\n])(?<!\n$)`,
  'line-end': String.raw`(?![^\n])`,
  'word-boundary': `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
  'not-word-boundary': `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  'word-start': `(?<!${word})(?=${word})`,
  'word-end': `(?<=${word})(?!${word})`,
  'no-word-before': `(?<!${word})`,
  'no-word-behind': `(?!${word})`,
}

function setSource(set: CharacterSet): string {
  if (set.length === 2 && set[0] === set[1]) return escaped(set[0] ?? 0)
  if (set.length === 0) return '[]'
  let source = ''
  for (let at = 0; at < set.length; at += 2) {
    const [low = 0, high = 0] = [set[at], set[at + 1]]
    source += low === high ? escaped(low) : `${escaped(low)}-${escaped(high)}`
  }
  return `[${source}]`
}

function escaped(codePoint: number): string {
  const isPlain =
    (codePoint >= 48 && codePoint <= 57) || (codePoint >= 65 && codePoint <= 90) || (codePoint >= 97 && codePoint <= 122)
  return isPlain ? String.fromCharCode(codePoint) : `\\u{${codePoint.toString(16)}}`
}
