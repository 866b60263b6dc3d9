// `cp -a`: content, permission bits and modification times; symlinks as links.

import { childPath, dirname, isInside, basename, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { VfsError } from '../error.ts'
import { needOptions } from '../input.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import { statIfAny } from './exists.ts'

export interface CopyOptions {
  /** Copy directories with their entries; otherwise a directory fails with EISDIR. */
  readonly recursive?: boolean
  /** Default true: replace existing files. False: EEXIST. */
  readonly force?: boolean
}

interface Pair {
  readonly from: VfsPath
  readonly to: VfsPath
}

/** Merges into an existing directory. EINVAL for a directory into itself, or a file onto itself. */
export function* copyTree(on: Primitives, from: VfsPath, to: VfsPath, options: CopyOptions = {}): Steps<void> {
  needOptions(options, 'cp', { recursive: 1, force: 1 })
  const refuse = (code: 'EISDIR' | 'EINVAL', hint: string): VfsError => new VfsError(code, 'cp', { path: from, dest: to, hint })
  const source = yield* call(on, 'lookup', from, { follow: false })
  if (source.kind === 'directory') {
    if (options.recursive !== true) throw refuse('EISDIR', 'use { recursive: true } for a directory')
    const realTarget = yield* realTargetOf(on, to)
    if (isInside(realTarget, yield* call(on, 'realpath', from)))
      throw refuse('EINVAL', 'a directory cannot be copied into itself')
  } else if (source.kind === 'file') {
    const target = yield* statIfAny(on, to)
    if (target?.ino === source.ino && target.rev === source.rev) throw refuse('EINVAL', 'they are the same file')
  }
  const directories: Pair[] = []
  const pending: Pair[] = [{ from, to }]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const stat = yield* call(on, 'lookup', pair.from, { follow: false })
    if (stat.kind === 'directory') {
      yield* makeDirectory(on, pair, stat)
      directories.push(pair)
      for (const { name } of yield* call(on, 'list', pair.from))
        pending.push({ from: childPath(pair.from, name), to: childPath(pair.to, name) })
    } else if (stat.kind === 'symlink') yield* copySymlink(on, pair, options.force !== false)
    else yield* copyFile(on, pair, stat, options.force !== false)
  }
  // Filling a directory changes its time, so directories are done last, the deepest first.
  for (const pair of directories.toReversed()) {
    const { mode, mtimeMs } = yield* call(on, 'lookup', pair.from)
    yield* call(on, 'setattr', pair.to, { mode, mtimeMs })
  }
}

function* realTargetOf(on: Primitives, to: VfsPath): Steps<VfsPath> {
  if ((yield* statIfAny(on, to)) !== undefined) return yield* call(on, 'realpath', to)
  return childPath(yield* call(on, 'realpath', dirname(to)), basename(to))
}

function* makeDirectory(on: Primitives, { from, to }: Pair, { mode }: Stat): Steps<void> {
  const target = yield* statIfAny(on, to)
  if (target === undefined) yield* call(on, 'mkdir', to, { mode })
  else if (target.kind !== 'directory') throw new VfsError('ENOTDIR', 'cp', { path: from, dest: to })
}

function* copyFile(on: Primitives, { from, to }: Pair, { mode, mtimeMs }: Stat, isForced: boolean): Steps<void> {
  const bytes = yield* call(on, 'read', from)
  yield* call(on, 'write', to, bytes, { mode, create: isForced ? 'if-missing' : 'exclusive' })
  yield* call(on, 'setattr', to, { mode, mtimeMs })
}

function* copySymlink(on: Primitives, { from, to }: Pair, isForced: boolean): Steps<void> {
  const target = yield* call(on, 'readlink', from)
  const there = yield* statIfAny(on, to, { follow: false })
  if (there !== undefined && there.kind !== 'directory' && isForced) yield* call(on, 'remove', to, 'file')
  yield* call(on, 'symlink', target, to)
}
