// Our filesystems against the operating system's. FUZZ_SEEDS and FUZZ_OPS say how much (1,000 seeds of 200 operations are 200,000),
// FUZZ_FROM where to begin, FUZZ_ONLY which subject.
import { describe, expect, test } from 'vitest'
import { found } from './found.ts'
import { compare, randomStream } from './run.ts'
import { subjects } from './subjects.ts'

const seeds = Number(process.env['FUZZ_SEEDS'] ?? 20)
const operations = Number(process.env['FUZZ_OPS'] ?? 200)
const from = Number(process.env['FUZZ_FROM'] ?? 1)
const only = process.env['FUZZ_ONLY']

describe.each(subjects.filter(({ name }) => only === undefined || only === name))('$name', subject => {
  test(`${seeds} seeds from ${from}, ${operations} operations each`, { timeout: 3_600_000 }, async () => {
    const total = { performed: 0, skipped: 0, refused: 0 }
    for (let seed = from; seed < from + seeds; seed++) {
      const { performed, skipped, refused } = await compare(subject, randomStream(seed, operations), `seed ${seed}`)
      total.performed += performed
      total.skipped += skipped
      total.refused += refused
    }
    console.log(`${subject.name}: ${JSON.stringify(total)}, seeds ${from} to ${from + seeds - 1}`)
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
