// Content of real files: read whole or in part, and replaced so that after a crash either the old or the new content is there.

import { joinPieces } from '../../core/bytes.ts'
import { systemErrorCode } from '../../core/errors.ts'
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { VfsError } from '../../vfs/error.ts'

const noFollow: number = constants.O_NOFOLLOW
const chunkBytes = 64 * 1024

export function withFile<T>(path: string, flags: number, mode: number, use: (file: number) => T): T {
  const file = openSync(path, flags, mode)
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

/** Bytes from `start` to `end`. Reads past the size that the system reports, which is 0 for generated files. */
export function readContent(path: string, start: number, end: number, maxBytes: number): Uint8Array {
  // Without O_NONBLOCK, opening a pipe that was put there meanwhile would wait.
  return withFile(path, constants.O_RDONLY | noFollow | constants.O_NONBLOCK, 0, file => {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw notAFile('read', path)
    const expectedBytes = Math.max(0, Math.min(end, stats.size) - start)
    if (expectedBytes > maxBytes) throw new VfsError('EFBIG', 'read', { hint: `at most ${maxBytes} bytes are read at once` })
    const parts = [fill(file, expectedBytes, start)]
    let lengthBytes = parts[0]?.length ?? 0
    while (start + lengthBytes < end) {
      const part = fill(file, Math.min(chunkBytes, end - start - lengthBytes), start + lengthBytes)
      if (part.length === 0) break
      parts.push(part)
      lengthBytes += part.length
      if (lengthBytes > maxBytes) throw new VfsError('EFBIG', 'read', { hint: `at most ${maxBytes} bytes are read at once` })
    }
    return joinPieces(parts, lengthBytes)
  })
}

function fill(file: number, sizeBytes: number, start: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  let filledBytes = 0
  while (filledBytes < sizeBytes) {
    const count = readSync(file, bytes, filledBytes, sizeBytes - filledBytes, start + filledBytes)
    if (count === 0) break
    filledBytes += count
  }
  return filledBytes === sizeBytes ? bytes : bytes.slice(0, filledBytes)
}

export interface Replacement {
  readonly path: string
  /** A name in the same directory that does not exist. */
  readonly temporary: string
  readonly bytes: Uint8Array
  readonly mode: number
  /** Set on the file if the clock would give another time. */
  readonly mtimeMs: number | undefined
  /** The owner of the replaced file; `undefined` for a new one. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
  /** Append the new content to the old. */
  readonly append: boolean
  readonly isDurable: boolean
}

/** Writes a temporary file beside the file and renames it. */
export function replaceContent(replacement: Replacement): void {
  const { path, temporary, owner, append } = replacement
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants
    if (append && owner !== undefined) copyInto(path, temporary)
    const flags = append && owner !== undefined ? O_WRONLY | O_APPEND | noFollow : O_WRONLY | O_CREAT | O_EXCL | noFollow
    withFile(temporary, flags, 0o600, file => finish(file, replacement))
    if (owner !== undefined) renameSync(temporary, path)
    else putNew(temporary, path)
  } catch (error) {
    removeIfThere(temporary)
    throw error
  }
}

/**
 * Milliseconds as Node's functions that set times take them: as text, because a negative number means "now", and with half a microsecond
 * more, because Node cuts off the rest.
 */
export function timeToSet(timeMs: number): string {
  const microseconds = Math.round(timeMs * 1000)
  return String((microseconds + (microseconds < 0 ? -0.5 : 0.5)) / 1e6)
}

function finish(file: number, { bytes, mode, mtimeMs, owner, isDurable }: Replacement): void {
  writeAll(file, bytes)
  if (owner !== undefined) keepOwner(file, owner)
  fchmodSync(file, mode)
  if (mtimeMs !== undefined) futimesSync(file, timeToSet(mtimeMs), timeToSet(mtimeMs))
  if (isDurable) fsyncSync(file)
}

/** Only the superuser can change the owner, and the new content matters more than the owner. */
function keepOwner(file: number, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  const own = fstatSync(file)
  if (own.uid === uid && own.gid === gid) return
  try {
    fchownSync(file, uid, gid)
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EINVAL')) throw error
  }
}

/** Creates a new name, unless it was created meanwhile: a rename would destroy the other file. */
function putNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error
    renameSync(temporary, path)
    return
  }
  unlinkSync(temporary)
}

/** Uses the open file: a symlink that was put there meanwhile is not followed. Shares blocks if the filesystem can. */
function copyInto(path: string, temporary: string): void {
  withFile(path, constants.O_RDONLY | noFollow | constants.O_NONBLOCK, 0, file => {
    if (!fstatSync(file).isFile()) throw notAFile('open', path)
    const source = process.platform === 'linux' ? `/proc/self/fd/${file}` : path
    copyFileSync(source, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    // The copy has the source's mode, which may not allow its owner to write.
    withFile(temporary, constants.O_RDONLY | noFollow, 0, copy => fchmodSync(copy, 0o600))
  })
}

/** A file with several names must be written in place so that they all remain. If that fails, the old content is restored. */
export function overwriteContent(path: string, bytes: Uint8Array, append: boolean, isDurable: boolean): void {
  withFile(path, constants.O_RDWR | noFollow | constants.O_NONBLOCK, 0, file => {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw notAFile('open', path)
    const start = append ? stats.size : 0
    const before = append ? new Uint8Array() : fill(file, stats.size, 0)
    try {
      writeAll(file, bytes, start)
      ftruncateSync(file, start + bytes.length)
    } catch (error) {
      writeAll(file, before, 0)
      ftruncateSync(file, stats.size)
      throw error
    }
    if (isDurable) fsyncSync(file)
  })
}

/**
 * Writes a part of a file in place, as a program that writes to an open file does: a crash may leave a part of it. False, and nothing is
 * written, if the file's permissions refuse that. Then it can only be replaced.
 */
export function patchContent(path: string, bytes: Uint8Array, start: number): boolean {
  try {
    withFile(path, constants.O_WRONLY | noFollow | constants.O_NONBLOCK, 0, file => {
      if (!fstatSync(file).isFile()) throw notAFile('open', path)
      writeAll(file, bytes, start)
    })
    return true
  } catch (error) {
    if (hasCode(error, 'EACCES', 'ETXTBSY')) return false
    throw error
  }
}

function writeAll(file: number, bytes: Uint8Array, start?: number): void {
  let writtenBytes = 0
  while (writtenBytes < bytes.length) {
    const position = start === undefined ? null : start + writtenBytes
    writtenBytes += writeSync(file, bytes, writtenBytes, bytes.length - writtenBytes, position)
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(systemErrorCode(error) ?? '')
}

function notAFile(syscall: string, path: string): VfsError {
  return new VfsError('ENOTSUP', syscall, { path, hint: 'it is a device, a pipe or a socket, not a file' })
}
