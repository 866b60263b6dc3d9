// Which adjacent bytes every match contains, at any position: for `[A-Z]{3,}_[0-9]+x` three capitals, an underscore and a digit. A search
// that skips looks for them if the first characters of a match are common (class-window.ts).

import type { Node } from '../regex/syntax.ts'
import { maxPlaces, tableOf } from './first-places.ts'

/** Between two of them, a match may contain anything. */
const gap = undefined
type Item = Uint8Array | typeof gap

const maxItems = 200

/** Runs of tables of 256, one for each position. Every match contains all runs; each is ASCII. */
export function requiredPlacesOf(node: Node): readonly (readonly Uint8Array[])[] {
  const runs: Uint8Array[][] = []
  let run: Uint8Array[] = []
  for (const item of itemsOf(node)) {
    if (item === gap) {
      if (run.length > 0) runs.push(run)
      run = []
    } else if (run.length < maxPlaces) run.push(item)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

function itemsOf(node: Node): readonly Item[] {
  switch (node.kind) {
    case 'assertion':
      return []
    case 'character':
    case 'class':
      return [tableOf(setOf(node))]
    case 'capture':
      return itemsOf(node.node)
    case 'sequence':
      return limited(node.parts.flatMap(itemsOf))
    case 'alternatives':
      return [gap]
    case 'repeat': {
      if (node.min === 0) return [gap]
      const once = itemsOf(node.node)
      const least = limited(Array.from({ length: Math.min(node.min, maxPlaces) }, () => once).flat())
      // The first copies follow the part before the repetition, and the last copies precede the part after it.
      return node.max === node.min && node.min <= maxPlaces ? least : [...least, gap, ...least]
    }
  }
}

function setOf(node: Extract<Node, { kind: 'character' | 'class' }>): Parameters<typeof tableOf>[0] {
  if (node.kind === 'class') return node.set
  const set = { kind: 'ranges', ranges: [node.codePoint, node.codePoint] } as const
  return node.isFolded ? { kind: 'folded', of: set } : set
}

function limited(items: readonly Item[]): readonly Item[] {
  return items.length <= maxItems ? items : [...items.slice(0, maxItems), gap]
}
