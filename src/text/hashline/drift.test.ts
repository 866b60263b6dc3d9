// Another writer changes a file between the read and the edit. Every line has an identity that only this test can see, so it knows where
// each one moved, and the result of a correct edit. Refusing a recoverable edit is allowed; a wrong place is an error.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { documentOf, textOf, type LineEnding, type TextDocument } from '../../core/text.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom, type Random } from '../../testing/random.ts'
import { indexLines } from '../../testing/line-index.ts'
import { lineHash } from '../line-ids/line-index.ts'
import { mergeChanges } from '../line-ids/merge-changes.ts'
import { mergeReplacement } from '../merge-replacement.ts'
import { spliceLines } from '../splice-lines.ts'
import { applyHunks } from './apply.ts'
import type { Hunk } from './hunk.ts'
import { lineKey } from './line-anchors.ts'
import { recoverHunks } from './recover.ts'

interface Line {
  /** Index in the snapshot, or undefined for a line that was added later. */
  readonly origin: number | undefined
  readonly text: string
}

type Drift = (lines: readonly Line[], at: number, random: Random) => readonly Line[]

const blockLength = (random: Random): number => 1 + random.below(6)
const splice = (lines: readonly Line[], at: number, count: number, added: readonly Line[]): readonly Line[] => [
  ...lines.slice(0, at),
  ...added,
  ...lines.slice(at + count),
]
const copies = (lines: readonly Line[]): readonly Line[] => lines.map(({ text }) => ({ text, origin: undefined }))

const drifts: Readonly<Record<string, Drift>> = {
  'insert new lines': (lines, at, random) =>
    splice(
      lines,
      at,
      0,
      Array.from({ length: blockLength(random) }, () => ({ origin: undefined, text: `new ${random.below(1e6)}` })),
    ),
  'insert known lines': (lines, at, random) => {
    const known = Array.from({ length: blockLength(random) }, () => random.pick(lines))
    return splice(lines, at, 0, copies(known))
  },
  delete: (lines, at, random) => splice(lines, at, blockLength(random), []),
  change: (lines, at) => splice(lines, at, 1, [{ origin: undefined, text: 'changed()' }]),
  'change to a known line': (lines, at, random) => splice(lines, at, 1, copies([random.pick(lines)])),
  move: (lines, at, random) => {
    const moved = lines.slice(at, at + blockLength(random))
    const rest = splice(lines, at, moved.length, [])
    return splice(rest, random.below(rest.length + 1), 0, moved)
  },
  'duplicate a block beside it': (lines, at, random) => {
    const block = lines.slice(at, at + blockLength(random))
    return splice(lines, at + (random.chance(0.5) ? block.length : 0), 0, copies(block))
  },
  'duplicate a block elsewhere': (lines, at, random) => {
    const block = lines.slice(at, at + blockLength(random))
    return splice(lines, random.below(lines.length + 1), 0, copies(block))
  },
  're-indent': (lines, at, random) => {
    const count = blockLength(random)
    return lines.map((line, index) =>
      index >= at && index < at + count && line.text !== '' ? { origin: undefined, text: `  ${line.text}` } : line,
    )
  },
  'trailing blanks': (lines, at, random) => {
    const count = blockLength(random)
    return lines.map((line, index) => (index >= at && index < at + count ? { ...line, text: `${line.text}  ` } : line))
  },
  'line endings': lines => lines,
}

/** The correct result, using the identities; undefined if the lines that the hunk touches are not all there in sequence. */
function rightResult(live: readonly Line[], hunk: Hunk): readonly string[] | undefined {
  const rows = 'rows' in hunk ? hunk.rows : []
  const texts = (lines: readonly Line[]): readonly string[] => lines.map(line => line.text)
  if (hunk.kind === 'insert' && 'line' in hunk.at) {
    const { line, place } = hunk.at
    const at = live.findIndex(one => one.origin === line - 1)
    const split = at + (place === 'after' ? 1 : 0)
    return at === -1 ? undefined : [...texts(live.slice(0, split)), ...rows, ...texts(live.slice(split))]
  }
  if (hunk.kind !== 'replace' && hunk.kind !== 'delete') return undefined
  const at = live.findIndex(one => one.origin === hunk.start - 1)
  const count = hunk.end - hunk.start + 1
  const isThere =
    at !== -1 && Array.from({ length: count }, (_, index) => live[at + index]?.origin === hunk.start - 1 + index).every(Boolean)
  return isThere ? [...texts(live.slice(0, at)), ...rows, ...texts(live.slice(at + count))] : undefined
}

function randomHunk(lineCount: number, random: Random): Hunk {
  const start = 1 + random.below(lineCount)
  const rows = Array.from({ length: 1 + random.below(3) }, () => `edited ${random.below(1e6)}`)
  const end = Math.min(lineCount, start + random.below(4))
  if (random.chance(0.5)) return { kind: 'replace', start, end, rows, scriptLine: 2 }
  if (random.chance(0.4)) return { kind: 'delete', start, end, scriptLine: 2 }
  return { kind: 'insert', at: { place: random.chance(0.5) ? 'before' : 'after', line: start }, rows, scriptLine: 2 }
}

/** The rows of the hunk, between the lines on both sides of it. */
function madeWindow(lines: readonly string[], hunk: Hunk): readonly string[] {
  const rows = 'rows' in hunk ? hunk.rows : []
  const [before, after] =
    'start' in hunk
      ? [hunk.start - 1, hunk.end]
      : hunk.kind === 'insert' && 'line' in hunk.at
        ? [hunk.at.line - (hunk.at.place === 'before' ? 1 : 0), hunk.at.line - (hunk.at.place === 'before' ? 1 : 0)]
        : [0, 0]
  return [...lines.slice(Math.max(0, before - 1), before), ...rows, ...lines.slice(after, after + 1)]
}

const documentFrom = (lines: readonly string[], ending: LineEnding): TextDocument => ({
  bom: false,
  lines,
  endings: lines.map(() => ending),
})

const folder = fileURLToPath(new URL('.', import.meta.url))
const sources = readdirSync(folder)
  .filter(name => name.endsWith('.ts'))
  .map(name => documentOf(readFileSync(`${folder}${name}`, 'utf8')).lines)

/** Texts with little or much repetition. */
const texts: Readonly<Record<string, (random: Random) => readonly string[]>> = {
  'sources of this folder': random => {
    const all = random.pick(sources)
    const from = random.below(Math.max(1, all.length - 120))
    return all.slice(from, from + 20 + random.below(100))
  },
  'functions alike': random =>
    Array.from({ length: 4 + random.below(10) }, () => [
      `function f${random.below(8)}() {`,
      ...Array.from({ length: random.below(4) }, () => random.pick(['  return true', '  if (x) {', '  }', '  call()', ''])),
      '}',
      '',
    ]).flat(),
  'few letters': random => Array.from({ length: 5 + random.below(25) }, () => random.pick(['a', 'b', 'c', 'd', '}', ''])),
}

interface Tally {
  recovered: number
  refused: number
  alreadyThere: number
  refusedThoughRight: number
  near: number
  nearRecovered: number
}

const seedCount = seeds({ quick: 60, deep: 5000 })

describe.each(Object.entries(texts))('%s', (_, makeText) => {
  it(`0 silently wrong in ${seedCount} seeds for each kind of drift`, () => {
    const table: Record<string, string>[] = []
    for (const [name, drift] of Object.entries(drifts)) {
      const tally: Tally = { recovered: 0, refused: 0, alreadyThere: 0, refusedThoughRight: 0, near: 0, nearRecovered: 0 }
      for (let seed = 1; seed <= seedCount; seed++) oneDrift(name, drift, makeText, seed, tally)
      const total = tally.recovered + tally.refused + tally.alreadyThere
      const share = (count: number, of: number): string => `${of === 0 ? '-' : Math.round((100 * count) / of)} %`
      table.push({
        drift: name,
        recovered: share(tally.recovered, total),
        refused: share(tally.refused, total),
        'already there': share(tally.alreadyThere, total),
        'refused, though somebody all-seeing could have': share(tally.refusedThoughRight, total),
        'recovered within 3 lines': share(tally.nearRecovered, tally.near),
      })
    }
    console.table(table)
  }, 600_000)
})

function oneDrift(name: string, drift: Drift, makeText: (random: Random) => readonly string[], seed: number, tally: Tally): void {
  const random = createRandom(seed)
  const snapshotLines = makeText(random)
  const hunk = randomHunk(snapshotLines.length, random)
  const touched = 'start' in hunk ? hunk.start : 'line' in hunk ? hunk.line : 'line' in hunk.at ? hunk.at.line : 1
  // Half of the changes are near, at every distance from 0 to 8; the others are anywhere.
  const at = random.chance(0.5)
    ? Math.max(0, Math.min(snapshotLines.length - 1, touched - 1 + random.below(17) - 8))
    : random.below(snapshotLines.length)
  const drifted = drift(
    snapshotLines.map((text, origin) => ({ text, origin })),
    at,
    random,
  )
  // A change that leaves the same text is not a change.
  const isSame = drifted.map(line => line.text).join('\n') === snapshotLines.join('\n')
  const live = isSame ? snapshotLines.map((text, origin) => ({ text, origin })) : drifted
  const snapshot = documentFrom(snapshotLines, '\n')
  const liveDocument = documentFrom(
    live.map(line => line.text),
    name === 'line endings' ? '\r\n' : '\n',
  )
  const recovery = recoverHunks(snapshot, liveDocument, [hunk], { repairs: false })
  const right = rightResult(live, hunk)
  otherForms(name, seed, snapshotLines, live, hunk, right)
  const isNear = Math.abs(at - (touched - 1)) <= 3
  if (isNear) tally.near++
  if (recovery.kind === 'refused') {
    tally.refused++
    if (right !== undefined) tally.refusedThoughRight++
    return
  }
  if (recovery.kind === 'already-applied') {
    tally.alreadyThere++
    const texts = live.map(line => line.text)
    const window = madeWindow(snapshotLines, hunk)
    const isThere = texts.some((_, from) => window.every((text, index) => texts[from + index] === text))
    expect({ name, seed, isThere: isThere || texts.length === 0 }).toEqual({ name, seed, isThere: true })
    return
  }
  tally.recovered++
  if (isNear) tally.nearRecovered++
  const edited = applyHunks(liveDocument, recovery.hunks, { repairs: false }).document
  const wrong = { name, seed, hunk, snapshot: snapshotLines, live: live.map(line => line.text), result: edited.lines }
  expect(wrong).toEqual({ ...wrong, result: right })
  if (name === 'line endings') expect(textOf(edited)).not.toMatch(/[^\r]\n/)
  // Trailing blanks by the other writer stay, except on lines that are gone.
  expect(edited.lines.map(lineKey)).toEqual((right ?? []).map(lineKey))
}

/** The same edit by line IDs, and by its text where that is the only one: the right result as well, or none. */
function otherForms(
  name: string,
  seed: number,
  before: readonly string[],
  live: readonly Line[],
  hunk: Hunk,
  right: readonly string[] | undefined,
): void {
  if (hunk.kind !== 'replace' && hunk.kind !== 'delete') return
  const rows = 'rows' in hunk ? hunk.rows : []
  const ending = name === 'line endings' ? '\r\n' : '\n'
  const now = documentFrom(
    live.map(line => line.text),
    ending,
  )
  const splice = { startIndex: hunk.start - 1, removed: hunk.end - hunk.start + 1, lines: rows }
  const hashes = now.lines.map(lineHash)
  const byId = mergeChanges(indexLines(before), now, hashes, [splice])
  if (byId.kind === 'merged')
    expect({ name, seed, lines: spliceLines(now, byId.splices).lines }).toEqual({ name, seed, lines: right })

  const [base, liveText] = [`${before.join('\n')}\n`, textOf(now)]
  const oldText = before
    .slice(hunk.start - 1, hunk.end)
    .map(line => `${line}\n`)
    .join('')
  const newText = rows.map(row => `${row}\n`).join('')
  const byText = mergeReplacement(base, liveText, { oldText, newText, isOfAll: false })
  if (byText.kind === 'merged') {
    const wanted = (right ?? []).map(line => `${line}${ending}`).join('')
    expect({ name, seed, text: byText.text }).toEqual({ name, seed, text: wanted })
  }
}
