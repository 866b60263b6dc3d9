// Runs one stream of operations on the oracle and on a subject until they differ, and then shortens the stream to what the difference
// needs.

import { rootPath } from '../../core/path.ts'
import type { EntryKind, VfsBackend } from '../../vfs/backend.ts'
import { createRandom } from '../random.ts'
import { type Operation, print, randomOperation, type Step } from './operation.ts'
import { createOracle, rootMode } from './oracle.ts'
import { perform, treeOf } from './subject.ts'

export interface Subject {
  readonly name: string
  open(): VfsBackend
  readonly differences?: readonly KnownDifference[]
}

/** Declared and strict: if the streams no longer differ, the declaration must be removed. */
export interface KnownDifference {
  readonly why: string
  /** Whether a step meets it; `kind` is the entry at its path. Such steps are left out of random streams. */
  isMetBy(step: Step, kind: EntryKind | undefined): boolean
  readonly stream: readonly Operation[]
}

/** Steps between two comparisons of the whole tree. */
const treeEvery = 25

export interface Outcome {
  readonly performed: number
  /** Steps that were left out because the oracle's directory is not a root. */
  readonly skipped: number
  readonly refused: number
}

interface Difference {
  readonly index: number
  readonly text: string
}

export function randomStream(seed: number, length: number): readonly Operation[] {
  const random = createRandom(seed)
  return Array.from({ length }, () => randomOperation(random))
}

/** Throws with the shortest stream that still differs, ready to become a row. */
export async function compare(subject: Subject, operations: readonly Operation[], label: string): Promise<Outcome> {
  const found = await play(subject, operations)
  if (!('text' in found)) return found
  const shortest = await shrink(subject, operations.slice(0, found.index + 1))
  const last = await play(subject, shortest)
  const text = 'text' in last ? last.text : found.text
  throw new Error(`${label}: ${subject.name} differs from the system\n${text}\nafter\n${print(shortest)}`)
}

async function play(subject: Subject, operations: readonly Operation[]): Promise<Outcome | Difference> {
  const { differences = [] } = subject
  const oracle = createOracle((step, kind) => differences.some(difference => difference.isMetBy(step, kind)))
  const fs = subject.open()
  const counts = { performed: 0, skipped: 0, refused: 0 }
  try {
    await fs.setattr(rootPath, { mode: rootMode })
    for (const [index, operation] of operations.entries()) {
      const expected = oracle.perform(operation)
      if (expected === undefined) {
        counts.skipped++
        continue
      }
      const answer = await perform(fs, expected.operation, index % 2 === 0)
      counts.performed++
      if (/^E[A-Z]+$/.test(answer)) counts.refused++
      if (answer !== expected.answer) {
        return { index, text: `${JSON.stringify(operation)}\n  gives  ${answer}\n  should ${expected.answer}` }
      }
      if (index % treeEvery !== treeEvery - 1 && index !== operations.length - 1) continue
      const [is, should] = [await treeOf(fs), oracle.tree()]
      if (is !== should) return { index, text: `the tree is\n${is}\nand should be\n${should}` }
    }
    return counts
  } finally {
    await fs.close()
    oracle.close()
  }
}

/** Removes smaller and smaller parts, as long as the rest still differs. */
async function shrink(subject: Subject, operations: readonly Operation[]): Promise<readonly Operation[]> {
  let shortest = operations
  for (let size = shortest.length >> 1; size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let start = 0; start < shortest.length;) {
      const without = [...shortest.slice(0, start), ...shortest.slice(start + size)]
      if (without.length > 0 && 'text' in (await play(subject, without))) shortest = without
      else start += size
    }
  }
  return shortest
}
