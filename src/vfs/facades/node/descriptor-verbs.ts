// The functions that take a file descriptor, written once as steps, like those that take a path.

import { joinBytes } from '../../../core/bytes.ts'
import { later, type Steps } from '../../steps.ts'
import { checkDescriptor, checkInteger, invalidType, invalidValue, outOfRange, parseMode, parseTime } from './arguments.ts'
import { encoded, isEncodingName } from './encodings.ts'
import { systemError } from './errors.ts'
import type { Descriptor } from './open-files.ts'
import { ownersOf, ownersToStore, statOptions } from './attribute-verbs.ts'
import { storedMode } from './rights.ts'
import { type BigIntStats, type NodeStats, statsOf } from './stats.ts'
import { asCall, type NodeSystem } from './system.ts'

type Position = number | bigint | null | undefined

export interface ReadInto {
  readonly offset?: number | null
  readonly length?: number | null | undefined
  readonly position?: Position
}

export interface DescriptorVerbs {
  close(fd: number): Steps<void>
  fchmod(fd: number, mode: number | string): Steps<void>
  fchown(fd: number, uid: number, gid: number): Steps<void>
  fdatasync(fd: number): Steps<void>
  fstat(fd: number, options?: unknown): Steps<NodeStats | BigIntStats>
  fsync(fd: number): Steps<void>
  ftruncate(fd: number, length?: number | null): Steps<void>
  futimes(fd: number, atime: unknown, mtime: unknown): Steps<void>
  /** Returns the number of bytes read. */
  read(fd: number, buffer: unknown, offset?: number | ReadInto | null, length?: number | null, position?: Position): Steps<number>
  readv(fd: number, buffers: unknown, position?: Position): Steps<number>
  write(fd: number, data: unknown, offset?: unknown, length?: unknown, position?: Position): Steps<number>
  writev(fd: number, buffers: unknown, position?: Position): Steps<number>
}

export function descriptorVerbs(system: NodeSystem): DescriptorVerbs {
  const { open, rights } = system

  const on = <T>(syscall: string, fd: unknown, act: (file: Descriptor) => Steps<T>): Steps<T> => {
    const number = checkDescriptor(fd)
    return asCall({ syscall }, function* () {
      const file = open.get(number, syscall)
      if (file.mode.isNameOnly && syscall !== 'fstat') throw systemError('EBADF', { syscall })
      return yield* act(file)
    })
  }

  function* readInto(file: Descriptor, views: readonly Uint8Array[], position: Position): Steps<number> {
    if (!file.mode.reads) throw systemError('EBADF', { syscall: 'read' })
    const at = positionOf(position)
    const start = at ?? file.position
    const wanted = views.reduce((sum, view) => sum + view.length, 0)
    // With several buffers, Linux does not access the file if there is nothing to read.
    if (wanted === 0 && views.length > 1) return 0
    const bytes = yield* open.read(file.node, start, start + wanted)
    let done = 0
    for (const view of views) {
      view.set(bytes.subarray(done, done + view.length))
      done += view.length
    }
    if (at === undefined) file.position += bytes.length
    return bytes.length
  }

  function* writeFrom(file: Descriptor, bytes: Uint8Array, position: Position): Steps<number> {
    if (!file.mode.writes) throw systemError('EBADF', { syscall: 'write' })
    // Linux does not move to the end if there is nothing to write.
    if (bytes.length === 0) return 0
    const at = positionOf(position)
    yield* system.write(file, bytes, file.mode.appends ? 'end' : (at ?? file.position))
    if (at === undefined)
      file.position = file.mode.appends ? (yield* open.stat(file.node)).sizeBytes : file.position + bytes.length
    return bytes.length
  }

  return {
    close(fd) {
      const number = checkDescriptor(fd)
      return asCall({ syscall: 'close' }, function* () {
        open.close(number)
        yield* []
      })
    },
    fchmod(fd, mode) {
      const bits = parseMode(mode, 'mode') & 0o7777
      return on('fchmod', fd, function* (file) {
        if (rights.user === undefined) return yield* open.setAttributes(file.node, { mode: bits })
        const stat = yield* open.stat(file.node)
        rights.own('', stat, 'fchmod')
        yield* open.setAttributes(file.node, { mode: storedMode(rights.user, stat, bits) })
      })
    },
    fchown(fd, uid, gid) {
      const given = ownersOf(uid, gid)
      return on('fchown', fd, function* (file) {
        const { path } = file.node
        const stat = yield* open.stat(file.node)
        const stored = yield* ownersToStore(system, path, stat, given, { syscall: 'fchown' })
        yield* open.setAttributes(file.node, stored)
      })
    },
    fdatasync: fd => on('fdatasync', fd, () => flushed()),
    fstat(fd, given) {
      checkDescriptor(fd)
      // Node reads this option without checking its type.
      const { bigint = false } = statOptions(given)
      return on('fstat', fd, function* (file) {
        const { path } = file.node
        const plain = yield* open.stat(file.node)
        const stat = path === undefined ? plain : yield* system.counted(path, plain)
        return statsOf(stat, bigint === true)
      })
    },
    fsync: fd => on('fsync', fd, () => flushed()),
    ftruncate(fd, length) {
      const bytes = Math.max(0, checkInteger('len', length === undefined ? 0 : length))
      return on('ftruncate', fd, function* (file) {
        if (!file.mode.writes) throw systemError('EINVAL', { syscall: 'ftruncate' })
        yield* open.truncate(file.node, bytes)
        yield* system.dropSetId(file.node)
      })
    },
    futimes(fd, atime, mtime) {
      const attributes = { atimeMs: parseTime(atime, 'atime'), mtimeMs: parseTime(mtime, 'mtime') }
      return on('futime', fd, function* (file) {
        if (rights.user !== undefined) rights.own('', yield* open.stat(file.node), 'futime')
        yield* open.setAttributes(file.node, attributes)
      })
    },
    read(fd, buffer, ...rest) {
      const [offsetOrOptions, length, position] = rest
      checkDescriptor(fd)
      const view = bytesIn(buffer)
      const isList = Array.isArray(offsetOrOptions)
      if (isList || (rest.length === 1 && typeof (offsetOrOptions ?? {}) !== 'object'))
        throw invalidType('options', 'of type object', offsetOrOptions)
      // A missing length is 0 only if all arguments are given.
      const placed: ReadInto = rest.length < 2 ? {} : { offset: offsetOrOptions as number, length: length ?? null, position }
      const given: ReadInto = typeof offsetOrOptions === 'object' ? (offsetOrOptions ?? {}) : placed
      const part = partToRead(view, given, buffer)
      // Node makes no system call to read nothing.
      if (part.length === 0) return zero()
      checkPosition(given.position)
      return on('read', fd, file => readInto(file, [part], given.position))
    },
    readv(fd, buffers, position) {
      checkDescriptor(fd)
      const views = viewsIn(buffers)
      // Linux checks the list before the descriptor.
      if (views.length === 0) return failing(systemError('EINVAL', { syscall: 'read' }))
      return on('read', fd, file => readInto(file, views, wholePosition(position)))
    },
    write(fd, data, offsetOrOptions, length, position) {
      checkDescriptor(fd)
      const { bytes, at } = partToWrite(data, offsetOrOptions, length, position)
      return on('write', fd, file => writeFrom(file, bytes, at))
    },
    writev(fd, buffers, position) {
      checkDescriptor(fd)
      const views = viewsIn(buffers)
      // Node makes no system call to write nothing.
      if (views.length === 0) return zero()
      return on('write', fd, file => writeFrom(file, joinBytes(views), wholePosition(position)))
    },
  }

  /** Synchronous storage is as durable as it will be when the operation returns. */
  function* flushed(): Steps<void> {
    if (system.isInstant) return
    yield* later(() => system.vfs.flush())
  }
}

function* failing(error: Error): Steps<never> {
  yield* []
  throw error
}

function* zero(): Steps<number> {
  yield* []
  return 0
}

/** `undefined` means "where the last operation ended". Node writes this as null or -1. */
function positionOf(position: Position): number | undefined {
  if (position === undefined || position === null || Number(position) < 0) return undefined
  return Number(position)
}

/** These functions of Node continue at the current position if the given one is not a whole number. */
function wholePosition(position: unknown): number | undefined {
  return Number.isSafeInteger(position) ? (position as number) : undefined
}

function checkPosition(position: unknown): void {
  if (position === undefined || position === null) return
  if (typeof position === 'bigint') {
    const limit = 2n ** 63n
    if (position >= -limit && position < limit) return
    throw outOfRange('position', `>= ${-limit} && <= ${limit - 1n}`, position)
  }
  if (typeof position !== 'number') throw invalidType('position', 'of type bigint or integer', position)
  checkInteger('position', position, -1)
}

function bytesIn(buffer: unknown, name = 'buffer'): Uint8Array {
  if (!ArrayBuffer.isView(buffer)) throw invalidType(name, 'an instance of Buffer, TypedArray, or DataView', buffer)
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}

function viewsIn(buffers: unknown): Uint8Array[] {
  if (!Array.isArray(buffers) || !buffers.every(buffer => ArrayBuffer.isView(buffer)))
    throw invalidType('buffers', 'an ArrayBufferView[]', buffers)
  return buffers.map(buffer => bytesIn(buffer))
}

function partToRead(view: Uint8Array, given: ReadInto, buffer: unknown): Uint8Array {
  const offset = checkInteger('offset', given.offset ?? 0, 0)
  // As Node does it: a number modulo 2^32, and a TypeError of the engine for what cannot be one.
  const { length = view.length - offset } = given
  const whole = (length as number) | 0
  if (whole === 0) return view.subarray(0, 0)
  if (view.length === 0) throw invalidValue('buffer', buffer, 'is empty and cannot be written')
  if (whole < 0) throw outOfRange('length', '>= 0', whole)
  if (offset + whole > view.length) throw outOfRange('length', `<= ${view.length - offset}`, whole)
  return view.subarray(offset, offset + whole)
}

/** As in Node's `write`, text with an unknown encoding is written as UTF-8. */
function leniently(text: string, encoding: unknown): Uint8Array {
  if (!isEncodingName(encoding)) return encoded(text, undefined)
  if (encoding.toLowerCase() === 'hex' && text.length % 2 !== 0)
    throw invalidValue('encoding', encoding, `is invalid for data of length ${text.length}`)
  return encoded(text, encoding)
}

function partToWrite(
  data: unknown,
  offsetOrOptions: unknown,
  length: unknown,
  position: Position,
): { readonly bytes: Uint8Array; readonly at: Position } {
  if (typeof data === 'string') return { bytes: leniently(data, length), at: wholePosition(offsetOrOptions) }
  if (!ArrayBuffer.isView(data))
    throw invalidType('buffer', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
  const view = bytesIn(data)
  const given =
    typeof offsetOrOptions === 'object'
      ? ((offsetOrOptions ?? {}) as { offset?: unknown; length?: unknown; position?: Position })
      : { offset: offsetOrOptions, length, position }
  const offset = typeof given.offset === 'function' ? 0 : checkInteger('offset', given.offset ?? 0, 0)
  const wanted = typeof given.length === 'number' ? given.length : view.length - offset
  if (offset > view.length) throw outOfRange('offset', `<= ${view.length}`, offset)
  if (wanted > view.length - offset) throw outOfRange('length', `<= ${view.length - offset}`, wanted)
  if (wanted < 0) throw outOfRange('length', '>= 0', wanted)
  checkInteger('length', wanted)
  return { bytes: view.subarray(offset, offset + wanted), at: wholePosition(given.position) }
}
