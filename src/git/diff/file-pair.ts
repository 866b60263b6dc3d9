// One changed file of a diff, and how to read its contents.

import { encodeText } from '../../shell/byte-text.ts'
import { modes } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'
import type { FileChange, FileSide } from './tree-diff.ts'

export type PairStatus = 'A' | 'D' | 'M' | 'T' | 'R' | 'C' | 'U'

export interface FilePair {
  readonly status: PairStatus
  /** Similarity of a rename or copy, 0 to 100. */
  readonly similarity: number
  /** The same unless it is a rename or copy. */
  readonly beforePath: string
  readonly path: string
  readonly before: FileSide | undefined
  readonly after: FileSide | undefined
  readonly unmerged?: FileChange['unmerged']
  /** The pair before `--relative` cut its paths. Git's summary shows those. */
  readonly uncut?: FilePair
}

export function pairOf({ path, beforePath = path, before, after, unmerged }: FileChange): FilePair {
  const pair = { status: statusOf(before, after), similarity: 0, beforePath, path, before, after }
  return unmerged === undefined ? pair : { ...pair, unmerged }
}

export function statusOf(before: FileSide | undefined, after: FileSide | undefined): PairStatus {
  if (before === undefined) return after === undefined ? 'U' : 'A'
  if (after === undefined) return 'D'
  return (before.mode & 0o170000) === (after.mode & 0o170000) ? 'M' : 'T'
}

/** A submodule that differs inside only. */
export function hasOnlyDirt({ before, after }: FilePair): boolean {
  return before?.oid === after?.oid && (before?.dirt ?? after?.dirt) !== undefined
}

const nothing = new Uint8Array()

/** Reads both sides of pairs, each content once while it is needed. */
export class ContentReader {
  readonly #repository: Repository
  #last: { readonly key: string; readonly bytes: Uint8Array } | undefined

  constructor(repository: Repository) {
    this.#repository = repository
  }

  async read(side: FileSide | undefined, path: string): Promise<Uint8Array> {
    if (side === undefined) return nothing
    if (side.bytes !== undefined) return side.bytes
    if (side.mode === modes.submodule)
      return encodeText(`Subproject commit ${side.oid}${side.dirt === undefined ? '' : '-dirty'}\n`)
    if (side.isWorkTree !== true) return this.#repository.objects.readBlob(side.oid)
    const key = `${path}\0${side.oid}`
    if (this.#last?.key === key) return this.#last.bytes
    const tree = await this.#repository.workTree()
    const content = await tree.readForRepository(path, await tree.lstat(path), await this.#repository.readIndex())
    const bytes = content?.bytes ?? nothing
    this.#last = { key, bytes }
    return bytes
  }
}

/** A null byte near the beginning: git considers it binary. */
export function looksBinary(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0)
  return at !== -1 && at < 8000
}
