// Someone else's changes, for edits by text that may be forced. The round trips of all toolsets are in testing/edit-forms.test.ts.

import { expect, it } from 'vitest'

import { repetitiveSource, sourceText, strangersChange, withLines } from '../../testing/line-mutations.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { openToolSession } from '../../testing/tool-session.ts'

it('a file that someone else changed is refused; forced, the first match alone is changed, or every one', async () => {
  const session = await openToolSession({}, { name: 'agsh' })
  await forSeeds(seeds({ quick: 50, deep: 1000 }), async random => {
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
})
