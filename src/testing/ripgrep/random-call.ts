// Calls of ripgrep with any of its flags, for a tree of random-tree.ts. A call often combines flags of one family, which influence each other.

import type { Random } from '../random.ts'
import { randomPattern } from './random-patterns.ts'
import { randomContent, randomText, type RandomTree } from './random-tree.ts'

export interface RandomCall {
  readonly words: readonly string[]
  /** A directory below the tree's root; empty: the root. */
  readonly cd: string
  readonly stdin: string | Uint8Array | undefined
}

type Flag = (random: Random) => readonly string[]
const word =
  (...words: readonly string[]): Flag =>
  () =>
    words
const valued =
  (flag: string, ...values: readonly string[]): Flag =>
  random => [flag, random.pick(values)]
const several = (text: string): readonly Flag[] => text.split(' ').map(flag => word(flag))

const separators = ['', '#', '\\t', '\\x00', '::', '\\xff', '\\\\', 'é', '\\x', '\\x4', '\\n']
const numbers = ['0', '1', '1', '2', '3', '5', '10']
const globs = [
  ...[
    '*.ts',
    '!*.ts',
    '*.{ts,js}',
    'd/**',
    '!d',
    '*',
    '!*',
    'a',
    '**/a',
    '/a',
    'src/',
    '!src/',
    '*.TS',
    '.*',
    '!.git',
    '[ab]',
    'd/*',
  ],
  ...[
    'e',
    'd/e/',
    '**',
    '*/',
    '{a,b}',
    '',
    '#a',
    'd',
    '.hid',
    '.env',
    '!.env',
    'z[[]1]',
    '-dash',
    '*.log',
    'build/**',
    '/d/e/*',
    'A',
    'é',
  ],
  ...['src/.h/*', '**/.h/**', './a', '../*', '*a*', '!d/e', '!**/e/**', 'ln', '.cfg', '.cfg/**', '!*.{ts,md}', '[!a]', 'd/e/f/*'],
]
const types = ['ts', 'js', 'rust', 'txt', 'md', 'all', 'make', 'nope', 'log', 'py']
const colors = [
  ...[
    'match:fg:blue',
    'match:none',
    'path:bg:white',
    'line:style:bold',
    'column:fg:0xff,0,1',
    'match:style:underline',
    'match:bg:27',
  ],
  ...[
    'highlight:bg:red',
    'match:style:nobold',
    'path:none',
    'match:style:intense',
    'highlight:fg:green',
    'match:style:italic',
    'x:fg:red',
  ],
]
const replacements = [
  '',
  'X',
  '$0',
  '$1',
  '[$1]',
  '${1}x',
  '$n',
  '$$',
  '$1a',
  '$',
  '${n}',
  '\\n',
  '\n',
  '$2-$1',
  'é',
  '${',
  '$foo',
  '<$0>',
]

const context: readonly Flag[] = [
  valued('-A', ...numbers),
  valued('-B', ...numbers),
  valued('-C', ...numbers),
  random => [`-C${random.pick(numbers)}`],
  valued('--context-separator', ...separators),
  word('--no-context-separator'),
  valued('--field-context-separator', ...separators),
  ...several('--passthru --stop-on-nonmatch'),
  random => [`-m${random.pick(numbers)}`],
]
const matching: readonly Flag[] = [
  ...several('-F -i -i -v -v -x -w -w -S -U -U -P -a --crlf --null-data --no-unicode --multiline-dotall --binary -s'),
  random => ['-e', randomPattern(random, 'line')],
  valued('-f', 'pats', 'pats', 'none', '-'),
  valued('-E', 'utf-8', 'latin1', 'utf-16le', 'utf-16', 'none', 'auto', 'sjis', 'foo', 'utf-16be', 'ascii'),
  word('-z'),
  valued('--engine', 'default', 'auto', 'x'),
]
const output: readonly Flag[] = [
  ...several(
    '-n -n -N -b --column --no-column --heading --no-heading -o -o --trim --vimgrep -H -I -0 -p --include-zero --max-columns-preview',
  ),
  ...several('-c -c --count-matches --count-matches -l --files-without-match --json --json --stats --stats -q --no-messages'),
  valued('-M', '0', '1', '3', '5', '10', '50', '200'),
  random => ['-M', random.pick(['3', '5', '10', '100']), '--max-columns-preview'],
  valued('-r', ...replacements),
  valued('-r', ...replacements),
  valued('--field-match-separator', ...separators),
  // Not `/`: behind a mistake it would be the path of the whole machine.
  valued('--path-separator', '', '\\', '::', 'Z', '\\\\'),
  valued('--color', 'always', 'never', 'auto', 'ansi', 'x'),
  random => ['--color=always', '--colors', random.pick(colors)],
]
const files: readonly Flag[] = [
  ...several('--files --files -L -. --hidden -u -uu -uuu --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files'),
  ...several(
    '--no-ignore-parent --no-ignore-vcs --no-require-git --ignore-file-case-insensitive --glob-case-insensitive --one-file-system',
  ),
  valued('-g', ...globs),
  valued('-g', ...globs),
  valued('--iglob', ...globs),
  valued('--ignore-file', 'extra.ign', 'none', './extra.ign'),
  valued('-d', ...numbers),
  valued('--max-filesize', '10', '1K', '0', '100', 'x', '50'),
  valued('-t', ...types),
  valued('-T', ...types),
  valued('--type-add', 'foo:*.md', 'bar:include:ts,js', 'x', 'foo:', 'ts:*.txt', 'a-b:*', 'x:include:nope'),
  word('--type-add', 'foo:*.{md,ts}', '-tfoo'),
  valued('--type-clear', ...types),
  valued('--sort', 'path', 'modified', 'x'),
  valued('--sortr', 'path', 'modified'),
  valued('--max-depth', ...numbers, '-1', 'x'),
  valued('--type-not', ...types),
  valued('--type-add', 'web:include:js,md', 'foo:*.ts', 'md:README', 'txt:*.{log,txt}'),
  random => ['--type-add', 'own:*.{rs,log}', random.pick(['-t', '-T']), 'own'],
  random => ['-g', random.pick(globs), '-g', random.pick(globs)],
]
const rare: readonly Flag[] = [
  word('--pre', 'cat'),
  word('--pre-glob', '*.ts'),
  valued('--hyperlink-format', 'default', 'none', 'x'),
  word('--type-list'),
  valued('--generate', 'x'),
  random => ['-e', randomPattern(random, 'line'), '-e', randomPattern(random, 'line'), '-e', randomPattern(random, 'line')],
  random => ['--json', random.pick(['-c', '-l', '--files', '-r', '-b', '-A1', '--vimgrep', '--stats'])],
  random => ['--passthru', random.pick(['-o', '-v', '-c', '-m1', '-r', '--json', '-A1', '--stop-on-nonmatch'])],
  ...several(
    '--no-crlf --mmap --no-mmap --auto-hybrid-regex --no-pcre2-unicode -j1 --block-buffered --line-buffered --sort-files --no-json',
  ),
  ...several(
    '--no-ignore-messages --no-stats --no-config --no-hidden --no-text --no-binary --no-fixed-strings --no-invert-match --no-multiline',
  ),
  ...several(
    '--no-pcre2 --no-trim --no-max-columns-preview --ignore --ignore-vcs --no-search-zip --no-encoding --unicode --no-byte-offset',
  ),
  ...several('--no-include-zero --no-follow --messages --require-git --nope -Q -Ax -m --max-count= --heading=1 --sort -d -é -nZ'),
]
const families = [context, matching, output, files]
const all = [...families.flat(), ...rare]

const places = [
  ...[
    'a',
    'b',
    'd',
    'd/',
    'd/e',
    '.',
    './',
    './d',
    'none',
    'src',
    'src/.h',
    '.hid',
    'c.ts',
    './a',
    'd/../a',
    'd//e',
    'build',
    '-',
    'ln',
  ],
  ...['é', 'p.gz', '', '..', '.git', 'd/ln', 'none/x', 'a/x', './/d', 'd/.', '../t', 'pats'],
]

function randomFlags(random: Random): readonly (readonly string[])[] {
  const count = 1 + random.below(5)
  const family = random.chance(0.4) ? random.pick(families) : all
  return Array.from({ length: count }, () => random.pick(random.chance(0.75) ? family : all)(random))
}

/** `root` is the tree's absolute path, which a call may name. */
export function randomCall(random: Random, tree: RandomTree, root: string): RandomCall {
  const flags = [...randomFlags(random)]
  const has = (...words: readonly string[]): boolean => flags.some(flag => flag.some(part => words.includes(part)))
  if (!has('-U') && random.chance(0.25)) flags.push(['-U'])
  const kind = has('-P') ? 'perl' : has('-U') && random.chance(0.8) ? 'spanning' : 'line'
  const words = flags.flat()
  const rest: string[] = []
  if (has('-e', '-f', '--files') ? random.chance(0.1) : !random.chance(0.01)) rest.push(randomPattern(random, kind))
  const existing = Object.keys(tree)
  for (let count = random.pick([0, 0, 0, 1, 1, 1, 2, 3]); count > 0; count--) {
    const path = random.chance(0.5) ? random.pick(existing) : random.pick(places)
    rest.push(random.chance(0.03) ? `${root}/${path}` : path)
  }
  if (rest[0]?.startsWith('-') === true && random.chance(0.8)) words.push('--')
  words.push(...rest)
  const isPiped = random.chance(0.12) || words.includes('-')
  return {
    words,
    cd: random.chance(0.08) && existing.some(path => path.startsWith('d/')) ? 'd' : '',
    stdin: isPiped ? (random.chance(0.8) ? randomText(random) : randomContent(random)) : undefined,
  }
}
