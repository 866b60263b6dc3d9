// A directory of a filesystem as '/'. It does not follow symlinks: the caller has resolved the path, name by name, inside.

import { childPath, isInside, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { asynchronous } from '../asynchronous.ts'
import type { Change, ChangeBatch, VfsBackend, VfsSync } from '../backend.ts'
import { VfsError } from '../error.ts'
import { offerPatch, patchOffer } from '../patch-offer.ts'
import { callPrimitive, callWaiting, mapPrimitives, mapWaiting, primitiveNames, type Waiting, withPaths } from '../port.ts'

/** Translates between names inside `top` and names in the whole. */
export interface Border {
  readonly into: (path: VfsPath) => VfsPath
  /** `undefined` for a path outside. */
  readonly out: (path: VfsPath) => VfsPath | undefined
  /** `error` with its paths as seen from inside. An error that is not a `VfsError` is returned unchanged. */
  readonly outError: (error: unknown) => unknown
  /** `undefined` if no change is inside. */
  readonly outBatch: (batch: ChangeBatch) => ChangeBatch | undefined
}

export function borderAt(top: VfsPath): Border {
  const depth = pathNames(top).length
  const into = (path: VfsPath): VfsPath => (path === rootPath ? top : pathNames(path).reduce(childPath, top))
  const out = (path: VfsPath): VfsPath | undefined =>
    isInside(path, top) ? pathNames(path).slice(depth).reduce(childPath, rootPath) : undefined

  const outText = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined
    return text === top ? '/' : text.startsWith(`${top}/`) ? text.slice(top.length) : text
  }

  const outChange = (change: Change): Change | undefined => {
    const { oldPath: oldOuter, ...rest } = change
    const path = out(change.path)
    const oldPath = oldOuter === undefined ? undefined : out(oldOuter)
    if (change.type !== 'move') return path === undefined ? undefined : { ...rest, path }
    if (path !== undefined) return oldPath === undefined ? { ...rest, path, type: 'create' } : { ...rest, path, oldPath }
    return oldPath === undefined ? undefined : { ...rest, path: oldPath, type: 'delete' }
  }

  return {
    into,
    out,
    outError(error) {
      if (!(error instanceof VfsError)) return error
      const { code, syscall, path, dest, hint } = error
      // If a symlink could not be created, `path` is its target, which is text and not a path.
      const inner = syscall === 'symlink' ? path : outText(path)
      return new VfsError(code, syscall, { path: inner, dest: outText(dest), hint, cause: error })
    },
    outBatch({ changes, overflow }) {
      const inside = changes.flatMap(change => outChange(change) ?? [])
      return inside.length === 0 && !overflow ? undefined : { changes: inside, overflow }
    },
  }
}

/** The primitives of `fs` with paths from inside. The paths that they return are inside too, because no symlink is on the way. */
export function shiftedSync(fs: VfsSync, { into, out, outError }: Border): VfsSync {
  const inside = mapPrimitives(primitiveNames, (name, args) => {
    try {
      return callPrimitive(fs, name, withPaths(name, args, into))
    } catch (error) {
      throw outError(error)
    }
  })
  const shifting: VfsSync = { ...inside, realpath: path => out(inside.realpath(path)) ?? path }
  offerPatch(shifting, path => patchOffer({ sync: fs }, into(path)))
  return shifting
}

function shiftedWaiting(fs: Waiting, { into, out, outError }: Border): Waiting {
  const inside = mapWaiting(primitiveNames, async (name, args) => {
    try {
      return await callWaiting(fs, name, withPaths(name, args, into))
    } catch (error) {
      throw outError(error)
    }
  })
  const shifting: Waiting = { ...inside, realpath: async path => out(await inside.realpath(path)) ?? path }
  offerPatch(shifting, path => patchOffer(fs, into(path)))
  return shifting
}

/** Uses `sync` if there is one, so that both sides cannot differ. */
export function shifted(backend: VfsBackend, border: Border): Waiting & { readonly sync?: VfsSync } {
  if (backend.sync === undefined) return shiftedWaiting(backend, border)
  const sync = shiftedSync(backend.sync, border)
  return { ...asynchronous(sync), sync }
}
