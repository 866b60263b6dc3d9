// Random calls that change names, links, modes, owners and times, and what they leave: the facts of every entry, and which of its times
// moved. A call is chosen without looking at a filesystem, so that the same calls run on several.

import { losesTarget, type WholeFs } from './node-fs-subjects.ts'
import type { Random } from './random.ts'

export interface PosixRun {
  readonly fs: WholeFs
  /** A directory in a directory of the test, because '..' leads out of it. */
  readonly root: string
}

export interface PosixCall {
  readonly text: string
  readonly act: (run: PosixRun) => Promise<unknown>
}

type AnyCall = (...args: readonly unknown[]) => unknown

const directories = ['', 'd', 'd/e', 's', 'ld'] as const
const leaves = [
  'f',
  'g',
  'h',
  'l',
  'dl',
  'loop',
  'd',
  'e',
  's',
  'new',
  'n2',
  `${'n'.repeat(255)}`,
  `${'n'.repeat(256)}`,
  'ö',
  '.',
  '..',
] as const
const endings = ['', '', '', '', '', '', '/', '/.', '/..', '//', '/x'] as const

/** What the calls choose from. */
export interface PosixChoice {
  readonly modes: readonly number[]
  readonly owners: readonly number[]
}
/** For a filesystem that stores owners and all bits of modes. */
export const everyChoice: PosixChoice = {
  modes: [0o644, 0o700, 0o755, 0o1777, 0o4755, 0o2755, 0o000, 0o600, 0o640],
  owners: [-1, 0, 7],
}
/** For a filesystem that stores neither owners nor sticky and set-ID bits. */
export const plainChoice: PosixChoice = { modes: [0o644, 0o700, 0o755, 0o600, 0o640, 0o000], owners: [-1] }

function place(random: Random, isPlain = false): string {
  const directory = random.pick(directories)
  const path = directory === '' ? random.pick(leaves) : `${directory}/${random.pick(leaves)}`
  const ending = random.pick(endings)
  return path + (isPlain ? '' : ending)
}

/** Arguments of the synchronous functions; `undefined` in place of a path is the root of the run. */
type Make = (random: Random, choice: PosixChoice) => readonly [name: string, ...args: readonly unknown[]]
interface Path {
  readonly path: string
}
const short = (random: Random): Path => at(place(random).replaceAll(/n{50,}/g, 'n2'))
/** Not by '..' or a link: Node asks whether a file is there, and takes a path through a file for one that is free. */
const simple = (random: Random): Path =>
  at(
    short(random)
      .path.replaceAll(/(^|\/)\.\.?(?=\/|$)/g, '$1new')
      .replace(/^ld\//, 's/'),
  )
const at = (path: string): Path => ({ path })
const somewhere = (random: Random): Path => at(place(random))

const makes: readonly Make[] = [
  (r, { modes }) => ['mkdirSync', somewhere(r), r.pick(modes)],
  r => ['mkdirSync', somewhere(r), { recursive: true }],
  r => ['rmdirSync', somewhere(r)],
  r => ['unlinkSync', somewhere(r)],
  r => ['unlinkSync', at(place(r, true))],
  r => ['renameSync', somewhere(r), somewhere(r)],
  r => ['renameSync', at(place(r, true)), at(place(r, true))],
  r => ['linkSync', somewhere(r), somewhere(r)],
  r => ['linkSync', at(place(r, true)), at(place(r, true))],
  r => ['symlinkSync', r.pick(['f', 'd', 'none', '..', '../d/f', 'loop', '.', 'd/', 'x'.repeat(300)]), somewhere(r)],
  (r, { modes }) => ['chmodSync', somewhere(r), r.pick(modes)],
  (r, { owners }) => ['chownSync', somewhere(r), r.pick(owners), r.pick(owners)],
  (r, { owners }) => ['lchownSync', somewhere(r), r.pick(owners), r.pick(owners)],
  r => ['utimesSync', somewhere(r), r.pick([5, 1e9]), r.pick([7, 1.5e9])],
  r => ['lutimesSync', somewhere(r), r.pick([5, 1e9]), r.pick([7, 1.5e9])],
  r => ['truncateSync', somewhere(r), r.pick([0, 2, 4, 9])],
  r => ['writeFileSync', somewhere(r), r.pick(['', 'abcd', 'x'])],
  (r, { modes }) => [
    'writeFileSync',
    somewhere(r),
    r.pick(['', 'abcd']),
    { flag: r.pick(['wx', 'a', 'r+', 'ax']), mode: r.pick(modes) },
  ],
  r => ['copyFileSync', at(r.pick(['f', 'g', 'd/f', 'l', 'h'])), somewhere(r), r.pick([0, 0, 1])],
  r => ['rmSync', at(removable(r)), r.pick([undefined, { force: true }, { recursive: true }, { recursive: true, force: true }])],
  r => [
    'cpSync',
    simple(r),
    simple(r),
    r.pick([
      { recursive: true },
      { recursive: true, force: false },
      {},
      { recursive: true, dereference: true },
      { recursive: true, verbatimSymlinks: true },
      { recursive: true, errorOnExist: true, force: false },
    ]),
  ],
  r => ['readlinkSync', somewhere(r)],
  r => ['realpathSync', somewhere(r)],
  r => ['accessSync', somewhere(r), r.pick([0, 1, 2, 4])],
  r => ['opened', somewhere(r), r.pick(['r', 'r+', 'w', 'a', 'wx', 'w+'])],
]

const removable = (random: Random): string => {
  const path = place(random)
  return /\.\.|^\./.test(path) ? place(random, true).replaceAll('..', 'f') : path
}

export function posixCall(random: Random, choice: PosixChoice): PosixCall {
  const [name, ...args] = random.pick(makes)(random, choice)
  const text = `${name}(${args.map(arg => (isPath(arg) ? arg.path : JSON.stringify(arg))).join(', ')})`
  return {
    text,
    async act({ fs, root }) {
      const before = facts(fs, root)
      await later()
      const given = args.map(arg => (isPath(arg) ? `${root}/${arg.path}` : arg))
      if (name === 'copyFileSync' && losesTarget(fs, given[0])) return 'not called'
      let outcome: unknown
      try {
        outcome = name === 'opened' ? opened(fs, given as [string, string]) : (Reflect.get(fs, name) as AnyCall)(...given)
      } catch (error) {
        outcome = error
      }
      return [outcome, changed(before, facts(fs, root), name === 'renameSync' || name === 'cpSync')]
    },
  }
}

/** Every function of a descriptor that changes something. */
function opened(fs: WholeFs, [path, flags]: readonly [string, string]): unknown {
  const fd = fs.openSync(path, flags)
  try {
    const outcomes = [
      () => fs.writeSync(fd, 'yz', 1),
      () => fs.ftruncateSync(fd, 3),
      () => fs.fchmodSync(fd, 0o640),
      () => fs.futimesSync(fd, 5, 7),
    ].map(act => {
      try {
        act()
        return 'done'
      } catch (error) {
        return error
      }
    })
    return outcomes
  } finally {
    fs.closeSync(fd)
  }
}

const isPath = (value: unknown): value is Path => typeof value === 'object' && value !== null && 'path' in value

/** Longer than a tick of the clock of Linux's filesystems. */
const later = (): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, 9)
  })

interface Facts {
  readonly shown: readonly unknown[]
  readonly mtime: bigint
  readonly ctime: bigint
  readonly ino: bigint
}

function facts(fs: WholeFs, root: string, below = '', found = new Map<string, Facts>()): Map<string, Facts> {
  const path = root + below
  const { mode, nlink, uid, gid, size, mtimeNs, ctimeNs, ino } = fs.lstatSync(path, { bigint: true })
  const kind = Number(mode) & 0o170000
  const content = kind === 0o120000 ? fs.readlinkSync(path) : kind === 0o040000 ? undefined : fs.readFileSync(path, 'latin1')
  const links = kind === 0o040000 ? undefined : nlink
  const set = mtimeNs < 1_600_000_000_000_000_000n ? mtimeNs : 'now'
  found.set(below, {
    shown: [mode.toString(8), links, uid, gid, content === undefined ? undefined : size, content, set],
    mtime: mtimeNs,
    ctime: ctimeNs,
    ino,
  })
  if (kind === 0o040000) for (const name of fs.readdirSync(path).toSorted()) facts(fs, root, `${below}/${name}`, found)
  return found
}

/** What is there now, with the times that moved. `isReplacing`: whether another entry may have taken a name. */
function changed(before: ReadonlyMap<string, Facts>, after: ReadonlyMap<string, Facts>, isReplacing: boolean): unknown {
  return [...after].map(([path, { shown, mtime, ctime, ino }]) => {
    const old = before.get(path)
    const moved =
      old === undefined || (isReplacing && old.ino !== ino)
        ? 'new'
        : `${mtime === old.mtime ? '' : 'm'}${ctime === old.ctime ? '' : 'c'}`
    return [path, ...shown, moved]
  })
}

export function plantPosix({ fs, root }: PosixRun, { modes }: PosixChoice): void {
  fs.mkdirSync(root)
  fs.mkdirSync(`${root}/d/e`, { recursive: true })
  fs.mkdirSync(`${root}/s`)
  if (modes.includes(0o1777)) fs.chmodSync(`${root}/s`, 0o1777)
  for (const name of ['f', 'g', 'd/f', 'd/e/g']) fs.writeFileSync(`${root}/${name}`, name)
  fs.linkSync(`${root}/f`, `${root}/h`)
  for (const [name, target] of Object.entries({ l: 'f', dl: 'none', loop: 'loop', ld: 'd', 'd/l': '../g' }))
    fs.symlinkSync(target, `${root}/${name}`)
}
