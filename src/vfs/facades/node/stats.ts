// A stat in Node's shape. What this filesystem does not keep (owners, the time of the last read) gets a constant that harms nobody.

import type { EntryKind, Stat } from '../../backend.ts'
import { constants } from './constants.ts'

const typeBits: Readonly<Record<EntryKind, number>> = {
  file: constants.S_IFREG,
  directory: constants.S_IFDIR,
  symlink: constants.S_IFLNK,
}

/** What `isFile()` and its like answer, for entries and stats. */
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

/** Times are whole milliseconds. `ino` is new when a file's content was replaced, so whoever compares stats misses no change. */
export class NodeStats extends Typed {
  readonly dev: number = 1
  readonly mode: number
  readonly nlink: number
  readonly uid: number = 0
  readonly gid: number = 0
  readonly rdev: number = 0
  readonly blksize: number = 4096
  readonly ino: number
  readonly size: number
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number

  constructor({ kind, mode, nlink, ino, sizeBytes, mtimeMs, ctimeMs }: Stat) {
    super(kind)
    this.mode = typeBits[kind] | mode
    this.nlink = nlink
    this.ino = ino
    this.size = sizeBytes
    this.blocks = Math.ceil(sizeBytes / 512)
    this.atimeMs = mtimeMs
    this.mtimeMs = mtimeMs
    this.ctimeMs = ctimeMs
    this.birthtimeMs = Math.min(mtimeMs, ctimeMs)
  }
  get atime(): Date {
    return new Date(this.atimeMs)
  }
  get mtime(): Date {
    return new Date(this.mtimeMs)
  }
  get ctime(): Date {
    return new Date(this.ctimeMs)
  }
  get birthtime(): Date {
    return new Date(this.birthtimeMs)
  }
}

/** An entry of a directory, as Node's `fs.Dirent`. */
export class NodeDirent extends Typed {
  readonly name: string
  /** The directory that it is in, as it was asked for. */
  readonly parentPath: string
  /** The name that `parentPath` had before Node 20. */
  readonly path: string

  constructor(kind: EntryKind, name: string, parentPath: string) {
    super(kind)
    this.name = name
    this.parentPath = parentPath
    this.path = parentPath
  }
}
