// Real sources, changed at random through line IDs, and by hand beside it. The two must end in the same bytes; where someone else changed
// the file meanwhile, nothing may be changed at all. ROUND_TRIPS=2000 for the long run; a failure names its seed.

import { expect, it } from 'vitest'

import {
  mutatedLines,
  randomMutations,
  randomSource,
  repetitiveSource,
  sourceText,
  strangersChange,
  withLines,
  type LineMutation,
  type SourceText,
} from '../../testing/line-mutations.ts'
import { forSeeds } from '../../testing/random.ts'
import { objectOf, openToolSession, type ToolSession } from '../../testing/tool-session.ts'

const rounds = Number(process.env['ROUND_TRIPS'] ?? 500)

it(`${rounds} changes of real sources end in the bytes that were meant`, async () => {
  const session = await openToolSession({}, { name: 'rye' })
  await forSeeds(rounds, async (random, seed) => {
    const source = random.chance(0.3) ? repetitiveSource(random) : randomSource(random)
    const mutations = randomMutations(random, source)
    const path = `f${seed}.ts`
    await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
    const ids = await readIds(session, path)
    expect(new Set(ids).size).toBe(source.lines.length)
    await session.text('edit_lines', { file_path: path, changes: asChanges(mutations, source, ids).toReversed() })
    const lines = mutatedLines(source.lines, mutations, row => row)
    expect(await session.file(path)).toBe(sourceText({ ...source, lines }))
    await session.fs.rm(`/workspace/${path}`)
  })
}, 600_000)

it('a file that someone else changed is never edited by the IDs from before, and those that stay are right', async () => {
  const session = await openToolSession({}, { name: 'rye' })
  await forSeeds(300, async (random, seed) => {
    const source = repetitiveSource(random)
    const path = `f${seed}.txt`
    const lines = source.lines.map(text => ({ text }))
    await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
    const ids = await readIds(session, path)
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
    const idsNow = await readIds(session, path)
    expect(new Set(idsNow).size).toBe(changed.length)
    for (const [index, id] of idsNow.entries()) if (meant.has(id)) expect(changed[index]).toBe(meant.get(id))
    expect(idsNow.filter(id => meant.has(id)).length).toBeGreaterThanOrEqual(Math.min(ids.length, idsNow.length) - 1)
  })
}, 120_000)

async function readIds(session: ToolSession, path: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let offset: unknown = 1; offset !== undefined;) {
    const page = await objectOf(session, 'read', { file_path: path, offset })
    if (page['output'] !== '')
      ids.push(
        ...String(page['output'])
          .split('\n')
          .map(row => row.slice(5, 11)),
      )
    offset = page['next_offset']
  }
  return ids
}

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
