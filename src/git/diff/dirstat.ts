// `--dirstat`: the share of all changes in each directory.

import { GitFailure } from '../errors.ts'
import type { FilePair } from './file-pair.ts'
import { piecesOf } from './similarity.ts'

export interface DirstatSettings {
  /** What to count: moved bytes, lines, or files. */
  readonly by: 'changes' | 'lines' | 'files'
  readonly isCumulative: boolean
  /** Directories below this share are left out, in thousandths. */
  readonly minimum: number
}

/** Reads `files,10,cumulative`; later words win. */
export function readDirstat(texts: readonly string[]): DirstatSettings {
  let settings: DirstatSettings = { by: 'changes', isCumulative: false, minimum: 30 }
  for (const word of texts.flatMap(text => text.split(',')).filter(text => text !== '')) {
    const number = /^(\d+)(?:\.(\d)\d*)?$/.exec(word)
    if (word === 'changes' || word === 'lines' || word === 'files') settings = { ...settings, by: word }
    else if (word === 'cumulative' || word === 'noncumulative') settings = { ...settings, isCumulative: word === 'cumulative' }
    else if (number !== null) settings = { ...settings, minimum: Number(number[1]) * 10 + Number(number[2] ?? 0) }
    else throw new GitFailure(`error: Failed to parse --dirstat/-X option parameter:\n  Unknown dirstat parameter '${word}'`, 129)
  }
  return settings
}

/** Added and removed bytes: those that the other side lacks. */
export function contentDamage(pair: FilePair, before: Uint8Array, after: Uint8Array): number {
  if (pair.before !== undefined && pair.before.oid === pair.after?.oid) return 0
  if (pair.before === undefined) return after.length
  if (pair.after === undefined) return before.length
  const [old, now] = [piecesOf(before), piecesOf(after)]
  let copied = 0
  let added = 0
  for (const [piece, size] of old.pieces) copied += Math.min(size, now.pieces.get(piece) ?? 0)
  for (const [piece, size] of now.pieces) added += Math.max(0, size - (old.pieces.get(piece) ?? 0))
  return before.length - copied + added || 1
}

interface Damage {
  readonly path: string
  readonly amount: number
}

/** The rows, with a directory after its subdirectories. */
export function renderDirstat(damages: readonly Damage[], settings: DirstatSettings): string {
  const total = damages.reduce((sum, { amount }) => sum + amount, 0)
  if (total === 0) return ''
  const rows: string[] = []
  const sorted = damages.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  let at = 0
  const gather = (base: string): number => {
    let sum = 0
    let sources = 0
    for (let own = sorted[at]; own !== undefined && own.path.startsWith(base); own = sorted[at]) {
      const slash = own.path.indexOf('/', base.length)
      if (slash === -1) {
        sum += own.amount
        sources += 2
        at++
      } else {
        sum += gather(own.path.slice(0, slash + 1))
        sources++
      }
    }
    // A directory with only one subdirectory adds no information.
    if (base === '' || sources === 1 || sum === 0) return sum
    const share = Math.floor((sum * 1000) / total)
    if (share < settings.minimum) return sum
    rows.push(`${String(Math.floor(share / 10)).padStart(4)}.${share % 10}% ${base}\n`)
    return settings.isCumulative ? sum : 0
  }
  gather('')
  return rows.join('')
}
