// Node's `Stats`. The time of the last read is stored only if a program sets it.

import type { EntryKind, Stat, Usage } from '../../backend.ts'
import { constants } from './constants.ts'

const typeBits: Readonly<Record<EntryKind, number>> = {
  file: constants.S_IFREG,
  directory: constants.S_IFDIR,
  symlink: constants.S_IFLNK,
}

/** Node's dates can be set, and are then as they were set. */
function setOwn(stats: object, name: string, value: Date): void {
  Object.defineProperty(stats, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Dates are made when they are read, and a loop over the names of a stat finds them, as in Node 22. */
function enumerateDates(prototype: object): void {
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) Object.defineProperty(prototype, name, { enumerable: true })
}

/** Times are set down to the microsecond; a number of milliseconds has no more. */
function nanoseconds(timeMs: number): bigint {
  const seconds = Math.floor(timeMs / 1000)
  return BigInt(seconds) * 1_000_000_000n + BigInt(Math.round((timeMs - seconds * 1000) * 1000)) * 1000n
}

/** The methods `isFile()` and so on, for entries and stats. */
class Typed {
  readonly #kind: EntryKind
  constructor(kind: EntryKind) {
    this.#kind = kind
  }
  isFile(): boolean {
    return this.#kind === 'file'
  }
  isDirectory(): boolean {
    return this.#kind === 'directory'
  }
  isSymbolicLink(): boolean {
    return this.#kind === 'symlink'
  }
  isBlockDevice(): boolean {
    return false
  }
  isCharacterDevice(): boolean {
    return false
  }
  isFIFO(): boolean {
    return false
  }
  isSocket(): boolean {
    return false
  }
}

/**
 * `ino` is new when a file's content was replaced, so that programs that compare stats see every change.
 */
export class NodeStats extends Typed {
  /** As programs see it in Node. */
  static override readonly name: string = 'Stats'
  readonly dev: number = 1
  readonly mode: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  readonly rdev: number = 0
  readonly blksize: number = 4096
  readonly ino: number
  readonly size: number
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number

  constructor({ kind, mode, nlink, ino, sizeBytes, mtimeMs, ctimeMs, uid = 0, gid = 0, atimeMs = mtimeMs }: Stat) {
    super(kind)
    this.mode = typeBits[kind] | mode
    this.nlink = nlink
    this.uid = uid
    this.gid = gid
    this.ino = ino
    this.size = sizeBytes
    this.blocks = Math.ceil(sizeBytes / 512)
    this.atimeMs = atimeMs
    this.mtimeMs = mtimeMs
    this.ctimeMs = ctimeMs
    this.birthtimeMs = Math.min(mtimeMs, ctimeMs)
  }
  get atime(): Date {
    return new Date(Math.round(this.atimeMs))
  }
  set atime(date: Date) {
    setOwn(this, 'atime', date)
  }
  get mtime(): Date {
    return new Date(Math.round(this.mtimeMs))
  }
  set mtime(date: Date) {
    setOwn(this, 'mtime', date)
  }
  get ctime(): Date {
    return new Date(Math.round(this.ctimeMs))
  }
  set ctime(date: Date) {
    setOwn(this, 'ctime', date)
  }
  get birthtime(): Date {
    return new Date(Math.round(this.birthtimeMs))
  }
  set birthtime(date: Date) {
    setOwn(this, 'birthtime', date)
  }
  /** Includes the dates, which are not own properties here. */
  toJSON(): object {
    const { atime, mtime, ctime, birthtime } = this
    return { ...this, atime, mtime, ctime, birthtime }
  }
}

enumerateDates(NodeStats.prototype)

/** The result of a stat with `bigint: true`. */
export class BigIntStats extends Typed {
  readonly dev: bigint = 1n
  readonly mode: bigint
  readonly nlink: bigint
  readonly uid: bigint
  readonly gid: bigint
  readonly rdev: bigint = 0n
  readonly blksize: bigint = 4096n
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

  constructor(stat: Stat) {
    super(stat.kind)
    const small = new NodeStats(stat)
    this.mode = BigInt(small.mode)
    this.nlink = BigInt(small.nlink)
    this.uid = BigInt(small.uid)
    this.gid = BigInt(small.gid)
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
  get atime(): Date {
    return new Date(Number(this.atimeMs))
  }
  get mtime(): Date {
    return new Date(Number(this.mtimeMs))
  }
  get ctime(): Date {
    return new Date(Number(this.ctimeMs))
  }
  get birthtime(): Date {
    return new Date(Number(this.birthtimeMs))
  }
}

enumerateDates(BigIntStats.prototype)

/** One entry of a directory. */
export class NodeDirent extends Typed {
  /** As programs see it in Node. */
  static override readonly name: string = 'Dirent'
  readonly name: string
  /** The directory that contains it, as it was given. */
  readonly parentPath: string
  /** The name that `parentPath` had before Node 20. */
  readonly path: string

  constructor(name: string | Uint8Array, kind: EntryKind, parentPath: string) {
    super(kind)
    // Only a listing with the encoding `buffer` has bytes, and its caller knows.
    this.name = name as string
    this.parentPath = parentPath
    this.path = parentPath
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
