// `fs.cp`: files and trees, with Node's error codes for conflicts.

import { childPath, dirname, isInside, type VfsPath } from '../../../core/path.ts'
import type { Stat } from '../../backend.ts'
import { statIfAny } from '../../derived/exists.ts'
import { isVfsError } from '../../error.ts'
import { asksForDirectory, vfsPath } from '../../input.ts'
import { call, later, type Steps } from '../../steps.ts'
import { checkBoolean, checkFunction, checkInteger, coded, optionsOf } from './arguments.ts'
import { copyError, directoryNotCopied, nodeError, systemError } from './errors.ts'
import { absolute, normal } from './paths.ts'
import { mayRead, mayWrite } from './rights.ts'
import { asCall, checkedPath, type NodeSystem } from './system.ts'
import type { VerbContext } from './verb-context.ts'

/** The options of `cp`: which entries to copy, and how to treat existing files. */
export interface CopyOptions {
  readonly recursive?: boolean
  /** Default true: replace existing files. */
  readonly force?: boolean
  /** With `force: false`: an existing file is an error instead of being left unchanged. */
  readonly errorOnExist?: boolean
  readonly preserveTimestamps?: boolean
  /** Copy the targets of symlinks. */
  readonly dereference?: boolean
  /** Keep the targets of symlinks unchanged; otherwise relative ones are made absolute. */
  readonly verbatimSymlinks?: boolean
  /** The same as for `copyFile`. */
  readonly mode?: number
  /** Whether to copy an entry and everything in it. May return a promise, but not for `cpSync`. */
  readonly filter?: (source: string, destination: string) => boolean | Promise<boolean>
}

const flags = {
  dereference: false,
  errorOnExist: false,
  force: true,
  preserveTimestamps: false,
  recursive: false,
  verbatimSymlinks: false,
}

export function parseCopyOptions(given: unknown): CopyOptions {
  // An option that is given as undefined is wrong in Node.
  const options: CopyOptions = { ...flags, ...optionsOf<CopyOptions>(given, false) }
  for (const name of Object.keys(flags) as (keyof typeof flags)[]) checkBoolean(`options.${name}`, options[name])
  if (options.dereference === true && options.verbatimSymlinks === true) {
    const message = 'Option "dereference" cannot be used in combination with option "verbatimSymlinks"'
    throw coded(new TypeError(message), 'ERR_INCOMPATIBLE_OPTION_PAIR')
  }
  checkInteger('mode', options.mode ?? 0, 0, 7)
  if (options.filter !== undefined) checkFunction('options.filter', options.filter)
  return options
}

export function* copyPath(context: VerbContext, from: string, to: string, options: CopyOptions): Steps<void> {
  const { system } = context
  const { on, rights } = system
  const syscall = options.dereference === true ? 'stat' : 'lstat'
  const top = yield* asCall({ syscall, path: from }, () => checkedPath(system, absolute(from, system.workingDirectory), 'cp'))
  yield* rights.search(top, options.dereference === true, 'cp')
  const source = yield* statFor(system, from, options)
  if (source === undefined) {
    throw systemError('ENOENT', { syscall, path: from })
  }
  const made = source.kind === 'directory' ? { syscall: 'mkdir', path: to } : { syscall: 'copyfile', path: from, dest: to }
  const goal = yield* asCall(to === '' ? made : { syscall, path: to }, () =>
    checkedPath(system, absolute(to, system.workingDirectory), 'cp'),
  )
  yield* rights.search(goal, options.dereference === true, 'cp')
  checkPair(from, to, source, yield* statFor(system, to, options))
  if (source.kind === 'directory') {
    const real = yield* call(on, 'realpath', top)
    if (isInside(yield* realOrFuture(system, goal), real)) throw sameError(from, to)
  }
  // Node makes the directories above the copy before it looks at what it copies.
  if (options.filter === undefined) yield* makeParents(context, goal)
  const pending: { readonly from: string; readonly to: string }[] = [{ from, to }]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const { filter } = options
    const { from: at, to: there } = pair
    if (filter !== undefined && !(yield* later(() => filter(at, there)))) continue
    const stat = yield* statFor(system, at, options)
    if (stat === undefined && options.dereference === true) throw systemError('ENOENT', { syscall: 'stat', path: at })
    if (stat === undefined) continue
    if (stat.kind === 'directory' && options.recursive !== true) {
      throw directoryNotCopied(at, context.isSynchronous)
    }
    const old = yield* statFor(system, there, options)
    checkPair(at, there, stat, old)
    if (stat.kind !== 'directory') {
      yield* copyEntry(context, at, there, stat, old, options)
      continue
    }
    if (old === undefined) {
      const made = placeOf(system, there)
      yield* makeParents(context, made)
      yield* asCall({ syscall: 'mkdir', path: there }, () =>
        context.creating(made, 'directory', stat.mode, 'cp', mode => call(on, 'mkdir', made, { mode })),
      )
    }
    yield* rights.use(placeOf(system, at), stat, mayRead, 'opendir')
    const entries = yield* call(on, 'list', placeOf(system, at))
    for (const { name } of entries.toReversed()) pending.push({ from: joined(at, name), to: joined(there, name) })
  }
}

/** As Node's `path.join`; paths stay relative, because the filter and errors show them. */
function joined(directory: string, name: string): string {
  return normal(`${directory}/${name}`)
}

function placeOf({ workingDirectory }: NodeSystem, path: string): VfsPath {
  return vfsPath(absolute(path, workingDirectory), 'cp')
}

/** Checks whether `source` may replace `old`. */
function checkPair(from: string, to: string, source: Stat, old: Stat | undefined): void {
  if (old === undefined) return
  if (old.ino === source.ino) throw copyError('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', 'EINVAL', to)
  if (source.kind === 'directory' && old.kind !== 'directory') {
    throw copyError('ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${to} with directory ${from}`, 'EISDIR', to)
  }
  if (source.kind !== 'directory' && old.kind === 'directory') {
    throw copyError('ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${to} with non-directory ${from}`, 'ENOTDIR', to)
  }
}

function sameError(from: string, to: string): Error {
  return copyError('ERR_FS_CP_EINVAL', `cannot copy ${from} to a subdirectory of self ${to}`, 'EINVAL', to)
}

/** The real path of `path`, or the real path that it will have once it is created. */
function* realOrFuture({ on }: NodeSystem, path: VfsPath): Steps<VfsPath> {
  const missing: string[] = []
  for (let above = path; above !== '/'; above = dirname(above)) {
    try {
      return missing.reduce(childPath, yield* call(on, 'realpath', above))
    } catch (error) {
      if (!isVfsError(error, 'ENOENT')) throw error
      missing.unshift(above.slice(above.lastIndexOf('/') + 1))
    }
  }
  return path
}

/** 'link/' is the directory that the link leads to, and 'file/' is nothing. */
function* statFor(system: NodeSystem, path: string, { dereference }: CopyOptions): Steps<Stat | undefined> {
  const failing = { syscall: dereference === true ? 'stat' : 'lstat', path }
  const isDirectoryWanted = asksForDirectory(path)
  try {
    const stat = yield* call(system.on, 'lookup', placeOf(system, path), { follow: dereference === true || isDirectoryWanted })
    if (isDirectoryWanted && stat.kind !== 'directory') throw systemError('ENOTDIR', failing)
    return stat
  } catch (error) {
    if (isVfsError(error, 'ENOENT')) return undefined
    throw nodeError(failing, error)
  }
}

function* makeParents(context: VerbContext, path: VfsPath): Steps<void> {
  const { on, umask } = context.system
  const missing: VfsPath[] = []
  for (let above = dirname(path); (yield* statIfAny(on, above)) === undefined; above = dirname(above)) missing.unshift(above)
  for (const directory of missing) {
    const make = (mode: number): Steps<void> => call(on, 'mkdir', directory, { mode })
    try {
      yield* context.creating(directory, 'directory', 0o777 & ~umask, 'mkdir', make)
    } catch (error) {
      if (!isVfsError(error, 'EEXIST')) throw error
      // A link that leads nowhere has the name.
      const isLast = directory === missing.at(-1)
      throw context.isSynchronous || isLast
        ? systemError('ENOENT', { syscall: 'mkdir', path: dirname(path) })
        : systemError('ENOTDIR', { syscall: 'mkdir', path: directory })
    }
  }
}

function* copyEntry(
  context: VerbContext,
  from: string,
  to: string,
  stat: Stat,
  old: Stat | undefined,
  options: CopyOptions,
): Steps<void> {
  const { system } = context
  const { on, open, rights } = system
  const [at, there] = [placeOf(system, from), placeOf(system, to)]
  yield* makeParents(context, there)
  if (stat.kind === 'symlink') {
    yield* copyLink(context, from, to, old, options)
    return
  }
  if (old !== undefined && options.force === false) {
    if (options.errorOnExist !== true) return
    throw copyError('ERR_FS_CP_EEXIST', `${to} already exists`, 'EEXIST', to)
  }
  if (asksForDirectory(to)) throw systemError('EISDIR', { syscall: 'copyfile', path: from, dest: to })
  yield* rights.use(at, stat, mayRead, 'copyfile')
  if (old !== undefined) {
    yield* rights.use(there, old, mayWrite, 'copyfile')
    yield* rights.remove(there, old, 'unlink')
    yield* open.removing(there, () => call(on, 'remove', there, 'file'))
  }
  const bytes = yield* call(on, 'read', at)
  // A link that leads nowhere is followed too.
  const create = options.dereference === true ? undefined : 'exclusive'
  yield* context.creating(there, 'file', stat.mode, 'copyfile', mode => call(on, 'write', there, bytes, { mode, create }))
  if (options.preserveTimestamps === true) yield* call(on, 'setattr', there, { mtimeMs: stat.mtimeMs })
}

/** A link may only replace a link. */
function* copyLink(context: VerbContext, from: string, to: string, old: Stat | undefined, options: CopyOptions): Steps<void> {
  const { system } = context
  const { on, open, rights } = system
  const [at, there] = [placeOf(system, from), placeOf(system, to)]
  const given = yield* call(on, 'readlink', at)
  const target = options.verbatimSymlinks === true || given.startsWith('/') ? given : resolved(dirname(at), given)
  if (asksForDirectory(to)) throw systemError('ENOENT', { syscall: 'symlink', path: target, dest: to })
  if (old !== undefined) {
    if (old.kind !== 'symlink') throw systemError('EEXIST', { syscall: 'symlink', path: target, dest: to })
    // Node's synchronous function looks behind the link that is replaced, the others behind the one that is copied.
    const looked = context.isSynchronous ? to : from
    yield* asCall({ syscall: 'stat', path: looked }, () => call(on, 'lookup', placeOf(system, looked)))
    const oldTarget = resolved(dirname(there), yield* call(on, 'readlink', there))
    const [source, goal] = [resolved(dirname(at), target), oldTarget]
    const isDirectory = yield* leadsToDirectory(on, at)
    if (isDirectory && isInside(goal, source)) {
      throw copyError('ERR_FS_CP_EINVAL', `cannot copy ${source} to a subdirectory of self ${goal}`, 'EINVAL', to)
    }
    if (isDirectory && isInside(source, goal)) {
      throw copyError('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${goal} with ${source}`, 'EINVAL', to)
    }
    yield* rights.remove(there, old, 'unlink')
    yield* open.removing(there, () => call(on, 'remove', there, 'file'))
  }
  yield* context.creating(there, 'symlink', 0o777, 'symlink', () => call(on, 'symlink', target, there))
}

function* leadsToDirectory(on: NodeSystem['on'], link: VfsPath): Steps<boolean> {
  try {
    return (yield* statIfAny(on, link))?.kind === 'directory'
  } catch (error) {
    if (isVfsError(error, 'ELOOP')) return false
    throw error
  }
}

/** Resolves the text, without looking at the filesystem. */
function resolved(directory: VfsPath, target: string): VfsPath {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : `${directory}/${target}`).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return vfsPath(`/${names.join('/')}`, 'cp')
}
