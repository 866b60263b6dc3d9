// Contents of files: opening, reading, writing, cutting and copying.

import { dirname } from '../../../core/path.ts'
import { statIfAny } from '../../derived/exists.ts'
import { isVfsError } from '../../error.ts'
import { asksForDirectory } from '../../input.ts'
import { call, type Steps } from '../../steps.ts'
import { checkBoolean, checkDescriptor, checkInteger, checkSignal, isDescriptor, optionsOf, parseMode } from './arguments.ts'
import { constants } from './constants.ts'
import { checkEncoding, plainBytesOf, unknownEncoding } from './encodings.ts'
import { abortError, systemError } from './errors.ts'
import { openMode } from './flags.ts'
import type { Descriptor } from './open-files.ts'
import { linkEnd, namedToMake, openGiven, withOpen } from './opening.ts'
import { smallMode } from './options.ts'
import type { NodePath } from './paths.ts'
import { warn } from './platform.ts'
import { factsOfNew, mayRead, mayWrite, withoutSetId } from './rights.ts'
import { asCall, checkDirectory, lastDots, named, used } from './system.ts'
import type { VerbContext } from './verb-context.ts'

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = constants

type Content = string | Uint8Array

interface PutOptions {
  readonly encoding: string | null
  readonly mode: number | string
  readonly flag: string | number
  readonly signal: AbortSignal
  readonly flush: boolean | null
}

export interface ContentVerbs {
  appendFile(path: NodePath | number, data: unknown, options?: unknown): Steps<void>
  copyFile(from: NodePath, to: NodePath, mode?: number | null): Steps<void>
  open(path: NodePath, flags?: unknown, mode?: unknown): Steps<Descriptor>
  readFile(path: NodePath | number, options?: unknown): Steps<Content>
  truncate(path: NodePath | number, length?: number | null): Steps<void>
  writeFile(path: NodePath | number, data: unknown, options?: unknown): Steps<void>
}

export function contentVerbs(context: VerbContext): ContentVerbs {
  const { system } = context
  const { on, open, rights, umask } = system

  const put = (path: NodePath | number, data: unknown, given: unknown, flag: string): Steps<void> => {
    const options = optionsOf<PutOptions>(given)
    checkEncoding(options.encoding)
    checkSignal(options.signal)
    if (options.flush !== undefined && options.flush !== null) checkBoolean('options.flush', options.flush)
    const bytes = plainBytesOf(data, options.encoding)
    if (isDescriptor(path) && context.takesDescriptors) {
      // For text without options, Node's synchronous functions leave this check to the system, and make no call to write nothing.
      if (given !== undefined || typeof data !== 'string' || !context.isSynchronous) checkDescriptor(path)
      const isAsked = bytes.length > 0 || !context.isSynchronous
      return asCall({ syscall: 'write' }, function* () {
        if (!isAsked) return
        const file = open.get(path, 'write')
        if (!file.mode.writes) throw systemError('EBADF', { syscall: 'write' })
        yield* system.write(file, bytes, file.mode.appends ? 'end' : file.position)
        if (bytes.length > 0)
          file.position = file.mode.appends ? (yield* open.stat(file.node)).sizeBytes : file.position + bytes.length
      })
    }
    const target = system.given(path as NodePath)
    const mode = openMode(options.flag || flag)
    const permissions = parseMode(options.mode, 'mode', 0o666)
    const { signal } = options
    return asCall({ syscall: 'open', path: target.shown }, function* () {
      checkNotAborted(signal)
      const isPlain =
        mode.creates && (mode.truncates || mode.appends) && !mode.isLinkRefused && !mode.isDirectoryWanted && mode.writes
      // Appending nothing creates a missing file, and does not change an existing one.
      const isNothing = mode.appends && bytes.length === 0
      if (!isPlain || isNothing || rights.user !== undefined || asksForDirectory(target.text)) {
        yield* withOpen(context, target, mode, permissions, file =>
          asCall({ syscall: 'write' }, function* () {
            if (!mode.writes) throw systemError('EBADF', { syscall: 'write' })
            yield* system.write(file, bytes, mode.appends ? 'end' : 0)
          }),
        )
        return
      }
      const at = yield* named(system, target, 'open')
      yield* open.changing(at, () =>
        call(on, 'write', at, bytes, {
          mode: permissions & ~umask & 0o7777,
          append: mode.appends,
          create: mode.isExclusive ? 'exclusive' : 'if-missing',
        }),
      )
    })
  }

  return {
    appendFile: (path, data, options) => put(path, data, options, 'a'),
    copyFile(from, to, mode) {
      system.given(from, 'src')
      system.given(to, 'dest')
      const flags = smallMode(mode)
      return context.onTwo('copyfile', from, to, ['src', 'dest'], function* (source, target) {
        const failing = { syscall: 'copyfile', path: source.shown, dest: target.shown }
        const at = yield* used(system, source, 'copyfile')
        const stat = yield* call(on, 'lookup', at)
        yield* rights.use(at, stat, mayRead, 'copyfile')
        const goal = yield* namedToMake(system, target, 'copyfile')
        if (asksForDirectory(target.text)) {
          const dots = yield* lastDots(system, target, 'copyfile')
          yield* checkDirectory(on, dirname(goal), 'copyfile')
          throw systemError(dots !== undefined && (flags & COPYFILE_EXCL) !== 0 ? 'EEXIST' : 'EISDIR', failing)
        }
        const there = yield* statIfAny(on, goal, { follow: (flags & COPYFILE_EXCL) === 0 })
        const end = there === undefined ? yield* linkEnd(context, goal) : goal
        // Reports that the directory of the copy is missing before anything about the file.
        if (there === undefined) yield* checkDirectory(on, dirname(end), 'copyfile')
        if (there !== undefined && (flags & COPYFILE_EXCL) !== 0) throw systemError('EEXIST', failing)
        if (there?.kind === 'directory') throw systemError('EISDIR', failing)
        const parent = there === undefined ? yield* rights.create(goal, 'copyfile') : undefined
        if (there !== undefined) yield* rights.use(goal, there, mayWrite, 'copyfile')
        if (there !== undefined && there.ino !== stat.ino) rights.own(goal, there, 'copyfile')
        if (stat.kind === 'directory') throw systemError('EISDIR', failing)
        if (there !== undefined && there.ino === stat.ino) return
        if ((flags & COPYFILE_FICLONE_FORCE) !== 0) throw systemError('ENOTSUP', failing)
        const bytes = yield* call(on, 'read', at)
        const { user } = rights
        const copy = there ?? (user !== undefined && parent !== undefined ? factsOfNew(user, parent, 'file', stat.mode) : stat)
        // Linux sets the mode before it writes, so a write clears the set-ID bits as usual. An empty file is not written.
        const isKept = user === undefined || user.uid === 0 || bytes.length === 0
        const copiedMode = isKept ? stat.mode : withoutSetId(user, { mode: stat.mode, gid: copy.gid ?? 0 })
        const write = (permissions: number): Steps<unknown> =>
          call(on, 'write', end, bytes, {
            mode: permissions,
            create: (flags & COPYFILE_EXCL) !== 0 ? 'exclusive' : 'if-missing',
          })
        yield* open.changing(goal, function* () {
          if (there === undefined) yield* context.creating(end, 'file', copiedMode, 'copyfile', write)
          else {
            yield* write(copiedMode)
            if (there.mode !== copiedMode) yield* call(on, 'setattr', goal, { mode: copiedMode })
          }
        })
      })
    },
    open(path, flags, mode) {
      const given = system.given(path)
      return openGiven(context, given, openMode(flags), parseMode(mode, 'mode', 0o666))
    },
    readFile(path, given) {
      const { encoding, flag, signal } = optionsOf<{ encoding: string | null; flag: string | number; signal: AbortSignal }>(given)
      checkEncoding(encoding)
      checkSignal(signal)
      if (isDescriptor(path) && context.takesDescriptors) {
        checkDescriptor(path)
        return asCall({ syscall: 'read' }, function* () {
          checkNotAborted(signal)
          // Node gets the size first, except for text.
          const isText = encoding === 'utf8' || encoding === 'utf-8'
          const file = open.get(path, context.isSynchronous && !isText ? 'fstat' : 'read')
          if (!file.mode.reads) throw systemError('EBADF', { syscall: 'read' })
          const bytes = yield* open.read(file.node, file.position, Infinity)
          file.position += bytes.length
          return shownAs(bytes, encoding)
        })
      }
      const source = system.given(path as NodePath)
      // Node's promise function treats every falsy value as missing.
      const mode = openMode(context.takesDescriptors ? flag : flag || undefined)
      return asCall({ syscall: 'open', path: source.shown }, function* () {
        checkNotAborted(signal)
        if (encoding === 'buffer' && !context.takesDescriptors) {
          yield* call(on, 'lookup', yield* used(system, source, 'open'))
          throw unknownEncoding()
        }
        const isPlain = mode.reads && !mode.creates && !mode.truncates && !mode.isLinkRefused && !mode.isDirectoryWanted
        if (!isPlain || rights.user !== undefined) {
          return yield* withOpen(context, source, mode, 0o666, file =>
            asCall({ syscall: 'read' }, function* () {
              if (!mode.reads) throw systemError('EBADF', { syscall: 'read' })
              return shownAs(yield* open.read(file.node, 0, Infinity), encoding)
            }),
          )
        }
        try {
          return shownAs(yield* call(on, 'read', yield* used(system, source, 'open')), encoding)
        } catch (error) {
          // Node opens a directory before it finds that it cannot read it, and then reports no path. To write, it is not opened.
          if (isVfsError(error, 'EISDIR') && !mode.writes) throw systemError('EISDIR', { syscall: 'read' }, error)
          throw error
        }
      })
    },
    truncate(path, length) {
      if (typeof path === 'number' && context.takesDescriptors) {
        warn(
          'Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file descriptor instead.',
          'DEP0081',
        )
        const bytes = checkInteger('len', length === undefined ? 0 : length)
        checkDescriptor(path)
        return asCall({ syscall: 'ftruncate' }, () => cut(open.get(path, 'ftruncate'), Math.max(0, bytes)))
      }
      const given = system.given(path as NodePath)
      return asCall({ syscall: 'open', path: given.shown }, () =>
        withOpen(context, given, openMode('r+'), 0o666, function* (file) {
          const bytes = checkInteger('len', length === undefined ? 0 : length)
          yield* cut(file, Math.max(0, bytes))
        }),
      )
    },
    writeFile: (path, data, options) => put(path, data, options, 'w'),
  }

  /** Node's synchronous functions do not look at the signal. */
  function checkNotAborted(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true && !context.isSynchronous) throw abortError(signal)
  }

  /** Node rejects 'buffer' only when it decodes, and it does not decode an empty content. */
  function shownAs(bytes: Uint8Array, encoding: string | null | undefined): Content {
    if (encoding !== 'buffer') return system.shown(bytes, encoding)
    if (bytes.length === 0) return ''
    throw unknownEncoding()
  }

  function* cut(file: Descriptor, length: number): Steps<void> {
    if (!file.mode.writes) throw systemError('EINVAL', { syscall: 'ftruncate' })
    yield* open.truncate(file.node, length)
    yield* system.dropSetId(file.node)
  }
}
