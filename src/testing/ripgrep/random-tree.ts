// Small trees of files in which searches and ignore rules meet what is unusual: line endings, encodings, null bytes, links, repositories.

import { gzipSync } from 'node:zlib'

import type { Random } from '../random.ts'

/** The files of a tree by their paths below its root. */
export type RandomTree = Readonly<Record<string, RandomNode>>
type RandomNode = string | Uint8Array | { readonly link: string } | { readonly directory: true }

/** Bytes that are written as characters. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0))

const lines = [
  ...[
    'foo',
    'bar',
    'foo bar',
    'Foo BAR foo',
    'foobar',
    'barfoo foo',
    '',
    '',
    '  foo',
    '\tbar  foo ',
    'a',
    'aa',
    'ab',
    'abc',
    'b',
  ],
  ...['é foo', 'δ Δ', 'foo.bar', 'foo(bar)', '-foo', 'x=1', 'foo foo foo', 'naïve foo', '12 foo 345', 'a b c', ' ', 'zzz'],
  ...['日本 foo', '😀 foo', 'end', '_foo_', 'foo_bar', "it's", 'Bar', 'FOO', 'f', 'foo,bar', 'ſtraße K', 'a\tb'],
]

export function randomText(random: Random): string {
  const count = random.pick([0, 1, 1, 2, 3, 4, 5, 7, 10, 14])
  const [isCrlf, isMixed] = [random.chance(0.1), random.chance(0.05)]
  let text = ''
  for (let index = 0; index < count; index++) {
    text += random.pick(lines)
    if (random.chance(0.03)) text += `${'w'.repeat(random.below(300))} foo ${'v'.repeat(random.below(200))}`
    const isUnended = index === count - 1 && random.chance(0.3)
    text += isUnended ? '' : isCrlf !== (isMixed && random.chance(0.5)) ? '\r\n' : '\n'
  }
  return text
}

const asUtf8 = (text: string): string => Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join('')

function withNull(random: Random): Uint8Array {
  const text = randomText(random)
  const at = random.below(text.length + 1)
  return bytesOf(`${asUtf8(text.slice(0, at))}\0${asUtf8(text.slice(at))}`)
}

function utf16(random: Random): Uint8Array {
  const isBig = random.chance(0.4)
  const text = `\ufeff${randomText(random)}`
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return Uint8Array.from(units.flatMap(unit => (isBig ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8])))
}

const latin = (random: Random): string => randomText(random).replaceAll(/[^\u0000-\u00ff]/gu, '?')

/** Lines without a match that fill more than ripgrep reads at once. */
const filler = 'filler line\n'.repeat(6000)

type Make = (random: Random) => string | Uint8Array

const contents: readonly [weight: number, make: Make][] = [
  [74, randomText],
  [6, withNull],
  [3, utf16],
  [3, random => bytesOf(latin(random))],
  [3, random => `\ufeff${randomText(random)}`],
  [2, random => bytesOf(latin(random).replace('foo', 'foo\xff\xfe'))],
  [2, random => randomText(random).replaceAll('\n', '\0')],
  [3, () => ''],
]
const ofManyLines: readonly [weight: number, make: Make][] = [
  [1, random => `${filler}${randomText(random)}\0${randomText(random)}`],
  [1, random => `foo\n${filler}${randomText(random)}\0${randomText(random)}`],
  [1, random => `${filler}${randomText(random)}`],
  [1, random => `${filler}${randomText(random)}${randomText(random).replace('\n', '\0\n')}${randomText(random)}`],
]
const ofLongLines: readonly [weight: number, make: Make][] = [
  [1, random => `${'x'.repeat(70_000)} foo ${'y'.repeat(70_000)}\n${randomText(random)}`],
]
const weighted = (list: readonly [weight: number, make: Make][]): readonly Make[] =>
  list.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))

/**
 * A tree has either files of many lines or long lines. A long line makes ripgrep read more at once in all files behind it, and so find
 * null bytes earlier.
 */
const contentsOfTree = [weighted([...contents, ...ofManyLines]), weighted([...contents, ...ofLongLines])]

export const randomContent = (random: Random): string | Uint8Array => random.pick(weighted(contents))(random)

const names = 'a,b,c.ts,d.js,e.rs,f.txt,g.md,h.log,README,a b,é,.hid,.env,x.TS,Makefile,-dash,z[1]'.split(',')
const directories = ['', '', '', 'd/', 'd/e/', 'src/', 'src/.h/', 'build/', 'd/e/f/', '.cfg/', 'node_modules/']
const rules = [
  ...[
    '*.log',
    'build/',
    '/build',
    'd/e',
    '!a',
    'a',
    'b',
    '*.ts',
    '!*.ts',
    'src/',
    '**/f',
    '/a',
    '.hid',
    '!.hid',
    '*',
    '!*/',
    '!d/',
  ],
  ...['# c', '', 'foo\\ ', 'a b', 'e/', '/d/*.js', '**/e/**', 'd/**', '[ab]', 'README', '!README', '.*', '!.cfg/', 'A', '*.TS'],
  ...['!src/.h/', 'F', 'e/f/a', '/e/a', '!/d/', 'd/*', '!d/e', '?', '!?', '.*/', '!.*', 'z\\[1\\]', 'é', '*.md ', '!*.md'],
]

const randomRules = (random: Random): string =>
  Array.from({ length: 1 + random.below(4) }, () => random.pick(rules)).join('\n') + (random.chance(0.8) ? '\n' : '')

/** `patterns` are the lines of a file for -f. */
export function randomTree(random: Random, patterns: readonly string[]): RandomTree {
  const tree = new Map<string, RandomNode>()
  const makes = random.pick(contentsOfTree)
  const put = (path: string, node: RandomNode): void => {
    const parents = path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))
    const isBelowFile = parents.some(parent => tree.has(parent))
    if (!isBelowFile && !Array.from(tree.keys()).some(other => other.startsWith(`${path}/`))) tree.set(path, node)
  }
  for (let count = 1 + random.below(9); count > 0; count--)
    put(random.pick(directories) + random.pick(names), random.pick(makes)(random))
  if (random.chance(0.15)) put('.git/info/exclude', randomRules(random))
  else if (random.chance(0.4)) put('.git', { directory: true })
  for (const name of ['.gitignore', '.ignore', '.rgignore']) {
    if (random.chance(0.3)) put(name, randomRules(random))
    if (random.chance(0.15)) put(random.pick(['d/', 'd/e/', 'src/']) + name, randomRules(random))
  }
  if (random.chance(0.15)) put(random.pick(['d/.git', 'd/e/.git', 'src/.git']), { directory: true })
  if (random.chance(0.2)) put('extra.ign', randomRules(random))
  if (random.chance(0.25)) {
    const chosen = Array.from({ length: random.below(4) }, () => random.pick(patterns))
    put('pats', chosen.join('\n') + (random.chance(0.7) ? '\n' : ''))
  }
  if (random.chance(0.25)) {
    const link = random.pick(['a', 'd', '..', '.', 'none', '../a', 'd/e', '../d', 'ln', 'e', '../src', 'src/.h'])
    put(random.pick(['ln', 'd/ln', 'src/ln', '.hln']), { link })
  }
  if (random.chance(0.12)) put('p.gz', new Uint8Array(gzipSync(randomText(random))))
  return Object.fromEntries(tree)
}
