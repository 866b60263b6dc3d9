// The answers of a live run configure the stand-in: without one the table, with one its answers, and a test's own choice overrides both.

import { expect, test } from 'vitest'
import { ContainerHost } from '../../worker/webcontainer-host.ts'
import { evidence, learnedQuirks, tableDisagreements } from './learned-quirks.ts'
import { nodeTwin } from './node-twin.ts'
import { observe, readObservations, type Observations } from './observe.ts'
import { quirkTable, type QuirkId } from './quirk-table.ts'
import { createQuirks } from './quirks.ts'

/** Question, answer, quirk, and what is learned about it. */
const rows: readonly (readonly [string, string, QuirkId, boolean | undefined])[] = [
  ['process.line-ends', 'exit 0, output "a\\r\\nb\\r\\n"', 'crlf', true],
  ['process.line-ends', 'exit 0, output "a\\nb\\n"', 'crlf', false],
  ['process.line-ends', 'exit 1, output ""', 'crlf', undefined],
  ['process.split-character', 'exit 0, output "\ufffd"', 'split-characters', true],
  ['process.split-character', 'exit 0, output "é"', 'split-characters', undefined],
  ['process.output-after-exit', 'it ends later', 'late-chunks', true],
  ['process.output-after-exit', 'it has ended', 'late-chunks', false],
  ['process.output-after-exit', 'it does not end', 'late-chunks', undefined],
  ['symlink.in-listing', 'neither', 'no-symlink-in-dirent', true],
  ['symlink.in-listing', 'file', 'no-symlink-in-dirent', false],
  ['symlink.in-listing', 'directory', 'no-symlink-in-dirent', undefined],
  ['shell.function', 'exit 0, output "called\\n"', 'restricted-shell', false],
  ['shell.function', 'exit 1, output "jsh: no"', 'restricted-shell', true],
  ['shell.function', 'the question failed: x', 'restricted-shell', undefined],
  ['rename.over-a-file', 'no failure; two holds 1', 'rename-refuses-existing', false],
  ['rename.over-a-file', 'Error: EEXIST: …; two holds 2', 'rename-refuses-existing', true],
  ['rename.over-a-file', 'no failure; two holds 2', 'rename-refuses-existing', undefined],
]

test.each(rows)('%s answered %s: %s is %s', (question, answer, quirk, isThere) => {
  const observed = { [question]: answer }
  expect(learnedQuirks(observed)[0]?.isThere).toBe(isThere)
  const byTable = createQuirks({}).has(quirk)
  expect(createQuirks({ observed }).has(quirk)).toBe(isThere ?? byTable)
  expect(createQuirks({ observed, on: [quirk] }).has(quirk)).toBe(true)
  expect(createQuirks({ observed, off: [quirk] }).has(quirk)).toBe(false)
  expect(tableDisagreements(observed).length).toBe(isThere === undefined || isThere === byTable ? 0 : 1)
})

test('without a live run everything is unverified, and said to be', () => {
  expect(evidence(undefined)).toBe(`all ${Object.keys(quirkTable).length} quirks unverified: no live run`)
  expect(evidence({ 'symlink.in-listing': 'file' })).toMatch(/^1 of \d+ quirks as a live run found them/)
})

test('a disagreement names the quirk, both sides and the answer', () => {
  expect(tableDisagreements({ 'symlink.in-listing': 'file' })).toEqual([
    'no-symlink-in-dirent (a symlink in a listing is neither file nor directory): the table has it on, and it is off: symlink.in-listing answered "file"',
  ])
})

test('a file that holds something else is refused, not ignored', () => {
  expect(readObservations('')).toBeUndefined()
  expect(readObservations('{"at":"2026","answers":{"a":"b"}}')).toEqual({ a: 'b' })
  expect(() => readObservations('{}')).toThrow('no answers')
  expect(() => readObservations('{')).toThrow(SyntaxError)
})

/** The answers of the stand-in itself, configured as its table says. */
async function asked(observed: Observations | undefined, off: readonly QuirkId[] = []): Promise<Observations> {
  const client = await nodeTwin({ seed: 91, observed, off: ['failing-boots', 'latency', ...off] })
  const host = new ContainerHost(await client.boot())
  try {
    return await observe(host.container)
  } finally {
    host.teardown()
  }
}

test('the questions find in the stand-in what its table says, and a stand-in that has learned answers otherwise', async () => {
  expect(tableDisagreements(await asked(undefined))).toEqual([])
  const learned = await asked({
    'process.line-ends': 'exit 0, output "a\\nb\\n"',
    'symlink.in-listing': 'file',
    'shell.function': 'exit 0, output "called\\n"',
    'process.output-after-exit': 'it has ended',
  })
  expect(tableDisagreements(learned).map(line => line.split(' ')[0])).toEqual([
    'crlf',
    'late-chunks',
    'no-symlink-in-dirent',
    'restricted-shell',
  ])
})
