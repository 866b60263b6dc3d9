// Real sources, changed at random by unique text, and by hand beside it. ROUND_TRIPS=2000 for the long run; a failure names its seed.

import { expect, it } from 'vitest'

import {
  mutatedLines,
  randomMutations,
  randomSource,
  repetitiveSource,
  sourceText,
  strangersChange,
  withLines,
} from '../../testing/line-mutations.ts'
import { forSeeds } from '../../testing/random.ts'
import { uniqueEdit } from '../../testing/text-edits.ts'
import { openToolSession } from '../../testing/tool-session.ts'

const rounds = Number(process.env['ROUND_TRIPS'] ?? 500)

it(`${rounds} changes of real sources end in the bytes that were meant`, async () => {
  const session = await openToolSession({}, { name: 'ah' })
  let edits = 0
  await forSeeds(rounds, async random => {
    let source = random.chance(0.3) ? repetitiveSource(random) : randomSource(random, 20_000)
    await session.fs.writeFile('/workspace/f.ts', sourceText(source))
    for (const mutation of randomMutations(random, source, 4).toReversed()) {
      const after = withLines(
        source,
        mutatedLines(source.lines, [mutation], row => row),
      )
      const edit = uniqueEdit(sourceText(source), sourceText(after))
      if (edit === undefined) continue
      await session.text('edit', { path: 'f.ts', old_string: edit.oldText, new_string: edit.newText })
      expect(await session.file('f.ts')).toBe(sourceText(after))
      source = after
      edits++
    }
  })
  expect(edits).toBeGreaterThan(rounds)
}, 600_000)

it('a text that is there more than once, or no longer, changes nothing; what someone else wrote stays', async () => {
  const session = await openToolSession({}, { name: 'ah' })
  await forSeeds(300, async random => {
    const source = repetitiveSource(random)
    const oldText = `${random.pick(source.lines)}${source.ending}`
    const theirs = withLines(
      source,
      strangersChange(
        random,
        source.lines.map(text => ({ text })),
      ).map(line => line.text),
    )
    const text = sourceText(theirs)
    await session.fs.writeFile('/workspace/f', text)
    const result = await session.call('edit', { path: 'f', old_string: oldText, new_string: 'mine' })
    const isUnique = text.split(oldText).length === 2
    expect(result.isError).toBe(!isUnique)
    expect(await session.file('f')).toBe(isUnique ? text.split(oldText).join('mine') : text)
  })
}, 120_000)
