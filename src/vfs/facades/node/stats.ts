// Node's `Stats`. The time of the last read is stored only if a program sets it.

import type { EntryKind, Stat, Usage } from '../../backend.ts'
import { constants } from './constants.ts'

const typeBits: Readonly<Record<EntryKind, number>> = {
  file: constants.S_IFREG,
  directory: constants.S_IFDIR,
  symlink: constants.S_IFLNK,
}

/** Dates are made when they are read; they can be set; and a loop over the names of a stat finds them, as in Node 22. */
function defineDates(prototype: object): void {
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    Object.defineProperty(prototype, name, {
      enumerable: true,
      configurable: true,
      get(this: object): Date {
        return new Date(Math.round(Number(Reflect.get(this, `${name}Ms`))))
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true })
      },
    })
  }
}

/** Times are set down to the microsecond; a number of milliseconds has no more. */
function nanoseconds(timeMs: number): bigint {
  const seconds = Math.floor(timeMs / 1000)
  return BigInt(seconds) * 1_000_000_000n + BigInt(Math.round((timeMs - seconds * 1000) * 1000)) * 1000n
}

/** The methods `isFile()` and so on, for entries and stats. */
abstract class Typed {
  /** The bits of a mode for the type of the entry. */
  protected abstract typeBits(): number
  isFile(): boolean {
    return this.typeBits() === constants.S_IFREG
  }
  isDirectory(): boolean {
    return this.typeBits() === constants.S_IFDIR
  }
  isSymbolicLink(): boolean {
    return this.typeBits() === constants.S_IFLNK
  }
  isBlockDevice(): boolean {
    return this.typeBits() === constants.S_IFBLK
  }
  isCharacterDevice(): boolean {
    return this.typeBits() === constants.S_IFCHR
  }
  isFIFO(): boolean {
    return this.typeBits() === constants.S_IFIFO
  }
  isSocket(): boolean {
    return this.typeBits() === constants.S_IFSOCK
  }
}

/** `ino` is new when a file's content was replaced, so that programs that compare stats see every change. */
export class NodeStats extends Typed {
  /** As programs see it in Node. */
  static override readonly name: string = 'Stats'
  readonly dev: number
  readonly mode: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  readonly rdev: number
  readonly blksize: number
  readonly ino: number
  readonly size: number
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
  declare atime: Date
  declare mtime: Date
  declare ctime: Date
  declare birthtime: Date

  /** The arguments of Node's class, in its order. */
  // oxlint-disable-next-line max-params
  constructor(
    dev: number,
    mode: number,
    nlink: number,
    uid: number,
    gid: number,
    rdev: number,
    blksize: number,
    ino: number,
    size: number,
    blocks: number,
    atimeMs: number,
    mtimeMs: number,
    ctimeMs: number,
    birthtimeMs: number,
  ) {
    super()
    this.dev = dev
    this.mode = mode
    this.nlink = nlink
    this.uid = uid
    this.gid = gid
    this.rdev = rdev
    this.blksize = blksize
    this.ino = ino
    this.size = size
    this.blocks = blocks
    this.atimeMs = atimeMs
    this.mtimeMs = mtimeMs
    this.ctimeMs = ctimeMs
    this.birthtimeMs = birthtimeMs
  }
  protected override typeBits(): number {
    return this.mode & constants.S_IFMT
  }
  /** Includes the dates, which are not own properties here. */
  toJSON(): object {
    const { atime, mtime, ctime, birthtime } = this
    return { ...this, atime, mtime, ctime, birthtime }
  }
}

defineDates(NodeStats.prototype)

export function nodeStats(stat: Stat): NodeStats {
  const { kind, mode, nlink, ino, sizeBytes, mtimeMs, ctimeMs, uid = 0, gid = 0, atimeMs = mtimeMs } = stat
  const blocks = Math.ceil(sizeBytes / 512)
  const birthtimeMs = Math.min(mtimeMs, ctimeMs)
  const bits = typeBits[kind] | mode
  return new NodeStats(1, bits, nlink, uid, gid, 0, 4096, ino, sizeBytes, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs)
}

/** The result of a stat with `bigint: true`. */
export class BigIntStats extends Typed {
  readonly dev: bigint
  readonly mode: bigint
  readonly nlink: bigint
  readonly uid: bigint
  readonly gid: bigint
  readonly rdev: bigint
  readonly blksize: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly blocks: bigint
  readonly atimeMs: bigint
  readonly mtimeMs: bigint
  readonly ctimeMs: bigint
  readonly birthtimeMs: bigint
  readonly atimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly birthtimeNs: bigint
  declare atime: Date
  declare mtime: Date
  declare ctime: Date
  declare birthtime: Date

  constructor(small: NodeStats) {
    super()
    this.dev = BigInt(small.dev)
    this.mode = BigInt(small.mode)
    this.nlink = BigInt(small.nlink)
    this.uid = BigInt(small.uid)
    this.gid = BigInt(small.gid)
    this.rdev = BigInt(small.rdev)
    this.blksize = BigInt(small.blksize)
    this.ino = BigInt(small.ino)
    this.size = BigInt(small.size)
    this.blocks = BigInt(small.blocks)
    this.atimeNs = nanoseconds(small.atimeMs)
    this.mtimeNs = nanoseconds(small.mtimeMs)
    this.ctimeNs = nanoseconds(small.ctimeMs)
    this.birthtimeNs = nanoseconds(small.birthtimeMs)
    this.atimeMs = this.atimeNs / 1_000_000n
    this.mtimeMs = this.mtimeNs / 1_000_000n
    this.ctimeMs = this.ctimeNs / 1_000_000n
    this.birthtimeMs = this.birthtimeNs / 1_000_000n
  }
  protected override typeBits(): number {
    return Number(this.mode) & constants.S_IFMT
  }
}

defineDates(BigIntStats.prototype)

export function statsOf(stat: Stat, isBig: boolean): NodeStats | BigIntStats {
  return isBig ? new BigIntStats(nodeStats(stat)) : nodeStats(stat)
}

/** The types of entries as Node numbers them. */
const numberedTypes = [
  0,
  constants.S_IFREG,
  constants.S_IFDIR,
  constants.S_IFLNK,
  constants.S_IFIFO,
  constants.S_IFSOCK,
  constants.S_IFCHR,
  constants.S_IFBLK,
] as const

/** One entry of a directory. */
export class NodeDirent extends Typed {
  /** As programs see it in Node. */
  static override readonly name: string = 'Dirent'
  readonly name: string
  /** The directory that contains it, as it was given. */
  readonly parentPath: string
  /** The name that `parentPath` had before Node 20. */
  readonly path: string
  readonly #typeBits: number

  /** `type` is one of Node's numbers, or a kind. */
  constructor(name: string | Uint8Array, type: EntryKind | number, parentPath: string | Uint8Array) {
    super()
    // These are bytes only for a caller that listed with the encoding `buffer`, or gave the directory as bytes, and so expects them.
    this.name = name as string
    this.parentPath = parentPath as string
    this.path = this.parentPath
    this.#typeBits = typeof type === 'number' ? (numberedTypes[type] ?? 0) : typeBits[type]
  }
  protected override typeBits(): number {
    return this.#typeBits
  }
}

/** The result of `statfs`. */
export interface NodeStatFs {
  readonly type: number | bigint
  readonly bsize: number | bigint
  readonly frsize: number | bigint
  readonly blocks: number | bigint
  readonly bfree: number | bigint
  readonly bavail: number | bigint
  readonly files: number | bigint
  readonly ffree: number | bigint
}

const blockBytes = 4096

class StatFs {}

export function statFs({ bytes, nodes, quotaBytes = bytes }: Usage, isBig: boolean): NodeStatFs {
  const blocks = Math.ceil(quotaBytes / blockBytes)
  const bfree = Math.max(0, blocks - Math.ceil(bytes / blockBytes))
  const facts = { type: 0, bsize: blockBytes, frsize: blockBytes, blocks, bfree, bavail: bfree, files: nodes, ffree: 0 }
  if (!isBig) return Object.assign(new StatFs(), facts)
  const { type, bsize, bavail, files, ffree } = facts
  return Object.assign(new StatFs(), {
    type: BigInt(type),
    bsize: BigInt(bsize),
    frsize: BigInt(bsize),
    blocks: BigInt(blocks),
    bfree: BigInt(bfree),
    bavail: BigInt(bavail),
    files: BigInt(files),
    ffree: BigInt(ffree),
  })
}
