// Behaviour of ripgrep 15 that an older version on the machine may not have, and output that cannot be compared byte for byte.

import { dirname } from 'node:path'

import { describe, expect, it } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { defaultLimits } from '../../core/limits.ts'
import { parsePath } from '../../core/path.ts'
import { SearchIndex } from '../../session/search-index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { flags } from './flags.ts'
import { rg } from './rg.ts'

type Tree = Readonly<Record<string, string | Uint8Array>>

interface Ran {
  readonly out: string
  readonly err: string
  readonly code: number
}

async function run(
  tree: Tree,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  asSeen: (vfs: Vfs) => Vfs = vfs => vfs,
): Promise<Ran> {
  const vfs = createVfs(memory({}))
  const root = parsePath('/workspace')
  await vfs.mkdir(root, { recursive: true })
  for (const [name, content] of Object.entries(tree)) {
    await vfs.mkdir(dirname(`${root}/${name}`), { recursive: true })
    await vfs.writeFile(`${root}/${name}`, content)
  }
  const index = SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes)
  const context = { cwd: root, stdin: undefined, env, signal: new AbortController().signal }
  const { stdout, stderr, exitCode } = await rg(words, context, {
    vfs: asSeen(vfs),
    root,
    limits: defaultLimits,
    index: () => index,
  })
  const decoder = new TextDecoder()
  return { out: decoder.decode(stdout), err: decoder.decode(stderr), code: exitCode }
}

const latin = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0))

describe('output', () => {
  it.each<[what: string, tree: Tree, words: readonly string[], out: string | RegExp]>([
    ['-A goes before -C', { f: 'a\nb\nc\nd\n' }, ['-A2', '-C1', 'b', 'f'], 'a\nb\nc\nd\n'],
    ['lines of the last context match too', { f: 'a\na\nb\na\n' }, ['-n', '-m1', '-A2', 'a', 'f'], '1:a\n2:a\n3-b\n'],
    ['and count', { f: 'a\na\nb\na\n' }, ['--count-matches', '-m1', '-A3', 'a', 'f'], '3\n'],
    [
      'what lies around matches has a colour',
      { f: 'ab\n' },
      ['--color=always', '--colors=highlight:fg:blue', '-I', 'a', 'f'],
      '\x1b[0m\x1b[34m\x1b[0m\x1b[1m\x1b[31ma\x1b[0m\x1b[34mb\x1b[0m\n',
    ],
    ['the type of environment files', { '.env': 'x' }, ['--files', '-tsh'], '.env\n'],
    ['half boundaries', { f: '(x) -y\n' }, ['-ow', '[(-].', 'f'], '(x\n-y\n'],
    ['no pattern matches nothing', { f: 'a\n', none: '' }, ['-vf', 'none', 'f'], 'a\n'],
    ['--stop-on-nonmatch', { f: '1\na2\na3\n4\na5\n' }, ['--stop-on-nonmatch', 'a', 'f'], 'a2\na3\n'],
    ['--stop-on-nonmatch and the line behind', { f: '1\na2\n3\n4\n' }, ['--stop-on-nonmatch', '-A2', 'a', 'f'], 'a2\n3\n'],
    ['--stop-on-nonmatch --passthru', { f: '1\na2\n3\n4\n' }, ['--stop-on-nonmatch', '--passthru', 'a', 'f'], '1\na2\n3\n'],
    ['--stop-on-nonmatch -v', { f: '1\na2\n3\n4\n' }, ['--stop-on-nonmatch', '-v', 'a', 'f'], '1\n3\n4\n'],
    [
      '--no-ignore-dot is about .rgignore too',
      { '.rgignore': 'a\n', a: 'x', b: 'x' },
      ['--no-ignore-dot', '--files', '-g', '?'],
      'a\nb\n',
    ],
    ['an anchored rule of a parent', { '.ignore': '/d/e\n', 'd/e/f': 'x', 'd/g': 'x' }, ['--files', 'd'], 'd/g\n'],
    ['-g about a path from the root', { 'd/f': 'a' }, ['-g', 'd/**', 'a', '/workspace/d/.'], '/workspace/d/./f:a\n'],
    ['a bracket that is never closed', { '.ignore': '[z\n', '[z': 'x', y: 'x' }, ['--files'], 'y\n'],
    ['blocks that touch are one to -r', { f: 'one\ntwo\n' }, ['-U', '-r', '+', '\\n', 'f'], 'one+two+\n'],
    ['-r across lines', { f: 'a(\n b)\nc\n' }, ['-Uor', '<$1>', '(?s)a\\((.*?)\\)', 'f'], '<\n b>\n'],
    ['a file with UTF-16 among others', { f: Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0a, 0), g: 'b\n' }, ['a'], 'f:a\n'],
    ['-q says nothing', { f: 'a\n' }, ['-q', 'a'], ''],
    ['--crlf --trim leaves the ending of an empty line', { f: '  a\r\n \r\n' }, ['--crlf', '--trim', '\\W', 'f'], 'a\r\n\r\n'],
    [
      '--crlf -U ends lines whose matches are known',
      { f: 'foo\nb\n' },
      ['--crlf', '-U', '--column', 'foo\\s', 'f'],
      '1:1:foo\r\n',
    ],
    ['--null-data --trim leaves out line feeds', { f: '\n a\0' }, ['--null-data', '--trim', 'a', 'f'], 'a\0'],
    [
      '-Uo --trim leaves out blanks at the beginning of a line only',
      { f: ' a  b\n  c\n' },
      ['-Uo', '--trim', '(?s).', 'f'],
      'a\n \n \nb\nc\n',
    ],
    [
      '--trim -M before colours measures the stored line',
      { f: '   abcde\n' },
      ['--color=always', '--trim', '-oM2', '   ab', 'f'],
      '[Omitted long matching line]\n',
    ],
    ['no word is beside a byte that is no text', { f: latin('\xffa\n-a\na\xc3 b\n') }, ['-wob', '[ab]', 'f'], '4:a\n9:b\n'],
    ['half a boundary is not there either', { f: latin('\xc3-b\n') }, ['-ob', '\\b{start-half}.', 'f'], '2:b\n'],
    ['and no absence of a boundary', { f: latin('\xff-\n-\n') }, ['-ob', '\\B', 'f'], '2:\n3:\n4:\n'],
    ['a boundary of a word is', { f: latin('\xc3b\n') }, ['-ob', '\\bb', 'f'], '1:b\n'],
    ['without Unicode a byte is no letter', { f: latin('\xffa\n') }, ['-ob', '(?-u)\\b{start-half}a', 'f'], '1:a\n'],
    ['-P looks ahead', { f: 'foobar\nbarfoo\n' }, ['-Pno', 'foo(?=bar)', 'f'], '1:foo\n'],
    ['-P refers back', { f: 'abab\nabba\n' }, ['-P', '(ab)\\1', 'f'], 'abab\n'],
    ['-P with groups', { f: 'x42\n' }, ['-Pr', '<$1>', '(\\d)(?=2)', 'f'], 'x<4>2\n'],
    ['-P across lines', { f: 'foo\nbar\n' }, ['-UPo', '(?<=foo\\n)bar', 'f'], 'bar\n'],
    ['-P with bytes that are no text', { f: Uint8Array.of(0xff, 0xc3, 0xa9, 0x62, 10) }, ['-Pob', 'b(?=$)', 'f'], '3:b\n'],
    ['--engine auto takes what default refuses', { f: 'abab\n' }, ['--engine=auto', '(ab)\\1', 'f'], 'abab\n'],
    ['a .jj is a repository', { '.jj/x': '', '.gitignore': 'a\n', a: 'x', b: 'x' }, ['--files'], 'b\n'],
    ['--passthru without a match', { f: 'a\nb\n' }, ['--passthru', 'c', 'f'], 'a\nb\n'],
    ['--sort created', { f: 'a\n', g: 'a\n' }, ['--sort', 'created', '--files'], 'f\ng\n'],
    [
      'matches that touch have one colour',
      { f: 'aab\n' },
      ['--color=always', '-I', 'a', 'f'],
      '\x1b[0m\x1b[1m\x1b[31maa\x1b[0mb\n',
    ],
    ['-v across lines', { f: 'a b\nc d\n\n e\nf\n' }, ['-Uv', '\\s+\\w', 'f'], 'f\n'],
    ['classes of --null-data', { f: 'a b\0c\nd\0e\0' }, ['--null-data', '\\s', 'f'], 'a b\0c\nd\0'],
    ['-m across lines counts matches', { f: 'a\nba\nb\n' }, ['-Un', '-m1', 'a\\nb', 'f'], '1:a\n2:ba\n'],
    ['-P with --crlf across lines', { f: 'one\r\ntwo\n' }, ['-PU', '--crlf', 'e$|o$', 'f'], 'one\r\ntwo\n'],
    ['-P swaps greed', { f: 'aaa\n' }, ['-Po', '(?U)a+|(?U:a+?)x', 'f'], 'a\na\na\n'],
    ['-P with swapped greed and ?', { f: 'aaa\n' }, ['-Po', '(?U)a+?', 'f'], 'aaa\n'],
    ['-P without Unicode folds ASCII only', { f: 'δ\nd\n' }, ['-Pi', '--no-unicode', 'Δ|D', 'f'], 'd\n'],
    ['-P without a pattern matches nothing', { f: 'a\n', none: '' }, ['-Pvf', 'none', 'f'], 'a\n'],
    ['-P reads a pattern as a group', { f: 'a\n' }, ['-P', ')(', 'f'], 'a\n'],
    ['no summary where nothing can match', { f: 'a\n', none: '' }, ['--json', '-m0', 'a', 'f'], ''],
    ['nor with no pattern', { f: 'a\n', none: '' }, ['--stats', '-f', 'none', 'f'], ''],
    [
      'the bytes up to the first line that ends a run',
      { f: 'a\nb\nc\n' },
      ['--stop-on-nonmatch', '--stats', 'a', 'f'],
      /^4 bytes searched$/m,
    ],
    [
      'messages of --passthru without a match',
      { f: 'b\n' },
      ['--json', '--passthru', 'a', 'f'],
      /^\{"type":"begin".*\n\{"type":"context".*"b\\n".*\n\{"type":"end"/,
    ],
    [
      'matches in the context of -v in messages',
      { f: 'a\nb\n' },
      ['--json', '-vC1', 'a', 'f'],
      /"context".*"submatches":\[\{"match":\{"text":"a"\}/,
    ],
    [
      'UTF-16 behind a mark of UTF-8',
      { f: Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0, 10, 0) },
      ['-E', 'utf-16le', 'a', 'f'],
      'a\n',
    ],
    ['windows-1252', { f: Uint8Array.of(0x97, 10) }, ['-E', 'latin1', '—', 'f'], '—\n'],
    ['an empty match behind the last line has lines before it', { f: 'a\nb\n' }, ['-U', '-B1', '\\z', 'f'], 'b\n'],
    ['and stands apart from what matches', { f: 'a\nb\nc\nd\n' }, ['-nU', '-C1', 'a\\n|\\z', 'f'], '1:a\n2-b\n--\n4-d\n'],
    ['--null-data has lines within', { f: 'a\nb\u0000c\u0000' }, ['--null-data', '^b', 'f'], 'a\nb\u0000'],
    ['--null-data -x', { f: 'a\nb\u0000c\u0000' }, ['--null-data', '-cx', 'b', 'f'], '1\u0000'],
    ['-U -v limits the matches, not the lines', { f: 'a\nb\nc\nd\n' }, ['-nUv', '-m1', 'b\\n', 'f'], '1:a\n3:c\n4:d\n'],
    [
      '--stop-on-nonmatch -v leaves out one line',
      { f: ' \nfoo\nab\nfoo\nb\n' },
      ['--stop-on-nonmatch', '-nv', 'foo', 'f'],
      '1: \n3:ab\n',
    ],
    [
      'colours have names in any case',
      { f: 'a\n' },
      ['--color=always', '--colors', 'MATCH:FG:Blue', 'a', 'f'],
      '\u001b[0m\u001b[1m\u001b[34ma\u001b[0m\n',
    ],
    [
      '--vimgrep -M counts the match alone',
      { f: 'abcabc\n' },
      ['--vimgrep', '-M3', '--max-columns-preview', '[ab]', 'f'],
      'f:1:1:abc [... 2 more matches]\nf:1:2:abc [... 2 more matches]\nf:1:4:abc [... 2 more matches]\nf:1:5:abc [... 2 more matches]\n',
    ],
    [
      '-U -M counts an empty match at the end of the line',
      { f: 'abcabc\nb\n' },
      ['-U', '-M3', '--max-columns-preview', 'x*', 'f'],
      'abc [... omitted end of long line]\nb\n',
    ],
    ['blanks in a counted repetition', { f: 'aa\n' }, ['a{ 2 }', 'f'], 'aa\n'],
    ['-U -o of line feeds prints nothing', { f: 'a\n', g: 'a\nb\n' }, ['-U', '-o', '-B1', '\\n', 'f', 'g'], ''],
    ['a number with a sign', { f: 'a\na\n' }, ['-m', '+1', 'a', 'f'], 'a\n'],
    ['texts need no program', { f: 'foo\n' }, ['--regex-size-limit', '1', 'foo|bar', 'f'], 'foo\n'],
    ['-m0', { f: 'a\n' }, ['-m0', '--stats', 'a', 'f'], ''],
    [
      '--json --binary --passthru',
      { f: 'a\nb\0\nc\n' },
      ['--json', '--binary', '--passthru', 'b', 'f'],
      /"context".*"a\\n".*\n.*"match".*"b\\u0000\\n".*\n.*"context".*"c\\n".*\n.*"binary_offset":3.*"bytes_searched":3/,
    ],
    [
      'a glob of a name holds above the working directory',
      { 'd/f': 'a\n' },
      ['--files', '-g', 'f', '../workspace'],
      '../workspace/d/f\n',
    ],
    ['globs are about the path as it was asked for', { 'd/f': 'a\n' }, ['--files', '-g', 'd/*', '../workspace', 'd'], 'd/f\n'],
    ['-v reads on to binary data', { f: `foo\n${'filler line\n'.repeat(6000)}\0\n` }, ['-vl', 'foo'], ''],
    [
      'a byte that is no text is a character',
      { f: latin('n\xefve foo\n') },
      ['-M3', '--max-columns-preview', 'foo', 'f'],
      'n\ufffdv [... omitted end of long line]\n',
    ],
    ['colours do not count as printed', { f: 'foo\n' }, ['--color=always', '--stats', 'foo', 'f'], /^4 bytes printed$/m],
    ['many matches in a long line', { f: `${'x'.repeat(100_000)}\n` }, ['-U', '--count-matches', '[\\s\\S]', 'f'], '100001\n'],
    ['a label of UTF-8', { f: Uint8Array.of(0x61, 0xff, 10) }, ['-E', 'utf-8', 'a', 'f'], 'a\ufffd\n'],
  ])('%s', async (_what, tree, words, out) => {
    const { out: printed } = await run(tree, words)
    if (typeof out === 'string') expect(printed).toBe(out)
    else expect(printed).toMatch(out)
  })
})

describe('exit codes', () => {
  it.each<[words: readonly string[], code: number]>([
    [['--files-without-match', 'a', 'f'], 1],
    [['--files-without-match', 'b', 'f'], 0],
    [['-q', '--files-without-match', 'b', 'f'], 0],
    [['a\\x00', 'f'], 2],
    [['(?x) a # b', 'f'], 2],
    [['(?x) a # b\n', 'f'], 0],
    [['-e', '(?x)a#', '-e', 'a', 'f'], 2],
    [['-a', 'a\\x00?', 'f'], 0],
    [['--no-unicode', 'δ', 'f'], 1],
    [['-P', 'a(', 'f'], 2],
    [['-m0', 'a(', 'f'], 1],
    [['--files', ''], 2],
    [['-P', '(?=a)', 'f'], 0],
  ])('%j', async (words, code) => {
    expect((await run({ f: 'a\n' }, words)).code).toBe(code)
  })
})

describe('errors in the words of ripgrep', () => {
  it.each<[words: readonly string[], message: string]>([
    [['-f', 'none', 'f'], 'none: No such file or directory (os error 2)'],
    [['a', 'f/x'], 'f/x: IO error for operation on f/x: Not a directory (os error 20)'],
    [['--heading=1', 'a'], 'invalid CLI arguments: unexpected argument for option \'--heading\': "1"'],
    [
      ['-m', '99999999999999999999', 'a'],
      'error parsing flag -m: value is not a valid number: number too large to fit in target type',
    ],
    [['--type-add', 'x:include:none', 'a'], 'invalid definition (format is type:glob, e.g., html:*.html)'],
    [['-t', 'none', '--type-list'], 'unrecognized file type: none'],
    [
      ['--colors', 'match:fg:1,2', 'a'],
      "error parsing flag --colors: unrecognized RGB color triple, should be '[0-255],[0-255],[0-255]' (or a hex triple), but is '1,2'",
    ],
    [
      ['--colors', 'match:fg:constructor', 'a'],
      "error parsing flag --colors: unrecognized color name 'constructor'. Choose from: black, blue, green, red, cyan, magenta, yellow, white",
    ],
    [
      ['--colors', 'match:fg:256', 'a'],
      "error parsing flag --colors: unrecognized ansi256 color number, should be '[0-255]' (or a hex number), but is '256'",
    ],
    [
      ['(?=a)', 'f'],
      'regex parse error:\n    (?:(?=a))\n       ^^^\nerror: look-around, including look-ahead and look-behind, is not supported\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around.',
    ],
  ])('%j', async (words, message) => {
    expect((await run({ f: 'a\n' }, words)).err).toBe(`rg: ${message}\n`)
  })
})

it('names a text on which -P takes too many steps, and searches the others', async () => {
  const { out, err, code } = await run({ f: `${'a'.repeat(40)}b\n`, g: 'aa\n' }, ['-P', '(a+)+$'])
  expect(out).toBe('g:aa\n')
  expect(err).toMatch(/^rg: f: PCRE2: .*match limit exceeded/)
  expect(code).toBe(2)
})

it('--debug says why a path is left out', async () => {
  const { err } = await run({ '.ignore': 'f\n', f: 'a', g: 'a', '.h': 'a' }, ['--debug', 'a'])
  expect(err).toContain('DEBUG|f: left out, because an ignore file names it')
  expect(err).toContain('DEBUG|.h: left out, because it is hidden')
})

it('says that a filter left nothing to search', async () => {
  const { err, code } = await run({ '.ignore': 'f\n', f: 'a' }, ['a'])
  expect(code).toBe(2)
  expect(err).toMatch(/^rg: No files were searched/)
  expect((await run({ '.ignore': 'f\n', f: 'a' }, ['--no-messages', 'a'])).err).toBe('')
})

it('reads the file that RIPGREP_CONFIG_PATH names, unless it is told not to', async () => {
  const tree = { f: 'A\n', config: '# ours\n--ignore-case\n' }
  expect((await run(tree, ['a', 'f'], { RIPGREP_CONFIG_PATH: 'config' })).out).toBe('A\n')
  expect((await run(tree, ['--no-config', 'a', 'f'], { RIPGREP_CONFIG_PATH: 'config' })).code).toBe(1)
})

it('goes on without a RIPGREP_CONFIG_PATH that cannot be read, and says so', async () => {
  expect(await run({ f: 'a\n' }, ['a', 'f'], { RIPGREP_CONFIG_PATH: 'none' })).toEqual({
    out: 'a\n',
    err: 'rg: failed to read the file specified in RIPGREP_CONFIG_PATH: none: No such file or directory (os error 2)\n',
    code: 0,
  })
})

it.each<[what: string, words: readonly string[], env: Readonly<Record<string, string>>, out: string]>([
  ['that ~/.gitconfig names', [], { HOME: '/workspace/home' }, 'other\nplace\n'],
  ['where git looks for it', [], { HOME: '/workspace/empty', XDG_CONFIG_HOME: '/workspace/settings' }, 'other\nuser\n'],
  ['but not with --no-ignore-global', ['--no-ignore-global'], { HOME: '/workspace/home' }, 'other\nplace\nuser\n'],
  ['nor with --no-ignore-vcs', ['--no-ignore-vcs'], { HOME: '/workspace/home' }, 'other\nplace\nuser\n'],
  ['nor with -u', ['-u'], { HOME: '/workspace/home' }, 'other\nplace\nuser\n'],
])('obeys the ignore file of the user %s', async (_what, words, env, out) => {
  const tree = {
    '.git/HEAD': '',
    'home/.gitconfig': '[core]\n\texcludesFile = "~/rules"\n',
    'home/rules': 'user\n',
    'settings/git/ignore': 'place\n',
    other: '',
    place: '',
    user: '',
  }
  expect((await run(tree, ['--files', '-g', '!/home', '-g', '!/settings', ...words], env)).out).toBe(out)
})

it.each<[words: readonly string[], err: string]>([
  [['--files'], "rg: ./.gitignore: line 2: error parsing glob 'b\\': dangling '\\'\n"],
  [['--files', '--no-ignore-messages'], ''],
  [['--files', 'd'], "rg: /workspace/.gitignore: line 2: error parsing glob 'b\\': dangling '\\'\n"],
  [['--files', '--ignore-file', '.gitignore', '-u'], "rg: .gitignore: line 2: error parsing glob 'b\\': dangling '\\'\n"],
  [['--files', '--ignore-file', 'blanks', '-u'], "rg: blanks: line 2: error parsing glob 'c\\': dangling '\\'\n"],
  [['-tx', '--type-add', 'x:[', 'a'], "rg: error parsing glob '[': unclosed character class; missing ']'\n"],
  [['-f', 'bad', 'a'], 'rg: bad:2: found invalid UTF-8 in pattern at byte offset 1: write the byte as (?-u:\\xFF) to find it\n'],
])('%j says what is wrong in a file of rules or patterns', async (words, err) => {
  const tree = {
    blanks: 'c\\ \nc\\  \n',
    '.git/HEAD': '',
    '.gitignore': 'a\nb\\\n',
    'd/e': '',
    bad: latin('\xef\xbf\xbd\nx\xff\n'),
  }
  expect((await run(tree, words)).err).toBe(err)
})

it('--json has a message for each line, and bytes where there is no text', async () => {
  const { out } = await run({ f: Uint8Array.from('a\nb\xff\nc\n', character => character.charCodeAt(0)) }, [
    '--json',
    '-B1',
    'b',
    'f',
  ])
  const messages = out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(messages).toMatchObject([
    { type: 'begin', data: { path: { text: 'f' } } },
    { type: 'context', data: { lines: { text: 'a\n' }, line_number: 1, absolute_offset: 0, submatches: [] } },
    {
      type: 'match',
      data: {
        lines: { bytes: 'Yv8K' },
        line_number: 2,
        absolute_offset: 2,
        submatches: [{ match: { text: 'b' }, start: 0, end: 1 }],
      },
    },
    { type: 'end', data: { binary_offset: null, stats: { searches: 1, searches_with_match: 1, matched_lines: 1, matches: 1 } } },
    { type: 'summary', data: { stats: { searches_with_match: 1 } } },
  ])
})

it('--json keeps the separators of paths', async () => {
  expect((await run({ 'd/f': 'a\n' }, ['--json', '--path-separator', '_', 'a'])).out).toContain('"text":"d/f"')
})

it('--json -N has no line numbers', async () => {
  expect((await run({ f: 'a\n' }, ['--json', '-N', 'a', 'f'])).out).toContain('"line_number":null')
})

it.each<[words: readonly string[], count: number]>([
  [['--no-mmap', '--stats', 'nope', 'f'], 12],
  [['--mmap', '--stats', 'nope', 'f'], 3],
  [['--stats', '-a', 'nope', 'f'], 12],
])('%j counts the searched bytes of a binary file', async (words, count) => {
  expect((await run({ f: 'foo\0bar\nfoo\n' }, words)).out).toContain(`\n${count} bytes searched\n`)
})

it('--stats counts what was searched', async () => {
  const { out } = await run({ f: 'a1\na2\nb\n', g: 'b\n' }, ['--stats', 'a'])
  for (const said of [
    '\n2 matches\n',
    '\n2 matched lines\n',
    '\n1 files contained matches\n',
    '\n2 files searched\n',
    ' bytes searched\n',
  ])
    expect(out).toContain(said)
})

it.each<[pattern: string, name: string]>([
  ['(*COMMIT)a', '(*COMMIT) before the first character'],
  ['(?:|(*COMMIT))a|b', '(*COMMIT) before the first character'],
  ['a+(*PRUNE)b|a', '(*PRUNE) or (*SKIP) behind a repetition'],
  ['(?>a+)x?(*PRUNE)b|a', '(*PRUNE) or (*SKIP) behind a repetition'],
  ['\\w+a(*SKIP)b|a', '(*PRUNE) or (*SKIP) behind a repetition'],
  ['a.*?b(*PRUNE)c|a', '(*PRUNE) or (*SKIP) behind a repetition'],
  ['a(?=b(*PRUNE)c)', '(*PRUNE) in a look-around'],
  ['a(?<!(*COMMIT)b)', '(*COMMIT) in a look-around'],
  ['a(*THEN)b', '(*THEN)'],
  ['(*MARK:x)a(*SKIP:x)b', '(*SKIP)'],
])('-P refuses %s by name', async (pattern, name) => {
  expect(await run({ f: 'aac\n' }, ['-P', pattern])).toMatchObject({ out: '', code: 2, err: expect.stringContaining(`${name}`) })
})

it.each(['(?<=(?R))a', '(a(?<=\\1))', '(a(?<=(?1)))', '(?<=\\X)a', '(a+)(?<=\\1)'])(
  '-P has no look behind without a limit: %s',
  async pattern => {
    expect((await run({ f: 'a\n' }, ['-P', pattern])).err).toContain('length of lookbehind assertion is not limited')
  },
)

describe('the table of flags', () => {
  it('has each name once', () => {
    const names = flags.flatMap(({ name, short, aliases = [], negated }) => [
      `--${name}`,
      ...aliases.map(alias => `--${alias}`),
      ...(short === undefined ? [] : [`-${short}`]),
      ...(negated === undefined ? [] : [`--${negated}`]),
    ])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it.each(['--help', '-h', '--generate=man', '--generate=complete-bash', '--generate=complete-zsh', '--generate=complete-fish'])(
    '%s names every flag',
    async word => {
      const { out, code } = await run({}, [word])
      expect(code).toBe(0)
      expect(flags.filter(({ name }) => !out.replaceAll('\\', '').includes(name)).map(({ name }) => name)).toEqual([])
    },
  )

  it.each([
    ['-V', /^ripgrep 15\.0\.0 .*\n$/],
    ['--version', /^ripgrep 15\.0\.0 .*\n\nfeatures:\+pcre2\n/],
    ['--pcre2-version', /^PCRE2 10\.45 is available.*\n$/],
  ])('%s', async (word, out) => {
    expect(await run({}, [word])).toMatchObject({ out: expect.stringMatching(out), code: 0 })
  })

  it('offers a name like the one that was misspelt', async () => {
    const { err } = await run({}, ['--max-co', 'x'])
    expect(err).toBe('rg: unrecognized flag --max-co\n\nsimilar flags that are available: --max-columns, --max-count\n')
  })
})

/** Nobody may list or read what is called `locked`, or look below it. */
function withLocks(vfs: Vfs): Vfs {
  const checked = (path: string, isLooked = false): string => {
    const names = path.split('/')
    if (names.slice(0, isLooked ? -1 : undefined).some(name => name.startsWith('locked')))
      throw new VfsError('EACCES', 'open', { path })
    return path
  }
  const { sync: _sync, ...others } = vfs
  return {
    ...others,
    caps: async () => ({ ...(await vfs.caps()), snapshots: false }),
    readdir: async path => vfs.readdir(checked(path)),
    readFile: async (path, range) => vfs.readFile(checked(path), range),
    stat: async path => vfs.stat(checked(path, true)),
    lstat: async path => vfs.lstat(checked(path, true)),
  }
}

const refused = 'Permission denied (os error 13)\n'

it.each<[words: readonly string[], ran: Ran]>([
  [
    ['x'],
    {
      out: 'a:x\nz/b:x\n',
      err: `rg: ./locked: IO error for operation on ./locked: ${refused}rg: z/locked: ${refused}`,
      code: 2,
    },
  ],
  [['--no-messages', '-c', 'x'], { out: 'a:1\nz/b:1\n', err: '', code: 2 }],
  [['--files'], { out: 'a\nz/b\nz/locked\n', err: `rg: ./locked: IO error for operation on ./locked: ${refused}`, code: 2 }],
  [['x', 'locked'], { out: '', err: `rg: locked: IO error for operation on locked: ${refused}`, code: 2 }],
  [['x', 'locked/c', 'a'], { out: 'a:x\n', err: `rg: locked/c: IO error for operation on locked/c: ${refused}`, code: 2 }],
  [['x', 'a', '--ignore-file', 'z/locked'], { out: 'x\n', err: `rg: z/locked: ${refused}`, code: 0 }],
])('%j searches what it may read', async (words, ran) => {
  expect(await run({ a: 'x\n', 'locked/c': 'x\n', 'z/b': 'x\n', 'z/locked': 'x\n' }, words, {}, withLocks)).toEqual(ran)
})
