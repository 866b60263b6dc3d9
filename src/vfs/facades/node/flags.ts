// How a file is opened: Node's letters, or the corresponding bits.

import { checkInteger, invalidValue } from './arguments.ts'
import { constants } from './constants.ts'

/** The meaning of an open flag. */
export interface OpenMode {
  readonly reads: boolean
  readonly writes: boolean
  readonly appends: boolean
  readonly creates: boolean
  readonly isExclusive: boolean
  readonly truncates: boolean
  /** A symlink as the last name fails with ELOOP. */
  readonly isLinkRefused: boolean
  /** Everything except a directory fails with ENOTDIR. */
  readonly isDirectoryWanted: boolean
  /** The descriptor only identifies the entry: it supports `fstat` and `close`, but neither reading nor writing. */
  readonly isNameOnly: boolean
  /** A directory is opened only to be read. */
  readonly isRefusedForDirectories: boolean
}

/** `O_PATH` of Linux, which Node does not list. It overrides all flags except the two that restrict the kind of the entry. */
const nameOnly = 0o10000000

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC, O_NOFOLLOW, O_DIRECTORY } = constants

const letters: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  rs: O_RDONLY | O_SYNC,
  sr: O_RDONLY | O_SYNC,
  'r+': O_RDWR,
  'rs+': O_RDWR | O_SYNC,
  'sr+': O_RDWR | O_SYNC,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  xw: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  xa: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  as: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  sa: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
  'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
}

/** 's' (synchronous) changes nothing here: every write is complete when it returns. Without flags: `r`. */
export function openMode(flags: unknown, fallback: string | number = 'r'): OpenMode {
  const given = flags ?? fallback
  const all = typeof given === 'number' ? checkInteger('flags', given, -(2 ** 31), 2 ** 31 - 1) : bitsOf(given)
  const isNameOnly = (all & nameOnly) !== 0
  const bits = !isNameOnly ? all : (all & (O_DIRECTORY | O_NOFOLLOW)) | O_WRONLY | O_RDWR
  const access = bits & (O_WRONLY | O_RDWR)
  return {
    // Linux opens a file with both bits only for calls that neither read nor write it.
    reads: access === O_RDONLY || access === O_RDWR,
    writes: access === O_WRONLY || access === O_RDWR,
    appends: (bits & O_APPEND) !== 0,
    creates: (bits & O_CREAT) !== 0,
    isExclusive: (bits & O_EXCL) !== 0,
    truncates: (bits & O_TRUNC) !== 0,
    isLinkRefused: (bits & O_NOFOLLOW) !== 0,
    isDirectoryWanted: (bits & O_DIRECTORY) !== 0,
    isNameOnly,
    isRefusedForDirectories: !isNameOnly && (access !== O_RDONLY || (bits & (O_CREAT | O_TRUNC)) !== 0),
  }
}

function bitsOf(flags: unknown): number {
  const bits = typeof flags === 'string' && Object.hasOwn(letters, flags) ? letters[flags] : undefined
  if (bits === undefined) throw invalidValue('flags', flags)
  return bits
}
