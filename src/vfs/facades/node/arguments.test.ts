// Arguments as Node accepts them: a seeded stream of calls with valid, unusual and wrong arguments, on Node and on the facade.
import { expect, test } from 'vitest'
import { compareWithNode } from '../../../testing/node-fs-comparison.ts'
import { seeds } from '../../../testing/depth.ts'
import { treeNames } from '../../../testing/face-arguments.ts'
import { createRandom, type Random } from '../../../testing/random.ts'

const callsEach = 60
const tree = 'd/ d/f=abc e=text g=0123456789 l->e dl->d up->.. gone->none loop->loop deep/a/b/c=1'

const names = [...treeNames, '.', '']
/**
 * Node removes the entries of 'd/..' by names that begin with 'd/..', in the order of the machine, until 'd' itself is gone. For 'dl/' it
 * reports success and removes nothing, where the facade gives ENOTDIR.
 */
const removable = names.filter(name => name !== 'd/..' && name !== 'dl/')
const odd = [undefined, null, 0, 1, -1, 1.5, Number.NaN, 2 ** 33, '', 'x', '755', '9', true, {}, [], 3n] as const
const flags = [
  'r',
  'r+',
  'w',
  'wx',
  'a',
  'ax',
  'a+',
  'rs',
  'q',
  0,
  64,
  65,
  193,
  0o1000,
  0o200000,
  0o400000,
  null,
  undefined,
] as const
const modes = [0o644, 0o700, '600', '0755', 0, undefined, null, 0o1777, '8', -1] as const
const encodings = ['utf8', 'hex', 'base64', 'latin1', 'buffer', null, undefined, 'nope', 'UTF8'] as const

type Make = (random: Random, root: string) => readonly unknown[]

const pick = <T>(random: Random, items: readonly T[]): T | undefined => items[random.below(items.length)]
/** Mostly valid values, sometimes any value. */
const mostly = (random: Random, items: readonly unknown[]): unknown =>
  random.below(8) === 0 ? pick(random, odd) : pick(random, items)
const place = (random: Random, root: string, among: readonly string[] = names): unknown =>
  random.below(14) === 0
    ? pick(
        random,
        odd.filter(value => typeof value !== 'string' || value === ''),
      )
    : `${root}/${pick(random, among)}`

const verbs: Readonly<Record<string, Make>> = {
  access: (r, root) => [place(r, root), mostly(r, [0, 1, 2, 4, 7, undefined, null, 8])],
  appendFile: (r, root) => [
    place(r, root),
    mostly(r, ['more', new Uint8Array([1, 2])]),
    mostly(r, [undefined, 'utf8', { mode: pick(r, modes) }, { flag: pick(r, flags) }]),
  ],
  chmod: (r, root) => [place(r, root), mostly(r, modes)],
  // Not for directories: Node removes a directory that it cannot replace.
  copyFile: (r, root) => [
    `${root}/${pick(r, ['e', 'l', 'd/f', 'none', 'gone', 'e/'])}`,
    place(r, root),
    mostly(r, [0, 1, undefined, null, 9]),
  ],
  link: (r, root) => [place(r, root), place(r, root)],
  lstat: (r, root) => [place(r, root), pick(r, [undefined, {}, 'x', 3])],
  mkdir: (r, root) => [
    place(r, root),
    mostly(r, [undefined, 0o700, '700', { recursive: true }, { recursive: true, mode: 0o711 }, { recursive: 1 }, { mode: 'z' }]),
  ],
  open: (r, root) => [place(r, root), mostly(r, flags), mostly(r, modes)],
  readFile: (r, root) => [place(r, root), mostly(r, [...encodings, { encoding: pick(r, encodings) }, { flag: pick(r, flags) }])],
  readdir: (r, root) => [place(r, root), mostly(r, [undefined, 'utf8', 'hex', { encoding: 'buffer' }, {}])],
  readlink: (r, root) => [place(r, root), mostly(r, encodings)],
  realpath: (r, root) => [place(r, root), mostly(r, encodings)],
  rename: (r, root) => [place(r, root), place(r, root)],
  rm: (r, root) => [
    place(r, root, removable),
    mostly(r, [undefined, { force: true }, { recursive: true }, { recursive: true, force: true }, { recursive: 'x' }]),
  ],
  rmdir: (r, root) => [place(r, root)],
  stat: (r, root) => [place(r, root), pick(r, [undefined, {}, 'x', 3])],
  symlink: (r, root) => [mostly(r, ['e', 'none', '../x', 'd']), place(r, root), mostly(r, [undefined, null, 'file', 'zz'])],
  truncate: (r, root) => [place(r, root), mostly(r, [0, 2, 20, undefined, null, -3])],
  unlink: (r, root) => [place(r, root)],
  utimes: (r, root) => [place(r, root), mostly(r, [1, '2', new Date(5000)]), mostly(r, [1, '2', new Date(5000)])],
  writeFile: (r, root) => [
    place(r, root),
    mostly(r, ['new', new Uint8Array([1, 2])]),
    mostly(r, [undefined, ...encodings, { mode: pick(r, modes) }, { flag: pick(r, flags) }]),
  ],
}

/** Removes what the facade does not imitate: times of removal, raw bits, and messages with numbers of the machine. */
function comparable(name: string, result: unknown): unknown {
  if (name === 'open' && typeof result === 'object' && result !== null) return 'a handle'
  if ((name === 'stat' || name === 'lstat') && typeof result === 'object' && result !== null) {
    const { mode, size } = result as { readonly mode: number; readonly size: number }
    const kind = mode & 0o170000
    return kind === 0o100000 ? [mode, size] : kind
  }
  return result
}

test.each(Array.from({ length: seeds({ quick: 1, deep: 24 }) }, (_, index) => index + 1))(
  `${callsEach} calls of seed %i`,
  async seed => {
    const random = createRandom(seed)
    for (let count = 0; count < callsEach; count++) {
      const name = pick(random, Object.keys(verbs)) ?? 'stat'
      const state = random.below(2 ** 31)
      let shown: unknown
      const { node, ours } = await compareWithNode(tree, async (fs, root) => {
        const args = verbs[name]?.(createRandom(state), root) ?? []
        shown = args
        const call = Reflect.get(fs, name) as (...given: readonly unknown[]) => Promise<unknown>
        const result = await call(...args)
        const seen = comparable(name, result)
        if (seen === 'a handle') await (result as { close(): Promise<void> }).close()
        return seen
      })
      expect
        .soft(
          ours,
          `seed ${seed}: ${name}(${JSON.stringify(shown, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))})`,
        )
        .toEqual(node)
    }
  },
)
