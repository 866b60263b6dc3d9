import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { documentOf } from '../core/text.ts'
import { diffDocuments } from './diff.ts'
import { createRandom } from '../testing/random.ts'
import { seeds } from '../testing/depth.ts'

const diff = (before: string, after: string, path = 'f.txt'): ReturnType<typeof diffDocuments> =>
  diffDocuments(documentOf(before), documentOf(after), path)
const numbered = (count: number, change: (line: number) => readonly string[] = line => [`l${line}`]): string =>
  Array.from({ length: count }, (_, index) => change(index + 1))
    .flat()
    .map(line => `${line}\n`)
    .join('')

describe('numbered rows', () => {
  it('context and added rows carry new numbers, removed rows old ones', () => {
    expect(diff('one\ntwo\nthree\nfour\nfive\n', 'one\nA\nB\nC\nthree\nfour\nfive\n')).toMatchObject({
      rows: [' 1 one', '-2 two', '+2 A', '+3 B', '+4 C', ' 5 three', ' 6 four', ' 7 five'].join('\n'),
      firstChangedLine: 2,
      added: 3,
      removed: 1,
      coarse: false,
    })
  })

  it('distant changes are shown apart, and elided lines on all sides are marked', () => {
    const after = numbered(60, line => (line === 20 ? ['X'] : line === 40 ? [] : [`l${line}`]))
    expect(diff(numbered(60), after).rows.split('\n')).toEqual([
      '    ...',
      ' 16 l16',
      ' 17 l17',
      ' 18 l18',
      ' 19 l19',
      '-20 l20',
      '+20 X',
      ' 21 l21',
      ' 22 l22',
      ' 23 l23',
      ' 24 l24',
      '    ...',
      ' 36 l36',
      ' 37 l37',
      ' 38 l38',
      ' 39 l39',
      '-40 l40',
      ' 40 l41',
      ' 41 l42',
      ' 42 l43',
      ' 43 l44',
      '    ...',
    ])
  })

  it.each([
    [8, false],
    [9, true],
  ])('%i lines between two changes: elided %s', (between, isElided) => {
    const after = numbered(between + 2, line => (line === 1 || line === between + 2 ? ['X'] : [`l${line}`]))
    const { rows, patch } = diff(numbered(between + 2), after)
    expect(rows.includes('...')).toBe(isElided)
    expect(patch.match(/^@@ /gm)).toHaveLength(isElided ? 2 : 1)
  })

  it.each<[string, string, string, number | undefined]>([
    ['', '', '', undefined],
    ['a\n', 'a\n', '', undefined],
    ['', 'a\n', '+1 a', 1],
    ['a\n', '', '-1 a', 1],
    ['a\nb\n', 'a\n', ' 1 a\n-2 b', 1],
    ['a', 'a\n', '-1 a\n+1 a', 1],
    ['a\n', 'a\r\n', '-1 a\n+1 a', 1],
    ['\uFEFFa\n', '\uFEFFb\n', '-1 a\n+1 b', 1],
    ['  x\n', '  y\n', '-1   x\n+1   y', 1],
  ])('%j to %j', (before, after, rows, firstChangedLine) => {
    expect(diff(before, after)).toMatchObject({ rows, firstChangedLine })
  })
})

describe('patches apply with git', () => {
  const root = mkdtempSync(join(tmpdir(), 'anchorage-diff-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const apply = (before: string, after: string, path: string): Buffer => {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, before)
    const { patch } = diff(before, after, path)
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
      cwd: root,
      input: patch,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
    })
    return readFileSync(file)
  }

  it.each<[string, string, string?]>([
    ['a\nb\nc\n', 'a\nB\nc\n'],
    ['a\nb\nc\n', 'a\nB\nc\n', 'src/deep/my file.ts'],
    ['a\nb\n', 'a\nB\n', 'ünï/quo"te.txt'],
    ['a\r\nb\r\n', 'a\r\nB\r\nc\r\n'],
    ['a\r\nb\n', 'a\nb\r\n'],
    ['a\nb', 'a\nb\n'],
    ['a\nb\n', 'a\nb'],
    ['a\nb', 'a\nc'],
    ['a\rb\rc', 'a\rB\rc'],
    ['a\rb\nc\n', 'a\rb\nC\n'],
    ['\uFEFFa\nb\n', '\uFEFFa\nB\n'],
    // The mark goes from one line to another.
    ['\uFEFFa\nb\n', '\uFEFFx\na\nb\n'],
    ['\uFEFFx\na\nb\n', '\uFEFFa\nb\n'],
    ['a\nb\n', '\uFEFFa\nb\n'],
    ['a\n', '\n\na\n'],
    [numbered(60), numbered(60, line => (line % 20 === 0 ? [] : line % 7 === 0 ? [`l${line}`, 'new'] : [`l${line}`]))],
    ['- a\n--- b\n+++ c\n', '- a\n--- B\n+++ C\n'],
  ])('%j to %j', (before, after, path = 'f.txt') => {
    expect(apply(before, after, path).toString()).toBe(after)
  })

  it.each<[string, string]>([
    ['', 'a\nb\n'],
    ['', 'a'],
    ['\uFEFF', '\uFEFFa\n'],
  ])('into an empty file: %j to %j', (before, after) => {
    expect(apply(before, after, 'empty.txt').toString()).toBe(after)
  })

  it.each(Array.from({ length: seeds({ quick: 10, deep: 40 }) }, (_, seed) => seed + 1))('random texts, seed %i', seed => {
    const { below: next } = createRandom(seed)
    const endings = ['\n', '\n', '\r\n', '\r']
    const text = (): string =>
      Array.from({ length: 1 + next(40) }, () => `${'abcde'[next(5)]}${endings[next(4)]}`).join('') + (next(2) === 0 ? 'end' : '')
    const before = text()
    const after = text()
    expect({ before, result: apply(before, after, 'random.txt').toString() }).toEqual({ before, result: after })
  })

  it('a coarse comparison still is a valid patch', () => {
    const before = numbered(6000)
    const after = numbered(6000, line => (line % 2 === 0 ? [`changed ${line}`] : [`l${line}`]))
    expect(diff(before, after).coarse).toBe(true)
    expect(apply(before, after, 'coarse.txt').toString()).toBe(after)
  })
})

describe('work is bounded', () => {
  it.each<[string, string, string]>([
    ['nothing in common', numbered(100_000), numbered(100_000, line => [`x${line}`])],
    ['every tenth line changed', numbered(100_000), numbered(100_000, line => [line % 10 === 0 ? 'x' : `l${line}`])],
    ['one line changed', numbered(100_000), numbered(100_000, line => [line === 50_000 ? 'x' : `l${line}`])],
    ['reversed', numbered(20_000), numbered(20_000, line => [`l${20_001 - line}`])],
  ])('%s', (_, before, after) => {
    // Comparing every line with every line would take longer than the test's time limit.
    expect(diff(before, after).added).toBeGreaterThan(0)
  })
})
