// Arguments for calls of `fs`: right, unusual and wrong ones.

import type { Random } from './random.ts'
import type { FaceRun } from './face-calls.ts'

/** Names in the tree of these tests, existing or not. */
export const treeNames: readonly string[] = [
  'e',
  'g',
  'd',
  'd/',
  'd/f',
  'd/.',
  'd/..',
  'l',
  'dl',
  'dl/',
  'dl/f',
  'gone',
  'loop',
  'none',
  'none/',
  'none/x',
  'e/x',
  'e/',
  'deep',
  'new',
  'd/new',
]
export const names: readonly string[] = [
  ...treeNames,
  'd/../e',
  'dl/../g',
  'e/.',
  'deep/a/b',
  'new/',
  'd/n2',
  'up/e',
  'dl/new',
  'l/x',
  `${'n'.repeat(256)}`,
  `d/${'é'.repeat(128)}`,
  'd//f',
  './e',
  'ü',
]
export const removable: readonly string[] = names.filter(name => !name.includes('..') && name !== 'dl/')
/** No text: as a path it would be relative to the directory of the tests. No number that may be a descriptor of the process. */
const oddPaths = [undefined, null, true, {}, [], -1, 1.5, Number.NaN, 2 ** 33, ''] as const
const odd = [undefined, null, 0, 1, -1, 1.5, Number.NaN, '', 'x', '3', true, {}, [], 3n] as const
export const modes = [0o644, 0o700, '600', '0755', undefined, null, 0o777, '8', -1] as const
const flags = [
  'r',
  'r+',
  'w',
  'w+',
  'wx',
  'a',
  'a+',
  'ax',
  'rs',
  'rs+',
  'as',
  'q',
  'R',
  0,
  2,
  64,
  65,
  193,
  0o1002,
  0o200000,
  0o400000,
  null,
  undefined,
] as const
const encodings = ['utf8', 'hex', 'base64', 'latin1', 'buffer', 'ascii', 'ucs2', null, undefined, 'nope', 'UTF8', ''] as const
const contents = ['', 'new', 'héllo\n'] as const

export function mostly(random: Random, values: readonly unknown[]): unknown {
  return random.chance(0.1) ? random.pick(odd) : random.pick(values)
}

export function place(random: Random, { root }: FaceRun, among: readonly string[] = names): unknown {
  if (random.chance(0.06)) return random.pick(oddPaths)
  const path = `${root}/${random.pick(among)}`
  const kind = random.below(20)
  if (kind === 0) return Buffer.from(path)
  if (kind === 1) return new URL(`file://${path}`)
  if (kind === 2) return new Uint8Array(Buffer.from(path))
  if (kind === 3)
    return random.pick([
      `${path}\0`,
      Buffer.from(`${path}\0x`),
      new URL(`file://${path}%00`),
      new URL('http://x/y'),
      new URL('file:///a%2fb'),
    ])
  return path
}

export const pickFlags = (random: Random): unknown =>
  random.chance(0.1) ? random.pick(['x', '', true, {}, 1.5]) : random.pick(flags)

/** Where Node makes text of other values, or resolves them. */
export const plainPlace = (random: Random, { root }: FaceRun, among: readonly string[] = names): string =>
  `${root}/${random.pick(among)}`

export const descriptor = (random: Random, { descriptors }: FaceRun): unknown => {
  if (random.chance(0.12)) return random.pick([undefined, null, -1, 1.5, Number.NaN, 2 ** 31, 9_999_999, '3', {}])
  return descriptors.length === 0 ? 9_999_999 : descriptors[random.below(descriptors.length)]
}

export const data = (random: Random): unknown =>
  random.chance(0.5)
    ? mostly(random, contents)
    : random.pick([
        () => new Uint8Array([1, 2]),
        () => Buffer.from('buf'),
        () => new DataView(new ArrayBuffer(2)),
        () => new Uint16Array([1, 2]),
      ])()

export const some = (random: Random, ...values: readonly unknown[]): readonly unknown[] =>
  values.slice(0, 1 + random.below(values.length))
export const withOptions = (random: Random, path: unknown, options: readonly unknown[]): readonly unknown[] =>
  random.chance(0.4) ? [path] : [path, mostly(random, options)]
export const statOptions: readonly unknown[] = [
  {},
  { bigint: true },
  { bigint: false },
  { throwIfNoEntry: false },
  { throwIfNoEntry: true, bigint: true },
]
export const encodingOptions = (random: Random): readonly unknown[] => [...encodings, { encoding: mostly(random, encodings) }, {}]
export const times: readonly unknown[] = [1, 1.25, 1_600_000_000.5, '2', new Date(5000), 0, '2.5', -5000.5, new Date(Number.NaN)]
export const buffer = (random: Random): unknown =>
  random.pick([
    () => Buffer.alloc(4, 'z'),
    () => new Uint8Array(3),
    () => new DataView(new ArrayBuffer(5)),
    () => Buffer.alloc(0),
  ])()
