// git defines how ignore files work: the same trees and rules are checked with `git check-ignore`.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyIgnore, type IgnoreStack, isIgnored, pushIgnore } from './ignore.ts'
import { seeds } from '../testing/depth.ts'
import { describeUnless, whyNotInstalled } from '../testing/suites.ts'
import { createRandom } from '../testing/random.ts'

const files = [
  'a',
  'b',
  'ab',
  'abc',
  'a.txt',
  'b.txt',
  'a.log',
  '.env',
  '.a.log',
  'A.txt',
  '#a',
  '!a',
  'a b',
  'a ',
  'a\\b',
  'é',
  'éa',
  '日',
  'a[b',
  ']',
  '-',
  'x.tar.gz',
  'Z',
  '0',
  'a-b',
  'a*b',
  'd/a',
  'd/b',
  'd/a.txt',
  'd/e/a',
  'd/e/a.txt',
  'd/e/f/a.log',
  'd/e/f/b',
  'd/.env',
  'd/build/x',
  'build/x',
  'build/d/a.txt',
  'src/a.ts',
  'src/lib/a.ts',
  'src/lib/b/a.ts',
  'foo/bar',
  'foo/x/bar',
  'foobar/bar',
  'foox/y/bar',
  'node_modules/p/i.js',
  'éd/日/a',
  'da/b',
  'd b/a',
]

const directories = [...new Set(files.flatMap(ancestors))]
const entries = [...directories, ...files]

/** Each entry is the text of a .gitignore file at the root. */
const sets: readonly string[] = [
  '',
  '\n\n',
  '# a\nb',
  '\\#a',
  '\\!a',
  '!a',
  'a',
  'a/',
  '/a',
  'd',
  'd/',
  '/d/',
  'd/a',
  '/d/a',
  'd/*',
  'd/**',
  'd/**/a',
  '**/a',
  '**/a/',
  '**/d',
  '**',
  '*',
  '/*',
  '/**',
  '*/',
  '**/',
  '/',
  '//',
  'a//b',
  '*.txt',
  '*.txt\n!a.txt',
  '*.log\n!/a.log',
  'd/\n!d/a',
  'd/*\n!d/a',
  'd/*\n!d/e\nd/e/*\n!d/e/a',
  '*\n!*/\n!*.ts',
  '/*\n!/src',
  'build',
  '/build/',
  'build/*\n!build/d',
  '?',
  '??',
  '?.txt',
  '[ab]',
  '[!a]',
  '[^a]',
  '[a-c]*',
  '[]]',
  '[]-]',
  '[a',
  'a[b',
  'a\\[b',
  '[[:alpha:]]',
  '[[:alpha:]0]',
  '[[:nope:]]',
  '[!-a]',
  '[z-a]',
  '[\\]]',
  '[a-c-e]',
  '[[:]',
  '[-a]',
  '[日]',
  '[!日]*',
  'a ',
  'a\\ ',
  'a\t',
  ' a',
  'a\r\nb\r\n',
  '\uFEFFa\nb',
  'a\\',
  'a\\\\b',
  '\\a',
  'a\\*b',
  'a*b',
  'é',
  'é*',
  '日/',
  'foo**/bar',
  'foo/**/bar',
  'foo**bar',
  'foo*/bar',
  '**foo',
  'd**/a',
  'd/**/**/a',
  '**/**/a.log',
  '**/e/**',
  'a**',
  '***',
  'd/***/a',
  'src/**/*.ts',
  'src/*/*.ts',
  'd/?',
  '/d/e/f/',
  'd?a',
  'd[/]a',
  'd\\/a',
  'd/\\**',
  '*a*b*',
  '*.*.*',
  '.*',
  '!.env\n.env',
  '.env\n!.env',
  'node_modules',
  'A.TXT',
  '{a,b}',
  'd/e/*/a.log',
  '*/a',
  '*/*/a',
  '/*/a',
  'd/e/',
  'x\n!x',
  'd b/',
  '"a"',
]

const hasGit = spawnSync('git', ['--version']).status === 0

describeUnless(whyNotInstalled(hasGit, 'git'), 'ignores what git ignores', () => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'ignore-'))
    execFileSync('git', ['init', '-q', root])
    for (const file of files) {
      mkdirSync(join(root, dirname(file)), { recursive: true })
      writeFileSync(join(root, file), '')
    }
  })
  afterAll(() => rmSync(root, { recursive: true }))

  /** `rules`: directory → text of its .gitignore. */
  function git(rules: Readonly<Record<string, string>>): readonly string[] {
    for (const [directory, text] of Object.entries(rules)) writeFileSync(join(root, directory, '.gitignore'), text)
    const { stdout, stderr, status } = spawnSync(
      'git',
      ['-c', 'core.excludesFile=/dev/null', '-c', 'core.ignoreCase=false', 'check-ignore', '--no-index', '-z', '--stdin'],
      { cwd: root, input: entries.join('\0'), encoding: 'utf8' },
    )
    for (const directory of Object.keys(rules)) rmSync(join(root, directory, '.gitignore'))
    if (status !== 0 && status !== 1) throw new Error(stderr)
    return stdout
      .split('\0')
      .filter(path => path !== '')
      .toSorted()
  }

  test.each(sets.map(text => [text]))('%j', text => {
    expect(ours({ '': text })).toEqual(git({ '': text }))
  })

  const nested: readonly Readonly<Record<string, string>>[] = [
    { '': '*.txt', d: '!a.txt' },
    { '': '!a', d: 'a' },
    { '': 'd/', d: '!a' },
    { '': 'a', d: '!a', 'd/e': 'a' },
    { d: '/a', 'd/e': '/f' },
    { d: 'e/a' },
    { d: '*', 'd/e': '!a' },
    { d: '*\n!e/', 'd/e': '!a' },
    { src: '**/a.ts', 'src/lib': '!a.ts' },
    { éd: '日', foo: '**/bar' },
  ]
  test.each(nested.map(rules => [rules]))('nested: %j', rules => {
    expect(ours(rules)).toEqual(git(rules))
  })

  const seed = 4_711
  /** Each round tests every entry. */
  const rounds = seeds({ quick: 30, deep: Math.ceil(100_000 / entries.length) })
  test(`random rules (seed ${seed})`, { timeout: 600_000 }, () => {
    const { below, chance, pick } = createRandom(seed)
    const alphabet = [
      'a',
      'b',
      'd',
      'e',
      '*',
      '**',
      '?',
      '/',
      '/',
      '**/',
      '[',
      ']',
      '!',
      '-',
      '\\',
      '.',
      ' ',
      'é',
      '日',
      'txt',
      'foo',
      'bar',
      '[ab]',
      '[!a]',
      '[^d-f]',
      '[[:alpha:]]',
      '/**',
    ]
    const line = (): string => Array.from({ length: 1 + below(5) }, () => pick(alphabet)).join('')
    const wrong: string[] = []
    let partial = 0
    for (let round = 0; round < rounds; round++) {
      const text = (): string => Array.from({ length: 1 + below(4) }, line).join('\n')
      const rules = { '': text(), ...(chance(0.5) ? { d: text() } : {}), ...(chance(0.3) ? { 'd/e': text() } : {}) }
      const expected = git(rules)
      const actual = ours(rules)
      if (expected.length > 0 && expected.length < entries.length) partial++
      if (JSON.stringify(expected) !== JSON.stringify(actual))
        wrong.push(`${JSON.stringify(rules)}: ${difference(expected, actual)}`)
    }
    expect(wrong).toEqual([])
    // Rules that ignore nothing or everything prove little.
    expect(partial).toBeGreaterThan(0.3 * rounds)
  })
})

test('.ignore beats .gitignore at any depth when given a higher priority', () => {
  let stack = pushIgnore(emptyIgnore, '', '!keep.log', 1)
  stack = pushIgnore(stack, 'd', '*.log', 0)
  expect([isIgnored(stack, 'd/keep.log', false), isIgnored(stack, 'd/other.log', false)]).toEqual([false, true])
})

test('a stack is a value: siblings do not see each other', () => {
  const top = pushIgnore(emptyIgnore, '', 'a')
  const left = pushIgnore(top, 'left', '!a')
  expect([isIgnored(left, 'left/a', false), isIgnored(left, 'left2/a', false), isIgnored(top, 'left/a', false)]).toEqual([
    false,
    true,
    true,
  ])
})

test('a rule made to backtrack finishes', () => {
  const stack = pushIgnore(emptyIgnore, '', `${'**/*a'.repeat(12)}b\n${'*a'.repeat(60)}b`)
  expect(isIgnored(stack, `${'a'.repeat(250)}/`.repeat(15) + 'a', false)).toBe(false)
})

/** As in a walk: an ignored directory is not entered, so everything below it is ignored. */
function ours(rules: Readonly<Record<string, string>>): readonly string[] {
  return entries
    .filter(entry =>
      [...ancestors(entry), entry].some(path => isIgnored(stackFor(rules, path), path, directories.includes(path))),
    )
    .toSorted()
}

function stackFor(rules: Readonly<Record<string, string>>, path: string): IgnoreStack {
  let stack = emptyIgnore
  for (const directory of ['', ...ancestors(path)]) {
    const text = rules[directory]
    if (text !== undefined) stack = pushIgnore(stack, directory, text)
  }
  return stack
}

function ancestors(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function difference(expected: readonly string[], actual: readonly string[]): string {
  const missing = expected.filter(path => !actual.includes(path))
  const extra = actual.filter(path => !expected.includes(path))
  return `git also ${JSON.stringify(missing)}, we also ${JSON.stringify(extra)}`
}
