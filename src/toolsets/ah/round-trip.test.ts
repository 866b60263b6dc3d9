// Equal lines, and someone else's changes, for edits by unique text. The round trips of all toolsets are in testing/edit-forms.test.ts.

import { expect, it } from 'vitest'

import { repetitiveSource, sourceText, strangersChange, withLines } from '../../testing/line-mutations.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { openToolSession } from '../../testing/tool-session.ts'

it('a text that is there more than once, or no longer, changes nothing; what someone else wrote stays', async () => {
  const session = await openToolSession({}, { name: 'ah' })
  await forSeeds(seeds({ quick: 50, deep: 1000 }), async (random, seed) => {
    // A separate file for each round: what one round has seen must not affect the next.
    const path = `f${seed}`
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
    await session.fs.writeFile(`/workspace/${path}`, text)
    const result = await session.call('edit', { path, old_string: oldText, new_string: 'mine' })
    const isUnique = text.split(oldText).length === 2
    expect(result.isError).toBe(!isUnique)
    expect(await session.file(path)).toBe(isUnique ? text.split(oldText).join('mine') : text)
  })
})
