// How a path becomes an open file, with the checks of `open(2)` in the order of Linux.

import { dirname, type VfsPath } from '../../../core/path.ts'
import { statIfAny } from '../../derived/exists.ts'
import { isVfsError, VfsError } from '../../error.ts'
import { asksForDirectory } from '../../input.ts'
import { call, type Steps } from '../../steps.ts'
import { systemError } from './errors.ts'
import type { OpenMode } from './flags.ts'
import type { Descriptor } from './open-files.ts'
import { mayRead, mayWrite } from './rights.ts'
import { asCall, checkDirectory, checkedPath, checkLength, type GivenPath, lastDots, named, type NodeSystem } from './system.ts'
import type { VerbContext } from './verb-context.ts'

export function* openGiven(context: VerbContext, given: GivenPath, mode: OpenMode, permissions: number): Steps<Descriptor> {
  const { system } = context
  const { on, open, rights, umask } = system
  const failing = { syscall: 'open', path: given.shown }
  return yield* asCall(failing, function* () {
    if (mode.creates && mode.isDirectoryWanted) throw systemError('EINVAL', failing)
    const path = yield* mode.creates ? namedToMake(system, given, 'open') : named(system, given, 'open')
    const isNew = mode.creates && mode.isExclusive
    const isDirectoryAsked = asksForDirectory(given.text)
    const follow = !isNew && (!mode.isLinkRefused || isDirectoryAsked)
    if (rights.user !== undefined && !isNew) yield* rights.search(path, follow, 'open')
    const bits = permissions & ~umask & 0o7777
    if (mode.creates && isDirectoryAsked) {
      const dots = yield* lastDots(system, given, 'open')
      yield* checkDirectory(on, dirname(path), 'open')
      throw systemError(isNew && dots !== undefined ? 'EEXIST' : 'EISDIR', failing)
    }
    let stat = yield* statIfAny(on, path, { follow })
    const isEmptied = mode.truncates && stat !== undefined
    if (stat === undefined && (yield* statIfAny(on, dirname(path)))?.kind !== 'directory') {
      // Reports the reason: a name before the last is missing, or is not a directory.
      yield* call(on, 'lookup', path)
    }
    if (stat?.kind === 'symlink' && !isNew) throw systemError(mode.isDirectoryWanted ? 'ENOTDIR' : 'ELOOP', failing)
    if (isNew) {
      const isThere = stat !== undefined
      const make = (granted: number): Steps<typeof stat> =>
        call(on, 'write', path, new Uint8Array(), { mode: granted, create: 'exclusive' })
      stat = yield* isThere ? make(bits) : context.creating(path, 'file', bits, 'open', make)
    } else if (stat === undefined) {
      if (!mode.creates) {
        yield* call(on, 'lookup', path)
        throw systemError('ENOENT', failing)
      }
      const target = rights.user === undefined ? path : yield* linkEnd(context, path)
      // Appending nothing does not change a file that another writer created meanwhile.
      stat = yield* context.creating(target, 'file', bits, 'open', granted =>
        call(on, 'write', path, new Uint8Array(), { mode: granted, append: true }),
      )
    } else if (stat.kind === 'directory') {
      if (mode.isRefusedForDirectories) throw systemError('EISDIR', failing)
      yield* rights.use(path, stat, mayRead, 'open')
    } else if (isDirectoryAsked || mode.isDirectoryWanted) throw systemError('ENOTDIR', failing)
    else {
      const wanted = (mode.reads ? mayRead : 0) | (mode.writes || mode.truncates ? mayWrite : 0)
      yield* rights.use(path, stat, wanted, 'open')
      if (mode.truncates) stat = yield* open.changing(path, () => call(on, 'write', path, new Uint8Array(), { create: 'never' }))
    }
    if (stat === undefined) throw systemError('ENOENT', failing)
    const real = yield* call(on, 'realpath', path)
    const file = open.open(real, stat, mode)
    if (isEmptied) yield* system.dropSetId(file.node)
    return file
  })
}

/** For a file that may be made. Linux refuses a slash behind its name before it looks how long the name is. */
export function* namedToMake(system: NodeSystem, given: GivenPath, syscall: string): Steps<VfsPath> {
  try {
    return yield* named(system, given, syscall)
  } catch (error) {
    const plain = given.text.replace(/\/+$/, '')
    if (plain === given.text || !isVfsError(error, 'ENAMETOOLONG')) throw error
    checkLength(given.text, syscall)
    const directory = plain.slice(0, plain.lastIndexOf('/') + 1)
    yield* checkDirectory(system.on, yield* checkedPath(system, directory, syscall), syscall)
    throw new VfsError('EISDIR', syscall, { path: given.text })
  }
}

/** Opens, acts and closes. */
export function* withOpen<T>(
  context: VerbContext,
  given: GivenPath,
  mode: OpenMode,
  permissions: number,
  act: (file: Descriptor) => Steps<T>,
): Steps<T> {
  const file = yield* openGiven(context, given, mode, permissions)
  try {
    return yield* act(file)
  } finally {
    context.system.open.close(file.number)
  }
}

/** Where a dangling symlink leads: there the file will be created. */
export function* linkEnd({ system: { on } }: VerbContext, path: VfsPath): Steps<VfsPath> {
  let at = path
  for (let stat = yield* statIfAny(on, at, { follow: false }); stat?.kind === 'symlink';) {
    const target = yield* call(on, 'readlink', at)
    const base = yield* call(on, 'realpath', dirname(at))
    // A path that does not exist is refused by the write itself.
    at = (target.startsWith('/') ? target : `${base === '/' ? '' : base}/${target}`) as VfsPath
    stat = yield* statIfAny(on, at, { follow: false })
  }
  return at
}
