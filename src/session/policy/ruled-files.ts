// Enforces rules on files: each access to a place is checked, below tools and commands.

import { childPath, displayPath, type VfsPath } from '../../core/path.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import { statIfAny } from '../../vfs/derived/exists.ts'
import { call, type Primitives, type Steps } from '../../vfs/steps.ts'
import { guardedBackend, type Touch } from './guarded-backend.ts'
import { placeOf } from './place.ts'

/** The reason for a refusal. `undefined` means allowed. `cause` can be a better error than that of the filesystem. */
export type Refusal = { readonly hint: string; readonly cause?: unknown } | undefined

export interface FileJudge {
  readonly changing: (place: VfsPath) => Refusal
  readonly reading: (place: VfsPath) => Refusal
  /** Whether listings leave out `place`. A shell lists files that it may not open, as shells do. */
  readonly hides: (place: VfsPath) => boolean
}

/** The limit on entries of a renamed directory, since each is checked. A larger tree is refused. */
const maxRenamedEntries = 500_000

export function ruledBackend(backend: VfsBackend, judge: FileJudge): VfsBackend {
  return guardedBackend(backend, {
    beforeChange: (on, touched) => refuseChange(on, judge, touched),
    reading: {
      beforeRead: (place, path, syscall) => refuse(judge.reading(place), syscall, path),
      shows: place => !judge.hides(place),
    },
  })
}

function refuse(refusal: Refusal, syscall: string, path: VfsPath): void {
  if (refusal !== undefined) throw new VfsError('EACCES', syscall, { path, ...refusal })
}

function* refuseChange(on: Primitives, judge: FileJudge, touched: readonly Touch[]): Steps<void> {
  for (const { path, follow, whole, syscall } of touched) {
    const place = yield* placeOf(on, path, follow)
    refuse(judge.changing(place), syscall, path)
    // Only a rename affects entries below a directory; a directory that is removed is empty.
    if (whole === false || whole.to === undefined) continue
    const to = yield* placeOf(on, whole.to, false)
    for (const below of yield* entriesBelow(on, place, syscall)) {
      refuse(judge.changing(below), syscall, path)
      refuse(judge.changing(moved(below, place, to)), syscall, path)
    }
  }
}

function* entriesBelow(on: Primitives, directory: VfsPath, syscall: string): Steps<readonly VfsPath[]> {
  if ((yield* statIfAny(on, directory, { follow: false }))?.kind !== 'directory') return []
  const found: VfsPath[] = []
  const pending = [directory]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const { name, kind } of yield* call(on, 'list', at)) {
      const entry = childPath(at, name)
      found.push(entry)
      if (found.length > maxRenamedEntries) {
        throw new VfsError('EACCES', syscall, {
          path: directory,
          hint: `it has more than ${maxRenamedEntries} entries, too many to check against the policy; move its parts`,
        })
      }
      if (kind === 'directory') pending.push(entry)
    }
  }
  return found
}

function moved(path: VfsPath, from: VfsPath, to: VfsPath): VfsPath {
  return childPath(to, displayPath(path, from))
}
