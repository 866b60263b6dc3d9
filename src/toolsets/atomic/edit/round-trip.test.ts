// Real sources, changed at random through the tools as a model would, and by hand beside it. The two must end in the same bytes.
// ROUND_TRIPS=2000 for the long run; a failure names its seed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, it } from 'vitest'

import { seeds } from '../../../testing/depth.ts'
import { forSeeds, type Random } from '../../../testing/random.ts'
import { openToolSession, tagIn } from '../../../testing/tool-session.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const rounds = seeds({ quick: 40, deep: 2000 })
const maxSourceBytes = 40_000

/** This repository's own sources, and those of two packages that it stands on. */
const sources: readonly string[] = ['src', 'node_modules/diff/libesm', 'node_modules/comlink/dist/esm']
  .flatMap(folder =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map(name => join(repository, folder, name)),
  )
  .filter(name => /\.(?:ts|js|mjs)$/.test(name))
  .sort()

/** A line and how it ends, so that what is done by hand never has to guess an ending. */
interface Line {
  readonly text: string
  readonly ending: string
}

interface Change {
  readonly script: string
  /** In lines of the original, 0-based; `end` is exclusive. Empty for an insertion. */
  readonly start: number
  readonly end: number
  readonly rows: readonly string[]
}

it(`${rounds} changes of real sources end in the bytes that were meant`, async () => {
  expect(sources.length).toBeGreaterThan(100)
  // A repair may rightly differ from what the script says; here the script is what is meant.
  const session = await openToolSession({}, { toolset: { edit: { repairs: false } } })
  await forSeeds(rounds, async (random, seed) => {
    const source = readSource(random)
    const lines = source.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
    const original = lines.map((line): Line => {
      const text = line.replace(/[\r\n]+$/, '')
      return { text, ending: line.slice(text.length) }
    })
    const changes = randomChanges(random, original)
    const path = `f${seed}.ts`
    await session.fs.writeFile(`/workspace/${path}`, source)
    const tag = tagIn(await session.text('read', { path: `${path}:1+1` }))
    const scripts = shuffled(random, changes).map(change => change.script)
    await session.text('edit', { input: `[${path}#${tag}]\n${scripts.join('\n')}` })
    expect(await session.file(path)).toBe(byHand(original, changes))
    await session.fs.rm(`/workspace/${path}`)
  })
}, 600_000)

function readSource(random: Random): string {
  for (;;) {
    const text = readFileSync(random.pick(sources), 'utf8')
    if (text.length === 0 || text.length > maxSourceBytes) continue
    const ended = random.chance(0.2) ? text.replace(/\n$/, '') : text
    const endings = random.chance(0.2) ? ended.replaceAll('\n', '\r\n') : ended
    return random.chance(0.1) ? `\uFEFF${endings}` : endings
  }
}

/** Some changes that do not touch each other, in the order of the file. */
function randomChanges(random: Random, original: readonly Line[]): readonly Change[] {
  const changes: Change[] = []
  let at = random.below(Math.min(original.length, 20))
  while (at < original.length && changes.length < 12) {
    const length = 1 + random.below(Math.min(6, original.length - at))
    const kind = random.pick(['replace', 'delete', 'before', 'after'] as const)
    const rows = Array.from({ length: 1 + random.below(4) }, (_, index) => randomRow(random, original, `${at}.${index}`))
    const body = rows.map(row => `+${row}`).join('\n')
    const [first, last] = [at + 1, at + length]
    if (kind === 'replace') changes.push({ script: `replace ${first}..${last}:\n${body}`, start: at, end: at + length, rows })
    else if (kind === 'delete') changes.push({ script: `delete ${first}..${last}`, start: at, end: at + length, rows: [] })
    else if (kind === 'before') changes.push({ script: `insert before ${first}:\n${body}`, start: at, end: at, rows })
    else changes.push({ script: `insert after ${first}:\n${body}`, start: at + 1, end: at + 1, rows })
    at += length + 1 + random.below(40)
  }
  return changes
}

/** In any order: a script's operations all name the original lines. */
function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(random.below(rest.length), 1))
}

/** Like a line of the file, or like part of a script, or like nothing. */
function randomRow(random: Random, original: readonly Line[], name: string): string {
  const line = random
    .pick(original)
    .text.replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
  return random.pick([
    line,
    `${line} // ${name}`,
    `+${name}`,
    `[f.ts#${name}A1B2]`,
    `delete ${name}`,
    `  é ${name} 😀\t`,
    '',
    '-',
  ])
}

function byHand(original: readonly Line[], changes: readonly Change[]): string {
  const ending = original[0]?.ending || '\n'
  const isEnded = original.at(-1)?.ending !== ''
  const result: Line[] = []
  let done = 0
  for (const { start, end, rows } of changes) {
    result.push(...original.slice(done, start), ...rows.map(text => ({ text, ending })))
    done = end
  }
  result.push(...original.slice(done))
  const text = result
    .map((line, index) => line.text + (index === result.length - 1 && !isEnded ? '' : line.ending || ending))
    .join('')
  // The byte-order mark is the file's, not the first line's.
  const bom = original[0]?.text.startsWith('\uFEFF') === true ? '\uFEFF' : ''
  return bom + text.replaceAll('\uFEFF', '')
}
