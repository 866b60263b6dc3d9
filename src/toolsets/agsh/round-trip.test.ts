// Real sources, changed at random by their text, and by hand beside it. ROUND_TRIPS=2000 for the long run; a failure names its seed.

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
  const session = await openToolSession({}, { name: 'agsh' })
  let edits = 0
  await forSeeds(rounds, async random => {
    let source = random.chance(0.3) ? repetitiveSource(random) : randomSource(random, 20_000)
    await session.fs.writeFile('/workspace/f.ts', sourceText(source))
    await session.text('read_file', { path: 'f.ts', limit: 1 })
    for (const mutation of randomMutations(random, source, 4).toReversed()) {
      const after = withLines(
        source,
        mutatedLines(source.lines, [mutation], row => row),
      )
      const edit = uniqueEdit(sourceText(source), sourceText(after))
      if (edit === undefined) continue
      await session.text('edit_file', { path: 'f.ts', old_string: edit.oldText, new_string: edit.newText })
      expect(await session.file('f.ts')).toBe(sourceText(after))
      source = after
      edits++
    }
  })
  expect(edits).toBeGreaterThan(rounds)
}, 600_000)

it('a file that someone else changed is refused; forced, the first match alone is changed, or every one', async () => {
  const session = await openToolSession({}, { name: 'agsh' })
  await forSeeds(300, async random => {
    const source = repetitiveSource(random)
    const edit = { path: 'f', old_string: `${random.pick(source.lines)}${source.ending}`, new_string: 'mine' }
    await session.fs.writeFile('/workspace/f', sourceText(source))
    await session.text('read_file', { path: 'f' })
    const theirs = strangersChange(
      random,
      source.lines.map(text => ({ text })),
    )
    const text = sourceText(
      withLines(
        source,
        theirs.map(line => line.text),
      ),
    )
    await session.fs.writeFile('/workspace/f', text)
    expect((await session.failure('edit_file', edit)).code).toBe('file-changed')
    expect(await session.file('f')).toBe(text)

    const replacesAll = random.chance(0.5)
    const at = text.indexOf(edit.old_string)
    const result = await session.call('edit_file', { ...edit, force: true, replace_all: replacesAll })
    expect(result.isError).toBe(at === -1)
    const first = text.slice(0, at) + edit.new_string + text.slice(at + edit.old_string.length)
    const all = text.split(edit.old_string).join(edit.new_string)
    expect(await session.file('f')).toBe(at === -1 ? text : replacesAll ? all : first)
  })
}, 120_000)
