// A recorded session on a log: after each commit, the whole tree and the number of writes.

import { openLog, type OpenLog } from '../../backends/opfs/log/open.ts'
import { compactNow } from './compact-now.ts'
import { joinBytes } from '../../core/bytes.ts'
import { childPath, parsePath, rootPath, type VfsPath } from '../../core/path.ts'
import type { Attributes, Stat, VfsSync } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'
import { transactNow } from '../../vfs/tree/transaction.ts'
import type { Random } from '../random.ts'
import { FakeDisk } from './fake-storage.ts'

export interface CommittedState {
  /** The number of the disk's writes when the commit was acknowledged. */
  readonly writeCount: number
  /** The number of writes when a later flush had ended; `Infinity` if there was none. */
  flushedAt: number
  readonly tree: string
}

export const smallLog = { segmentBytes: 2_000, sideBytes: 200, cacheBytes: 1_000, clock: (): number => 1_000 } as const

// Decodes every byte to a separate character.
const everyByte = new TextDecoder('latin1')

/** All attributes but the size, as text. Owners and times of reading are there only if they are set. */
export function factsOf({ kind, mode, mtimeMs, ctimeMs, ino, rev, nlink, uid, gid, atimeMs }: Stat): string {
  const extra = Object.entries({ uid, gid, atimeMs }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return [kind, mode, mtimeMs, ctimeMs, ino, rev, nlink, ...extra].join(' ')
}

/** Everything that the port shows of a tree, as text. */
export function describeTree(fs: VfsSync, directory: VfsPath = rootPath): string {
  const lines: string[] = []
  const visit = (at: VfsPath): void => {
    const stat = fs.lookup(at, { follow: false })
    const { kind } = stat
    const content = kind === 'file' ? everyByte.decode(fs.read(at)) : kind === 'symlink' ? fs.readlink(at) : ''
    lines.push([at, factsOf(stat), content].join(' '))
    if (kind === 'directory') for (const { name } of fs.list(at)) visit(childPath(at, name))
  }
  visit(directory)
  return lines.join('\n')
}

const someAttributes = (random: Random): Attributes =>
  random.pick([
    { mode: random.below(512) },
    { mtimeMs: random.below(9_999) },
    { atimeMs: random.below(9_999) + 0.5 },
    { uid: random.below(3), gid: random.below(3) },
  ])

const names = ['a', 'b', 'c', 'é💾']

/** One random change. Most impossible changes fail, and then nothing is committed. */
export function changeSomething(fs: VfsSync, random: Random): void {
  const path = (): VfsPath => {
    let made = parsePath(`/${random.pick(names)}`)
    for (let depth = random.below(3); depth > 0; depth--) made = childPath(made, random.pick(names))
    return made
  }
  const content = (): Uint8Array =>
    new Uint8Array(random.chance(0.1) ? 150 + random.below(150) : random.below(40)).fill(random.below(256))
  switch (random.below(10)) {
    case 0:
      return fs.mkdir(path())
    case 1:
      return fs.remove(path(), random.chance(0.7) ? 'file' : 'directory')
    case 2:
      return fs.rename(path(), path())
    case 3:
      return fs.link(path(), path())
    case 4:
      return fs.symlink(random.pick(['a', '../b', '/c/a']), path())
    case 5:
      return fs.setattr(path(), { ...someAttributes(random), follow: random.chance(0.5) })
    case 6:
      fs.write(path(), content(), { append: true })
      return
    default:
      fs.write(path(), content(), { parents: random.chance(0.6) })
  }
}

const largeBytes = 17_000

/** One random change, mostly a small one of a file that is large enough to be kept in pieces. After some of them its changes are records. */
export function changeLarge(fs: VfsSync, random: Random): void {
  const large = parsePath('/large')
  const isThere = fs.list(rootPath).some(({ name, kind }) => name === 'large' && kind === 'file')
  if (!isThere) {
    fs.write(
      large,
      Uint8Array.from({ length: largeBytes }, (_, index) => index * 7),
    )
    return
  }
  const other = parsePath(`/${random.pick(names)}`)
  switch (random.below(24)) {
    case 0:
      return fs.rename(other, parsePath(`/${random.pick(names)}`))
    case 1:
      return fs.link(large, other)
    case 2:
      return fs.setattr(large, someAttributes(random))
    case 3:
      return fs.remove(other, 'file')
    case 4:
    case 5:
      return changeSomething(fs, random)
    case 6:
    case 7:
      fs.write(large, new Uint8Array(random.below(60)).fill(random.below(256)), { append: true })
      return
    default: {
      const path = random.chance(0.2) ? other : large
      const before = fs.read(path)
      const at = random.below(before.length)
      const removed = Math.min(before.length - at, random.below(12))
      const fresh = new Uint8Array(random.chance(0.1) ? 210 : random.below(12)).fill(random.below(256))
      fs.write(path, joinBytes([before.subarray(0, at), fresh, before.subarray(at + removed)]))
    }
  }
}

function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isVfsError(error)) throw error
  }
}

/** Commits, checkpoints, compactions and remounts until there are `commitCount` commits. */
export function recordSession(
  random: Random,
  commitCount: number,
  change: (fs: VfsSync, random: Random) => void = changeSomething,
): { readonly disk: FakeDisk; readonly states: readonly CommittedState[] } {
  const disk = new FakeDisk()
  const states: CommittedState[] = []
  let open: OpenLog = openLog(disk.storage(), smallLog)
  const note = (): void => {
    const tree = describeTree(open.store.fs)
    if (tree === states.at(-1)?.tree) return
    states.push({ writeCount: disk.writes.length, flushedAt: Infinity, tree })
  }
  const flushed = (): void => {
    for (const state of states) state.flushedAt = Math.min(state.flushedAt, disk.writes.length)
  }
  note()
  flushed()
  // A limit, in case the random changes hardly ever succeed.
  for (let turn = 0; states.length < commitCount && turn < commitCount * 20; turn++) {
    const draw = random.below(100)
    if (draw < 3) open.log.checkpoint(open.state())
    else if (draw < 6) for (const victim of compactNow(open.log, open.state)) open.log.files.discard(victim)
    else if (draw < 8) open = openLog(disk.storage(), smallLog)
    else if (draw < 18) open.log.flush()
    if (draw < 18 && draw >= 8) flushed()
    if (draw < 3) flushed()
    if (draw < 18) continue
    if (draw < 30) {
      ignoringErrors(() =>
        transactNow(open.store, draft => {
          for (let count = 2 + random.below(4); count > 0; count--) ignoringErrors(() => change(draft, random))
          if (random.chance(0.2)) draft.remove(parsePath('/never'), 'file')
        }),
      )
    } else ignoringErrors(() => change(open.store.fs, random))
    note()
  }
  return { disk, states }
}
