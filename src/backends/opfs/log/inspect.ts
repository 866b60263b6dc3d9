// Examines a copy of a store: what it contains, what is damaged, and what a repair would lose. For `npm run store`.

import { AnchorageError } from '../../../core/errors.ts'
import { isVfsError } from '../../../vfs/error.ts'
import type { FileNode } from '../../../vfs/tree/node.ts'
import { readHeader } from './header.ts'
import { describeLoss, type Loss } from './losses.ts'
import { MemoryStorage } from './memory-storage.ts'
import { openLog, problemsOf } from './open.ts'
import type { Content } from './pieced-content.ts'
import { filesOf } from './tree-contents.ts'

export interface Inspected {
  /** The store opens without a repair. */
  readonly opens: boolean
  /** The problems that opening reports, and each loss, as text. */
  readonly problems: readonly string[]
  readonly losses: readonly Loss[]
  readonly entries: readonly StoredEntry[]
}

/** A file of the store; a file with several names appears once for each. */
export interface StoredEntry {
  readonly path: string
  readonly sizeBytes: number
  readonly mode: number
  readonly mtimeMs: number
  /** Why its content cannot be read, if it cannot. */
  readonly problem: string | undefined
}

/**
 * `files` are the contents of the store's files, in any order; they are not changed. Every content is read and verified. Throws
 * `AnchorageError` `store-newer`, and `store-mixed` if they are the files of several stores.
 */
export function inspectStore(files: readonly Uint8Array[]): Inspected {
  refuseMixed(files)
  const opens = isOpening(files)
  const open = openLog(new MemoryStorage(files), { onDamage: 'cut' })
  const entries = [...filesOf(open.store.tree)].map(({ path, file, content }) => entryOf(path, file, content))
  const unreadable: readonly Loss[] = entries
    .filter(({ problem }) => problem !== undefined)
    .map(({ path, sizeBytes }) => ({ what: 'content', path, lengthBytes: sizeBytes }))
  const told = open.losses.filter(({ what }) => what !== 'content')
  const losses = [...told, ...unreadable]
  const others = open.losses.length === 0 ? problemsOf(open).map(({ hint }) => hint ?? '') : []
  return { opens, losses, problems: [...others, ...losses.map(describeLoss)], entries: entries.toSorted(byPath) }
}

/** The files of a valid store that holds everything in `files` that is undamaged. */
export function repairedStore(files: readonly Uint8Array[]): readonly Uint8Array[] {
  refuseMixed(files)
  const storage = new MemoryStorage(files)
  const open = openLog(storage, { onDamage: 'cut' })
  open.log.checkpointTwice(open.state())
  for (const file of open.unused) open.log.files.discard(file)
  return storage.contents
}

/** Within one store no number is used twice. With two of them, files of one would silently hide those of the other. */
function refuseMixed(files: readonly Uint8Array[]): void {
  const seen = new Set<number>()
  for (const file of new MemoryStorage(files).files) {
    const header = readHeader(file)
    if (header.is !== 'file') continue
    if (seen.has(header.number)) {
      throw new AnchorageError(
        'store-mixed',
        `Several files have the number ${header.number}: they belong to more than one store. Next: copy each store to a directory of its own.`,
      )
    }
    seen.add(header.number)
  }
}

function isOpening(files: readonly Uint8Array[]): boolean {
  try {
    openLog(new MemoryStorage(files))
    return true
  } catch (error) {
    if (error instanceof AnchorageError && error.code === 'store-damaged') return false
    throw error
  }
}

function entryOf(path: string, { mode, mtimeMs }: FileNode, content: Content): StoredEntry {
  return { path, sizeBytes: content.length, mode, mtimeMs, problem: problemOf(content) }
}

function problemOf(content: Content): string | undefined {
  try {
    content.slice()
    return undefined
  } catch (error) {
    if (isVfsError(error, 'EIO')) return error.hint ?? error.message
    throw error
  }
}

function byPath(a: StoredEntry, b: StoredEntry): number {
  return a.path < b.path ? -1 : 1
}
