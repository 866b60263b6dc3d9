// Our filesystems compared with the operating system's.
import { describe, expect, test } from 'vitest'
import { found } from './found.ts'
import { compare, randomStream } from './run.ts'
import { subjects } from './subjects.ts'
import { seeds } from '../depth.ts'

const count = seeds({ quick: 1, deep: 60 })
const operations = 200

describe.each(subjects)('$name', subject => {
  test(`${count} seeds, ${operations} operations each`, { timeout: 3_600_000 }, async () => {
    const total = { performed: 0, skipped: 0, refused: 0 }
    for (let seed = 1; seed <= count; seed++) {
      const { performed, skipped, refused } = await compare(subject, randomStream(seed, operations), `seed ${seed}`)
      total.performed += performed
      total.skipped += skipped
      total.refused += refused
    }
    console.log(`${subject.name}: ${JSON.stringify(total)}, ${count} seeds`)
    // A stream that mostly fails, or never does, would prove little.
    expect(total.refused / total.performed).toBeGreaterThan(0.3)
    expect(total.refused / total.performed).toBeLessThan(0.8)
  })

  for (const { why, stream } of subject.differences ?? []) {
    test(`differs: ${why}`, async () => {
      await expect(compare({ ...subject, differences: [] }, stream, 'declared')).rejects.toThrow('differs from the system')
    })
  }

  test.each(Object.entries(found))('%s', async (rule, stream) => {
    await compare(subject, stream, rule)
  })
})
