// What becomes of line IDs when someone else changes the file. The round trips of all toolsets are in testing/edit-forms.test.ts.

import { expect, it } from 'vitest'

import {
  randomMutations,
  repetitiveSource,
  sourceText,
  strangersChange,
  withLines,
  type LineMutation,
  type SourceText,
} from '../../testing/line-mutations.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { lineIdsOf, openToolSession } from '../../testing/tool-session.ts'

it('a file that someone else changed is never edited by the IDs from before, and those that stay are right', async () => {
  const session = await openToolSession({}, { name: 'rye' })
  await forSeeds(seeds({ quick: 50, deep: 1000 }), async (random, seed) => {
    const source = repetitiveSource(random)
    const path = `f${seed}.txt`
    const lines = source.lines.map(text => ({ text }))
    await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
    const ids = await lineIdsOf(session, path)
    const meant = new Map(ids.map((id, index) => [id, lines[index]]))
    const [mutation] = randomMutations(random, source, 1)
    if (mutation === undefined) throw new Error('no mutation')
    const changed = strangersChange(random, lines)
    const changedSource = withLines(
      source,
      changed.map(line => line.text),
    )
    const text = sourceText(changedSource)
    await session.fs.writeFile(`/workspace/${path}`, text)
    const changes = asChanges([mutation], source, ids)
    expect((await session.failure('edit_lines', { file_path: path, changes })).code).toBe('stale-line-ids')
    expect(await session.file(path)).toBe(text)

    // After another read an ID from before means the same line or none.
    const idsNow = await lineIdsOf(session, path)
    expect(new Set(idsNow).size).toBe(changed.length)
    for (const [index, id] of idsNow.entries()) if (meant.has(id)) expect(changed[index]).toBe(meant.get(id))
    expect(idsNow.filter(id => meant.has(id)).length).toBeGreaterThanOrEqual(Math.min(ids.length, idsNow.length) - 1)
  })
})

function asChanges(mutations: readonly LineMutation[], { lines }: SourceText, ids: readonly string[]): readonly object[] {
  return mutations.map(({ kind, start, end, rows }) => {
    const own = lines[start] ?? ''
    const all = kind === 'insert-before' ? [...rows, own] : kind === 'insert-after' ? [own, ...rows] : rows
    const newContent = all.map(row => `${row}\n`).join('')
    return end - start === 1
      ? { line_id: ids[start], new_content: newContent }
      : { start_line_id: ids[start], end_line_id: ids[end - 1], new_content: newContent }
  })
}
