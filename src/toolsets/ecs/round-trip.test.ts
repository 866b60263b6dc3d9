// Real sources, changed at random through tags, and by hand beside it. The two must end in the same bytes; where someone else changed the
// file meanwhile, the edit reaches the lines that were meant or none. ROUND_TRIPS=2000 for the long run; a failure names its seed.

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
} from '../../testing/line-mutations.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { openToolSession } from '../../testing/tool-session.ts'

const rounds = Number(process.env['ROUND_TRIPS'] ?? 500)

it(`${rounds} changes of real sources end in the bytes that were meant`, async () => {
  const session = await openToolSession({}, { name: 'ecs' })
  await forSeeds(rounds, async (random, seed) => {
    const source = random.chance(0.3) ? repetitiveSource(random) : randomSource(random)
    const mutations = randomMutations(random, source)
    const path = `f${seed}.ts`
    await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
    const tags = tagsIn(await session.text('read_file', { path }))
    expect(tags).toHaveLength(source.lines.length)
    const edits = asEdits(random, mutations, tags).toReversed()
    await session.text('edit_file', { file_path: path, edits_json: random.chance(0.5) ? edits : JSON.stringify(edits) })
    const lines = mutatedLines(source.lines, mutations, row => row)
    expect(await session.file(path)).toBe(sourceText({ ...source, lines }))
    await session.fs.rm(`/workspace/${path}`)
  })
}, 600_000)

it('an edit of a file that someone else changed reaches the lines that were meant, or none', async () => {
  const session = await openToolSession({}, { name: 'ecs' })
  const counts = { made: 0, refused: 0 }
  await forSeeds(500, async (random, seed) => {
    const source = repetitiveSource(random)
    const path = `f${seed}.txt`
    const lines = source.lines.map(text => ({ text }))
    await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
    const tags = tagsIn(await session.text('read_file', { path }))
    const [mutation] = randomMutations(random, source, 1)
    if (mutation === undefined) throw new Error('no mutation')
    const changed = strangersChange(random, lines)
    const changedSource = withLines(
      source,
      changed.map(line => line.text),
    )
    const text = sourceText(changedSource)
    await session.fs.writeFile(`/workspace/${path}`, text)

    const result = await session.call('edit_file', { file_path: path, edits_json: asEdits(random, [mutation], tags) })
    counts[result.isError ? 'refused' : 'made']++
    if (result.isError) {
      expect(await session.file(path)).toBe(text)
      return
    }
    // Made: then every line it is about is the very line that was shown, at the number it was shown at.
    expect(changed.slice(mutation.start, mutation.end)).toEqual(lines.slice(mutation.start, mutation.end))
    for (let index = mutation.start; index < mutation.end; index++) expect(changed[index]).toBe(lines[index])
    const meant = mutatedLines(changed, [mutation], row => ({ text: row }))
    expect(await session.file(path)).toBe(sourceText({ ...changedSource, lines: meant.map(line => line.text) }))
  })
  expect(counts.made).toBeGreaterThan(50)
  expect(counts.refused).toBeGreaterThan(50)
}, 120_000)

function tagsIn(text: string): readonly string[] {
  return text.split('\n').flatMap(row => /^\d+#[0-9a-f]{4}(?=\|)/.exec(row)?.[0] ?? [])
}

function asEdits(random: Random, mutations: readonly LineMutation[], tags: readonly string[]): readonly object[] {
  return mutations.map(({ kind, start, end, rows }) => {
    const pos = tags[start]
    if (kind === 'insert-before') return { op: 'prepend', pos, lines: rows }
    if (kind === 'insert-after') return { op: 'append', pos, lines: rows }
    // The seed's example writes its digits in upper case.
    const last = random.chance(0.5) ? tags[end - 1]?.toUpperCase() : tags[end - 1]
    return end - start === 1 && kind === 'replace' && random.chance(0.5)
      ? { op: 'replace', pos, lines: rows }
      : { op: 'replace', pos, end: last, lines: rows }
  })
}
