// Which bytes may be the first, second, … of a match: for a search that skips (class-window.ts).

import { unreachable } from '../../core/errors.ts'
import { maxAscii } from '../regex/code-points.ts'
import type { ClassExpression, Node } from '../regex/syntax.ts'
import { holdsCodePoint } from './class-test.ts'
import { compileProgram, matchIndex } from './program.ts'

export const maxPlaces = 16
const maxInstructions = 400

/** A table of 256 for each position, as long as every match reaches it and is ASCII up to there. May be empty. */
export function firstPlacesOf(node: Node): readonly Uint8Array[] {
  const { instructions, sets, start } = compileProgram(node)
  if (instructions.length > maxInstructions) return []
  const tables = sets.map(tableOf)
  const places: Uint8Array[] = []
  let reached = new Set([start])
  while (places.length < maxPlaces) {
    const place = new Uint8Array(256)
    const next = new Set<number>()
    // Iterating over a set includes elements that are added meanwhile.
    for (const index of reached) {
      const instruction = instructions[index]
      if (index === matchIndex || instruction === undefined || instruction.kind === 'match') return places
      if (instruction.kind === 'split') reached.add(instruction.next).add(instruction.other)
      else if (instruction.kind === 'assertion' || instruction.kind === 'save') reached.add(instruction.next)
      else {
        const table = tables[instruction.set]
        if (table === undefined) return places
        for (let byte = 0; byte < 128; byte++) if (table[byte] === 1) place[byte] = 1
        next.add(instruction.next)
      }
    }
    places.push(place)
    reached = next
  }
  return places
}

/** The bytes of a set as a table of 256; `undefined` for one with non-ASCII characters or invalid bytes, which differ in length. */
export function tableOf(set: ClassExpression): Uint8Array | undefined {
  if (mayHoldForeign(set)) return undefined
  return Uint8Array.from({ length: 256 }, (_, byte) => (byte < 128 && holdsCodePoint(set, byte) ? 1 : 0))
}

/** Whether a non-ASCII character may be in it; true if that is not certain. */
function mayHoldForeign(set: ClassExpression): boolean {
  switch (set.kind) {
    case 'ranges':
      return (set.ranges.at(-1) ?? 0) > maxAscii
    case 'named':
      return set.classSource.includes('\\p')
    case 'ascii-folded':
      return mayHoldForeign(set.of)
    case 'folded':
      // Two non-ASCII letters fold to `k` and `s`.
      return mayHoldForeign(set.of) || ['k', 'K', 's', 'S'].some(letter => holdsCodePoint(set.of, letter.charCodeAt(0)))
    case 'not':
      return true
    case 'union':
      return set.of.some(mayHoldForeign)
    case 'intersection':
      return mayHoldForeign(set.left) && mayHoldForeign(set.right)
    case 'difference':
      return mayHoldForeign(set.left)
    case 'symmetric-difference':
      return mayHoldForeign(set.left) || mayHoldForeign(set.right)
    default:
      return unreachable(set)
  }
}
