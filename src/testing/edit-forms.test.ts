// One table of changes for all toolsets: the same seeded mutations of real source files, each in the toolset's form, must give the same
// bytes, which are computed separately here. A failure names its seed.

import { describe, expect, it } from 'vitest'

import { editForms, makeEdits, mergingForms, type EditForm } from './edit-forms.ts'
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
} from './line-mutations.ts'
import { seeds } from './depth.ts'
import { createRandom, forSeeds } from './random.ts'
import { openToolSession, textOf, type ToolSession } from './tool-session.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'

const rounds = seeds({ quick: 20, deep: 1000 })

interface Row {
  readonly source: SourceText
  readonly mutations: readonly LineMutation[]
}

type Variant = 'real sources' | 'equal lines' | 'CRLF' | 'no last newline' | 'byte order mark'
const variants: Readonly<Record<Variant, (seed: number) => SourceText>> = {
  'real sources': seed => randomSource(createRandom(seed), 20_000),
  'equal lines': seed => repetitiveSource(createRandom(seed)),
  CRLF: seed => ({ ...randomSource(createRandom(seed), 8_000), ending: '\r\n' }),
  'no last newline': seed => {
    const source = randomSource(createRandom(seed), 8_000)
    return withLines({ ...source, isEnded: false }, source.lines)
  },
  'byte order mark': seed => ({ ...randomSource(createRandom(seed), 8_000), bom: '\uFEFF' }),
}

/** The same for every toolset. */
function rowOf(variant: Variant, seed: number, maxCount: number): Row {
  const source = variants[variant](seed)
  const mutations = randomMutations(createRandom(seed * 7919), source, maxCount)
  const isEmptyAtEnd = mutatedLines(source.lines, mutations, row => row).at(-1) === ''
  // An empty last line without an ending would not be a line for a tool that counts lines, and part of the previous one for a tool that
  // sees text.
  return { source: { ...source, isEnded: source.isEnded || isEmptyAtEnd }, mutations }
}

const open = (name: ToolsetName, options?: ToolsetOptions): Promise<ToolSession> =>
  // A repair may legitimately differ from the script; here exactly the script is meant.
  openToolSession({}, { name, toolset: options ?? (name === 'atomic' ? { edit: { repairs: false } } : {}) })

describe.each(editForms)('$toolset', ({ toolset, prepare }) => {
  it.each(Object.keys(variants) as Variant[])(
    `${rounds} changes of %s end in the bytes that were meant`,
    async variant => {
      const session = await open(toolset)
      let changed = 0
      await forSeeds(rounds, async (random, seed) => {
        const { source, mutations } = rowOf(variant, seed, 8)
        const path = `f${seed}.ts`
        await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
        const meant = sourceText(
          withLines(
            source,
            mutatedLines(source.lines, mutations, row => row),
          ),
        )
        const calls = await prepare(session, path, source, mutations, random)
        // Some toolsets refuse a change without effect, which is not tested here.
        if (meant === sourceText(source)) return
        const result = await makeEdits(session, calls)
        expect({ isError: result?.isError, text: result === undefined ? '' : textOf(result) }).toMatchObject({ isError: false })
        expect(await session.file(path)).toBe(meant)
        changed++
        await session.fs.rm(`/workspace/${path}`)
      })
      expect(changed).toBeGreaterThan(rounds * 0.9)
    },
    170_000,
  )
})

const drifting: readonly (EditForm & { readonly title: string; readonly options?: ToolsetOptions })[] = [
  ...editForms.map(form => ({ ...form, title: form.toolset })),
  ...mergingForms.map(form => ({ ...form, title: `${form.toolset}, merging` })),
]

describe.each(drifting)('$title', ({ toolset, options, prepare }) => {
  it.each(['equal lines', 'real sources'] as const)(
    `${rounds} changes of %s that someone else changed meanwhile: the lines that were meant, or none`,
    async variant => {
      const session = await open(toolset, options)
      const counts = { made: 0, refused: 0 }
      await forSeeds(rounds, async (random, seed) => {
        const { source, mutations } = rowOf(variant, seed, 1)
        const path = `f${seed}.ts`
        await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
        const [mutation] = mutations
        if (mutation === undefined) throw new Error('no mutation')
        const calls = await prepare(session, path, source, [mutation], random)
        if (calls.length === 0) return

        const lines = source.lines.map(text => ({ text }))
        const theirs = strangersChange(random, lines)
        const theirLines = theirs.map(({ text }) => text)
        // As in `rowOf`: a removal can make the mutated line the last one.
        const isEmptyAtEnd = mutation.rows.at(-1) === '' && theirs.at(-1) === lines[mutation.end - 1]
        const theirSource = withLines({ ...source, isEnded: source.isEnded || isEmptyAtEnd }, theirLines)
        const theirText = sourceText(theirSource)
        await session.fs.writeFile(`/workspace/${path}`, theirText)

        const result = await makeEdits(session, calls)
        const file = await session.file(path)
        // The change may be there already, because the other writer made the same.
        counts[file === theirText ? 'refused' : 'made']++
        if (result?.isError === true || file === theirText) expect(file).toBe(theirText)
        else if (toolset === 'ah' || toolset === 'agsh') expect(file).toBe(replacedOn(theirs, lines, source, theirText, calls))
        else expect(file).toBe(meantOn(theirs, lines, mutation, theirSource))
        await session.fs.rm(`/workspace/${path}`)
      })
      if ((toolset === 'agsh' || toolset === 'rye') && options === undefined) expect(counts.made).toBe(0)
      else expect(counts.made).toBeGreaterThan(rounds * 0.02)
      expect(counts.made + counts.refused).toBeGreaterThan(rounds * 0.9)
      // A few seeds may all be far from what somebody else changed.
      if (rounds >= 500) expect(counts.refused).toBeGreaterThan(0)
    },
    170_000,
  )
})

/** The change, applied to the same lines at their current place; `undefined` if they are not all there in sequence. */
function meantOn(
  now: readonly { readonly text: string }[],
  before: readonly { readonly text: string }[],
  mutation: LineMutation,
  source: SourceText,
): string | undefined {
  const first = before[mutation.start]
  const start = now.findIndex(line => line === first)
  for (let offset = 0; offset < mutation.end - mutation.start; offset++) {
    if (start === -1 || now[start + offset] !== before[mutation.start + offset]) return undefined
  }
  const moved = { ...mutation, start, end: start + mutation.end - mutation.start }
  const lines = mutatedLines(now, [moved], text => ({ text })).map(({ text }) => text)
  return sourceText(withLines(source, lines))
}

/** The same for edits that name their text: replaced only if the shown lines are the only place with it. */
function replacedOn(
  now: readonly { readonly text: string }[],
  before: readonly { readonly text: string }[],
  source: SourceText,
  theirText: string,
  calls: Awaited<ReturnType<(typeof editForms)[number]['prepare']>>,
): string | undefined {
  const { old_string: oldText, new_string: newText } = { old_string: '', new_string: '', ...calls[0]?.[1] }
  const parts = theirText.split(oldText)
  const [first, last] = [lineAt(sourceText(source), oldText), lineAt(theirText, oldText)]
  const count = oldText.split('\n').length - (oldText.endsWith('\n') ? 1 : 0)
  for (let offset = 0; offset < count; offset++) if (now[last + offset] !== before[first + offset]) return undefined
  return parts.length === 2 ? parts.join(newText) : undefined
}

function lineAt(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length - 1
}
