// The guarantee of the log: wherever the power fails, the next mount finds a state that was committed, and no other.
import { expect, test } from 'vitest'
import { seeds, stride } from '../../../testing/depth.ts'
import { createRandom, forSeeds } from '../../../testing/random.ts'
import { everyCut, FakeDisk, lossy } from '../../../testing/opfs/fake-storage.ts'
import { changeLarge, changeSomething, describeTree, recordSession, smallLog } from '../../../testing/opfs/log-session.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { openLog } from './open.ts'

const commitCount = seeds({ quick: 3, deep: 60 })

function mounted(contents: readonly Uint8Array[]): string {
  return describeTree(openLog(new FakeDisk(contents).storage(), smallLog).store.fs)
}

/** Sessions with changes of many files, and of a file in many pieces. Its first commits only make the pieces. */
const sessions = [
  ['many files', changeSomething, 0],
  ['a file in pieces', changeLarge, 30],
] as const

test.each(sessions)('cut at every byte, %s', { timeout: 3_600_000 }, (_name, change, first) => {
  const { disk, states } = recordSession(createRandom(1), first + commitCount, change)
  expect(states.length).toBe(first + commitCount)
  let cuts = 0
  let current = -1
  for (const { writeCount, contents } of everyCut(disk.writes)) {
    while ((states[current + 1]?.writeCount ?? Infinity) <= writeCount) current++
    if (current < first - 1) continue
    cuts++
    // Before the first state is stored, the store may be empty.
    const found = mounted(contents)
    const [before, after] = [states[current]?.tree ?? states[0]?.tree, states[current + 1]?.tree]
    // A commit is complete shortly before it is acknowledged: after its last byte, and before its flush.
    if (found !== before && found !== after) expect(found, `seed 1, write ${writeCount}, cut ${cuts}`).toBe(before)
  }
  expect(cuts).toBeGreaterThan(commitCount * 50)
})

test.each(sessions)('every bit of the last record flipped, %s', (_name, change, first) => {
  const { disk, states } = recordSession(createRandom(2), first + commitCount, change)
  const [last, before] = [states.at(-1), states.at(-2)]
  const write = disk.writes.findLast(found => found.kind === 'append')
  if (last === undefined || before === undefined || write?.kind !== 'append') throw new Error('nothing was recorded')
  const contents = disk.contents()
  const tail = contents[write.file] ?? new Uint8Array()
  expect(mounted(contents)).toBe(last.tree)
  expect(write.offset + write.bytes.length).toBe(tail.length)
  // Opening the store with the large file takes longer.
  const step = first === 0 ? stride({ quick: 17, deep: 1 }) : stride({ quick: 297, deep: 7 })
  for (let bit = write.offset * 8; bit < tail.length * 8; bit += step) {
    const flipped = tail.slice()
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const found = mounted(contents.map((content, index) => (index === write.file ? flipped : content)))
    // A flipped bit in the record is repaired. A flipped bit in the content makes the record incomplete.
    if (found !== before.tree) expect(found, `seed 2, bit ${bit}`).toBe(last.tree)
  }
})

test.each(sessions)('any of the writes that were not flushed lost, %s', async (_name, change, first) => {
  await forSeeds(seeds({ quick: 1, deep: 100 }), (random, seed) => {
    const { disk, states } = recordSession(createRandom(seed), first + 30, change)
    const begin = states[first]?.writeCount ?? 0
    for (let time = 0; time < 20; time++) {
      const writeCount = begin + random.below(disk.writes.length + 1 - begin)
      const found = mounted(lossy(disk.writes.slice(0, writeCount), random))
      const flushed = states.findLastIndex(({ flushedAt }) => flushedAt <= writeCount)
      const index = states.findIndex(({ tree }) => tree === found)
      expect(index, `time ${time}, ${writeCount} writes: an uncommitted state`).toBeGreaterThanOrEqual(0)
      const last = states.findLastIndex(({ tree }) => tree === found)
      expect(last, `time ${time}, ${writeCount} writes: a flushed commit is lost`).toBeGreaterThanOrEqual(flushed)
    }
  })
})

test.each(sessions)('a store that was cut goes on, %s', async (_name, change, first) => {
  await forSeeds(seeds({ quick: 1, deep: 60 }), random => {
    const { disk } = recordSession(random, first + 20, change)
    let contents = lossy(disk.writes.slice(0, random.below(disk.writes.length)), random)
    for (let life = 0; life < 5; life++) {
      const next = new FakeDisk(contents)
      const open = openLog(next.storage(), smallLog)
      for (let count = 10; count > 0; count--) {
        try {
          change(open.store.fs, random)
        } catch (error) {
          if (!isVfsError(error)) throw error
        }
      }
      expect(mounted(next.contents())).toBe(describeTree(open.store.fs))
      contents = next.contents()
    }
  })
})
