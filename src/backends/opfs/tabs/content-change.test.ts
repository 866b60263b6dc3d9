// What a follower sends of a content that was changed: only what a write at a position or an append changed.
import { expect, test } from 'vitest'
import { sameBytes } from '../../../core/same-bytes.ts'
import { forSeeds } from '../../../testing/random.ts'
import { overwritten, patchedContent } from '../../../vfs/patch.ts'
import { appended, copied, packed } from '../../../vfs/tree/content.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { changeBetween } from './content-change.ts'

const filled = (sizeBytes: number, byte: number): Uint8Array => new Uint8Array(sizeBytes).fill(byte)

test('a change makes the later content from the earlier one, and is as long as what was written', async () => {
  let changes = 0
  await forSeeds(20, random => {
    let content: FileContent = packed(filled(random.below(200_000), 1))
    for (let count = 0; count < 60; count++) {
      const before = content
      const data = filled(random.below(random.chance(0.1) ? 150_000 : 2_000), random.below(256))
      const at = random.below(before.length + 1)
      if (random.chance(0.1)) content = copied(data)
      else if (random.chance(0.4)) content = appended(before, data)
      else content = patchedContent(before, data, at)
      const change = changeBetween(before, content)
      if (change === undefined) continue
      changes++
      expect(change.bytes.length).toBeLessThanOrEqual(data.length)
      expect(sameBytes(overwritten(before.slice(), change.bytes, change.at), content.slice())).toBe(true)
    }
  })
  expect(changes).toBeGreaterThan(300)
})

test('a content that was given whole is sent whole, because it may replace one that is damaged', () => {
  const before = patchedContent(filled(200_000, 1), filled(1, 2), 5)
  expect(changeBetween(before, copied(before.slice()))).toBeUndefined()
})

test('of many small writes in a large file, each but the first is sent as what it writes', () => {
  let content = patchedContent(filled(1_000_000, 1), filled(10, 2), 0)
  for (let at = 0; at < 1_000_000; at += 99_999) {
    const next = patchedContent(content, filled(10, (at % 100) + 3), at)
    expect(changeBetween(content, next)).toEqual({ at, bytes: filled(10, (at % 100) + 3) })
    content = next
  }
})
