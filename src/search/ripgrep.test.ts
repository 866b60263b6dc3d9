// ripgrep defines which lines match. Deviations are declared with their reason, and a declared deviation that no longer occurs fails.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PatternError } from './regex/cursor.ts'
import { matchingLines } from '../testing/matching-lines.ts'
import { installedCommand } from '../testing/search-oracle/installed-command.ts'
import { linesByOracle } from '../testing/search-oracle/matching-lines.ts'
import { describeUnless, whyNotInstalled } from '../testing/suites.ts'
import { sample } from '../testing/depth.ts'

const files: Readonly<Record<string, string | Uint8Array>> = {
  'code.ts': [
    "import { readFile } from 'node:fs'",
    'export async function load(path: string): Promise<void> {',
    '  const text = await readFile(path) // TODO: cache',
    '  if (text.length === 0) throw new TypeError(`empty ${path}`)',
    '\treturn text.split("\\n").map((x) => x.trim())',
    '}',
    'const MAX_FILE_SIZE = 0xFF_00',
    'foo bar baz_foo foobar',
    '',
    'a.b.c 1.2.3 [x]{y}(z)',
    'uuid 123e4567-e89b-12d3-a456-426614174000',
    'aaaaaaaaaaaaaaaaaaaaaaab',
    '  ',
    'end',
  ].join('\n'),
  'crlf.txt': 'foo\r\nxfoo\r\nfoo x\r\n\r\nbar\r\n',
  'words.txt':
    'naïve\nnaïveté x\nΣίσυφος ΣΊΣΥΦΟΣ\nstraße STRASSE ẞ\nдом Дом\n\u212aelvin kelvin\n\u017fet set\n日本語 text\né\n_é_ é_\n—dash—\n٣ digits 3\na\u00a0b\u2003c\n😀 emoji\n',
  'final.txt': 'one\ntwo\nthree',
  'empty.txt': '',
  'newlines.txt': '\n\n\n',
  'bom.txt': '\uFEFFfoo first\nfoo second\n',
}

const patterns: readonly string[] = [
  'foo',
  'Promise<void>',
  'x',
  '^foo',
  'foo$',
  '^foo$',
  '^$',
  '^\\s*$',
  '^\\s+$',
  '.',
  '..',
  '\\S',
  '\\S+\\s+\\S+$',
  '\\bfoo\\b',
  '\\Bfoo',
  'foo\\B',
  '\\bnaïve\\b',
  '\\bna',
  've\\b',
  '\\bé\\b',
  'é\\b',
  '\\B_',
  '\\w+',
  '^\\w+$',
  '\\W',
  '\\d',
  '\\D\\d',
  '[0-9]+',
  '\\s\\S\\s',
  'TODO|FIXME|HACK',
  'foo|^bar|x$',
  '(foo|bar) (baz|x)',
  '(?:foo)?bar',
  'a+b',
  'a{3,}b',
  'a{23}b',
  'a{24}b',
  'a{2}{3}',
  'a++b',
  '(a*)*b',
  'x*',
  '(?:)',
  '()',
  '\\w+Error\\(',
  'async\\s+\\w+',
  'function\\s+\\w+\\(',
  '[0-9a-f]{8}-[0-9a-f]{4}',
  '\\b[A-Z]{3,}_[A-Z]{3,}_[A-Z]+\\b',
  '0x[[:xdigit:]_]+',
  '(?i)FOO',
  '(?i)todo',
  '(?i)kelvin',
  '(?i)set',
  '(?i:S)et',
  '(?i)straße',
  '(?i)σίσυφος',
  '(?i)ДОМ',
  '(?i)[k]el',
  '(?i)[^k]elvin',
  '(?i)max(?-i)_FILE',
  '(?i)\\bSET\\b',
  '(?-i)SET',
  '[[:alpha:]]+é',
  '[[:^alpha:]]',
  '[[:upper:]]{3}',
  '[[:punct:]]{2}',
  '[[:space:]]$',
  '[]x]',
  '[^]x]',
  '[a-]',
  '[-a]',
  '[a-z&&[^aeiou]]{4}',
  '[a-z--[f-z]]{3}',
  '[a-c~~b-d]',
  '[\\w--\\d]+é',
  '[[a-c][x-z]]+',
  '[\\[\\]]',
  '[.]',
  '[^\\n]',
  '[^\\r\\n]+$',
  '[а-я]+',
  '[^\\x00-\\x7F]',
  '\\p{Greek}+',
  '\\p{greek}',
  '\\pL+é',
  '\\PL',
  '\\p{Lu}\\p{Ll}',
  '\\p{L}\\p{M}',
  '\\p{Han}',
  '\\P{Latin}{2}',
  '\\p{script=Cyrillic}',
  '\\p{Uppercase_Letter}',
  '\\p{gcb=Extend}',
  '\\p{wb=MidNumLet}',
  '[\\p{sb=STerm}\\p{sb=close}]',
  '\\P{Word_Break=ALetter}{3}',
  '\\p{extendedpictographic}',
  '\\p{^L}',
  '\\p{nope}',
  '\\p{any}',
  '(?x) f o o # comment',
  '(?x)[ f ]oo',
  '(?s).foo',
  '(?U)a+b',
  '(?m)^foo',
  '(?-m)^foo',
  '(?P<name>foo)',
  '(?-u:\\w)\\b',
  '\\x41',
  '\\x{e9}',
  '\\u00e9',
  '\\u{1F600}',
  '\\U0001F600',
  '\\t',
  '\\.',
  '\\-',
  '\\(z\\)',
  '\\{y\\}',
  '\\[x\\]',
  '\\$',
  '\\a',
  '.*foo.*bar',
  '("(\\\\.|[^"])*")+',
  '\\d+\\.\\d+',
  'from [\'"]node:',
  'split\\("\\\\n"\\)',
  '—',
  '日本',
  '😀',
  '[😀é]',
  '.\\b.',
  '^.{5}$',
  '(?i)ſ',
  '\\A\\w',
  '\\w\\z',
  'foo(?=bar)',
  '(?<!x)foo',
  '(a)\\1',
  '*a',
  '(?',
  '[z-a]',
  'a{3,2}',
  '\\Z',
  '\\h',
  '\\K',
  '\\Qa\\E',
  '\\1',
  '(?q)a',
  '[a',
  '\\',
  '[[:nope:]]',
  'a|*',
  '(?>a)',
  '\\x',
  '\\u12',
  '[a-\\d]',
]

/** Patterns with the reason why our result differs. */
const deviations: Readonly<Record<string, string>> = {
  '\\w\\z':
    'ripgrep asks about a line with its line feed, so its `\\z` only matches in a last line without one; ours is the end of any line',
}

const rg = installedCommand('rg') ?? ''

describeUnless(whyNotInstalled(rg, 'rg'), 'matches the lines that ripgrep matches', () => {
  let directory = ''
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'search-'))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  function ripgrep(pattern: string): Record<string, readonly number[]> | 'error' {
    try {
      // A pattern that matches everything also matches line breaks.
      const across = /\(\?s\)|\\p\{any\}/.test(pattern) ? ['-U'] : []
      const output = execFileSync(
        rg,
        [...across, '-n', '--no-ignore', '--no-heading', '--crlf', '--no-config', '-e', pattern, '.'],
        {
          cwd: directory,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      return byFile(String(output))
    } catch (error) {
      return typeof error === 'object' && error !== null && 'status' in error && error.status === 1 ? byFile('') : 'error'
    }
  }

  function ours(pattern: string): Record<string, readonly number[]> | 'error' {
    const found: Record<string, readonly number[]> = {}
    for (const [name, content] of Object.entries(files)) {
      const lines = matchingLines(pattern, content)
      if (typeof lines === 'string') return 'error'
      found[name] = lines
    }
    return found
  }

  function oracle(pattern: string): Record<string, readonly number[]> {
    const encoder = new TextEncoder()
    return Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        linesByOracle(pattern, typeof content === 'string' ? encoder.encode(content) : content),
      ]),
    )
  }

  function expectOracleToRefuse(pattern: string): 'error' {
    expect(() => oracle(pattern)).toThrow(PatternError)
    return 'error'
  }

  // Each starts a program of the machine.
  test.each(
    sample(
      patterns.filter(pattern => deviations[pattern] === undefined),
      6,
    ),
  )('%s', pattern => {
    expect(ours(pattern)).toEqual(ripgrep(pattern))
  })

  test.each(patterns)('the oracle agrees about %s', pattern => {
    const found = ours(pattern)
    expect(found === 'error' ? expectOracleToRefuse(pattern) : oracle(pattern)).toEqual(found)
  })

  test.each(sample(Object.entries(deviations), 3))('%s deviates: %s', pattern => {
    expect(ours(pattern)).not.toEqual(ripgrep(pattern))
  })

  test('every declared deviation is a pattern of the table', () => {
    expect(Object.keys(deviations).filter(pattern => !patterns.includes(pattern))).toEqual([])
  })
})

function byFile(output: string): Record<string, readonly number[]> {
  const found: Record<string, number[]> = Object.fromEntries(Object.keys(files).map(name => [name, []]))
  for (const row of output.split('\n')) {
    const match = /^\.\/([^:]+):(\d+):/.exec(row)
    if (match?.[1] !== undefined) found[match[1]]?.push(Number(match[2]))
  }
  return found
}
