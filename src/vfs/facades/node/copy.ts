// `fs.cp`: files and trees, with Node's error codes for conflicts. It is made of the other functions, as in Node, so that rights, modes and
// errors are theirs.

import { isInside, type VfsPath } from '../../../core/path.ts'
import { later, type Steps } from '../../steps.ts'
import { checkBoolean, checkFunction, checkInteger, coded, optionsOf } from './arguments.ts'
import type { AttributeVerbs } from './attribute-verbs.ts'
import type { ContentVerbs } from './content-verbs.ts'
import type { DirectoryVerbs } from './directory-verbs.ts'
import { copyError, directoryNotCopied, hasCode } from './errors.ts'
import type { NameVerbs } from './name-verbs.ts'
import { absolute, normal, type NodePath } from './paths.ts'
import type { NodeStats } from './stats.ts'
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

export interface CopyVerbs {
  cp(from: NodePath, to: NodePath, options?: unknown): Steps<void>
}

/** The functions that `cp` calls. */
type Parts = AttributeVerbs & ContentVerbs & DirectoryVerbs & NameVerbs

/** A step that is still to be done. A directory gets its mode when all its entries are copied. */
type Task =
  | { readonly from: string; readonly to: string; readonly isFirst: boolean }
  | { readonly to: string; readonly mode: number }

const ownerWrites = 0o200

const flags = {
  dereference: false,
  errorOnExist: false,
  force: true,
  preserveTimestamps: false,
  recursive: false,
  verbatimSymlinks: false,
}

function parseCopyOptions(given: unknown): CopyOptions {
  // Node refuses an option that is given as undefined.
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

export function copyVerbs(context: VerbContext, parts: Parts): CopyVerbs {
  const { system } = context
  return {
    cp(from, to, given) {
      const options = parseCopyOptions(given)
      return new Copy(context, parts, options).all(system.given(from, 'src').shown, system.given(to, 'dest').shown)
    },
  }
}

class Copy {
  readonly #context: VerbContext
  readonly #parts: Parts
  readonly #options: CopyOptions

  constructor(context: VerbContext, parts: Parts, options: CopyOptions) {
    this.#context = context
    this.#parts = parts
    this.#options = options
  }

  *all(from: string, to: string): Steps<void> {
    const tasks: Task[] = [{ from, to, isFirst: true }]
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      if ('mode' in task) yield* this.#parts.chmod(task.to, task.mode)
      else for (const next of (yield* this.#one(task.from, task.to, task.isFirst)).toReversed()) tasks.push(next)
    }
  }

  /** Copies one entry, and returns the next tasks, in order. */
  *#one(from: string, to: string, isFirst: boolean): Steps<readonly Task[]> {
    const { filter, recursive } = this.#options
    if (filter !== undefined && !(yield* later(() => filter(from, to)))) return []
    const source = yield* this.#look(from)
    const old = yield* ifAny(this.#look(to))
    this.#checkPair(from, to, source, old)
    if (isFirst) {
      yield* this.#checkAbove(from, to, source)
      yield* this.#makeParent(to)
    }
    if (source.isSymbolicLink()) yield* this.#link(from, to, old)
    else if (!source.isDirectory()) yield* this.#file(from, to, source, old)
    else if (recursive === true) return yield* this.#directory(from, to, source, old)
    else throw directoryNotCopied(from, this.#context.isSynchronous)
    return []
  }

  #look(path: string): Steps<NodeStats> {
    const stats = this.#options.dereference === true ? this.#parts.stat(path) : this.#parts.lstat(path)
    // Without options, these functions return this class, and throw if the entry is missing.
    return stats as Steps<NodeStats>
  }

  /** Checks whether `source` may replace `old`. */
  #checkPair(from: string, to: string, source: NodeStats, old: NodeStats | undefined): void {
    if (old?.ino === source.ino) throw copyError('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', 'EINVAL', to)
    if (old !== undefined && source.isDirectory() && !old.isDirectory())
      throw copyError('ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${to} with directory ${from}`, 'EISDIR', to)
    if (old?.isDirectory() === true && !source.isDirectory())
      throw copyError('ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${to} with non-directory ${from}`, 'ENOTDIR', to)
    if (source.isDirectory() && isInside(this.#resolved(to), this.#resolved(from))) throw intoItself(from, to)
  }

  /** Throws if a directory above the copy is the source, even under another name. */
  *#checkAbove(from: string, to: string, source: NodeStats): Steps<void> {
    const last = this.#resolved(above(from))
    let below = to
    for (let at = this.#resolved(above(to)); at !== last && at !== '/'; at = this.#resolved(above(at))) {
      const stat = yield* ifAny(this.#parts.stat(at))
      if (stat === undefined) return
      if (stat.ino === source.ino) throw intoItself(from, below)
      below = at
    }
  }

  *#makeParent(to: string): Steps<void> {
    const parts = this.#parts
    const parent = above(to)
    const isThere = this.#context.isSynchronous ? yield* parts.exists(parent) : (yield* ifAny(parts.stat(parent))) !== undefined
    if (!isThere) yield* parts.mkdir(parent, { recursive: true })
  }

  *#directory(from: string, to: string, source: NodeStats, old: NodeStats | undefined): Steps<readonly Task[]> {
    if (old === undefined) yield* this.#parts.mkdir(to)
    const directory = yield* this.#parts.opendir(from)
    const tasks: Task[] = []
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync())
      tasks.push({ from: normal(`${from}/${entry.name}`), to: normal(`${to}/${entry.name}`), isFirst: false })
    directory.closeSync()
    if (old === undefined) tasks.push({ to, mode: source.mode })
    return tasks
  }

  *#file(from: string, to: string, { mode }: NodeStats, old: NodeStats | undefined): Steps<void> {
    const parts = this.#parts
    const { errorOnExist, force, preserveTimestamps } = this.#options
    if (old !== undefined && force !== true) {
      if (errorOnExist !== true) return
      throw copyError('ERR_FS_CP_EEXIST', `${to} already exists`, 'EEXIST', to)
    }
    if (old !== undefined) yield* parts.unlink(to)
    yield* parts.copyFile(from, to, this.#options.mode)
    if (preserveTimestamps === true) {
      if ((mode & ownerWrites) === 0) yield* parts.chmod(to, mode | ownerWrites)
      const times = yield* parts.stat(from)
      if (times !== undefined) yield* parts.utimes(to, times.atime, times.mtime)
    }
    yield* parts.chmod(to, mode)
  }

  /** A link may only replace a link. */
  *#link(from: string, to: string, old: NodeStats | undefined): Steps<void> {
    const parts = this.#parts
    const given = String(yield* parts.readlink(from))
    const target =
      this.#options.verbatimSymlinks === true || given.startsWith('/') ? given : this.#resolved(`${above(from)}/${given}`)
    if (old === undefined || !old.isSymbolicLink()) {
      yield* parts.symlink(target, to)
      return
    }
    const replaced = String(yield* parts.readlink(to))
    const oldTarget = replaced.startsWith('/') ? replaced : this.#resolved(`${above(to)}/${replaced}`)
    const [source, goal] = [this.#resolved(target), this.#resolved(oldTarget)]
    if (isInside(goal, source)) throw intoItself(target, oldTarget, to)
    // Node's synchronous function checks the target of the link that is replaced, the others that of the link that is copied.
    const behind = yield* parts.stat(this.#context.isSynchronous ? to : from)
    if (behind?.isDirectory() === true && isInside(source, goal))
      throw copyError('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${oldTarget} with ${target}`, 'EINVAL', to)
    yield* parts.unlink(to)
    yield* parts.symlink(target, to)
  }

  /** Resolves the text alone, without the filesystem. */
  #resolved(path: string): VfsPath {
    // It is absolute and normal; whether its names are allowed does not matter here.
    return normal(absolute(path === '' ? '.' : path, this.#context.system.workingDirectory)) as VfsPath
  }
}

/** The text before the last name. */
function above(path: string): string {
  const plain = path.replace(/\/+$/, '')
  const end = plain.lastIndexOf('/')
  if (end === -1) return path.startsWith('/') ? '/' : '.'
  return plain.slice(0, Math.max(end, 1))
}

function intoItself(from: string, to: string, path: string = to): Error {
  return copyError('ERR_FS_CP_EINVAL', `cannot copy ${from} to a subdirectory of self ${to}`, 'EINVAL', path)
}

/** `undefined` for a missing entry. */
function* ifAny<T>(steps: Steps<T>): Steps<T | undefined> {
  try {
    return yield* steps
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
