// The contents that files of the lower layer had when they were first changed here: the base for a merge of both sides.

import type { VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { isVfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'

const maxFileBytes = 1024 * 1024
const maxAllBytes = 32 * 1024 * 1024

export interface KeptBase {
  readonly rev: number
  readonly mode: number
  readonly bytes: Uint8Array
}

/** By path in the lower layer. Above the limits nothing is kept, so those files cannot be merged. */
export class KeptBases {
  readonly #bases = new Map<VfsPath, KeptBase>()
  #bytes = 0

  /** The content at revision `rev`, or any if `rev` is absent. */
  at(path: VfsPath, rev?: number): KeptBase | undefined {
    const base = this.#bases.get(path)
    return rev === undefined || base?.rev === rev ? base : undefined
  }

  /** Forgets all others. */
  keepOnly(isWanted: (path: VfsPath) => boolean): void {
    for (const path of [...this.#bases.keys()]) if (!isWanted(path)) this.#forget(path)
  }

  /** Keeps nothing if the content is not known to be that of `stat`. */
  *keep(lower: Primitives, path: VfsPath, { kind, rev, mode, sizeBytes }: Stat): Steps<void> {
    this.#forget(path)
    if (kind !== 'file' || sizeBytes > maxFileBytes || this.#bytes + sizeBytes > maxAllBytes) return
    try {
      // The backend may reuse its memory, so this is a copy.
      const bytes = (yield* call(lower, 'read', path)).slice()
      const after = yield* statIfAny(lower, path, { follow: false })
      if (after?.rev !== rev || bytes.length > maxFileBytes) return
      this.#bases.set(path, { rev, mode, bytes })
      this.#bytes += bytes.length
    } catch (error) {
      // A file that cannot be read can still be replaced, but not merged.
      if (!isVfsError(error)) throw error
    }
  }

  #forget(path: VfsPath): void {
    this.#bytes -= this.#bases.get(path)?.bytes.length ?? 0
    this.#bases.delete(path)
  }
}
