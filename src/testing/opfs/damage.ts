// What becomes of a store with damaged files: whether it opens, and which paths are different or unreadable then.

import { openBlockStorage } from '../../backends/opfs/indexeddb/block-storage.ts'
import { blockBytes } from '../../backends/opfs/indexeddb/blocks.ts'
import { openLog, type OpenLog, type OpenLogOptions, problemsOf } from '../../backends/opfs/log/open.ts'
import type { LogStorage } from '../../backends/opfs/log/storage.ts'
import { AnchorageError } from '../../core/errors.ts'
import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsSync } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'
import { FakeBlocks } from './fake-blocks.ts'
import { FakeDisk } from './fake-storage.ts'
import { factsOf } from './log-session.ts'

/** Everything that the port shows of each path, as text. */
export type Entries = ReadonlyMap<string, string>

const everyByte = new TextDecoder('latin1')

/** The entry at every path; `EIO` for content that cannot be read. */
export function entriesOf(fs: VfsSync): Entries {
  const entries = new Map<string, string>()
  const visit = (at: VfsPath): void => {
    const stat = fs.lookup(at, { follow: false })
    const { kind } = stat
    entries.set(at, `${factsOf(stat)} ${kind === 'file' ? contentOf(fs, at) : kind === 'symlink' ? fs.readlink(at) : ''}`)
    if (kind === 'directory') for (const { name } of fs.list(at)) visit(childPath(at, name))
  }
  visit(rootPath)
  return entries
}

function contentOf(fs: VfsSync, path: VfsPath): string {
  try {
    return everyByte.decode(fs.read(path))
  } catch (error) {
    if (isVfsError(error, 'EIO')) return 'EIO'
    throw error
  }
}

export interface Verdict {
  readonly is: 'whole' | 'unreadable content' | 'told at opening' | 'refused' | 'SILENT LOSS'
  /**
   * Paths that are missing or unreadable, also when the store is opened without its lost part. Several names of one unreadable file count
   * once.
   */
  readonly lostPaths: number
}

export async function verdictOn(
  storage: () => Promise<LogStorage>,
  expected: Entries,
  options: OpenLogOptions,
): Promise<Verdict> {
  const opened = openedOrRefused(await storage(), options)
  const open = opened instanceof AnchorageError ? openLog(await storage(), { ...options, onDamage: 'cut' }) : opened
  const found = entriesOf(open.store.fs)
  const different = [...expected].filter(([path, facts]) => found.get(path) !== facts)
  const extra = [...found.keys()].filter(path => !expected.has(path))
  const isUnreadable = different.every(([path]) => found.get(path)?.endsWith(' EIO') === true)
  const lostPaths = new Set(different.map(([path, facts]) => (found.has(path) ? facts.split(' ')[4] : path))).size + extra.length
  if (opened instanceof AnchorageError) return { is: 'refused', lostPaths }
  if (lostPaths === 0) return { is: 'whole', lostPaths }
  if (isUnreadable && extra.length === 0) return { is: 'unreadable content', lostPaths }
  return { is: problemsOf(open).length > 0 ? 'told at opening' : 'SILENT LOSS', lostPaths }
}

function openedOrRefused(storage: LogStorage, options: OpenLogOptions): OpenLog | AnchorageError {
  try {
    return openLog(storage, options)
  } catch (error) {
    if (error instanceof AnchorageError) return error
    throw error
  }
}

export function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = bytes.slice()
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return changed
}

/** Opens a store with these files, again at each call. */
export type StorageOf = (contents: readonly Uint8Array[]) => () => Promise<LogStorage>

export const onDisk: StorageOf = contents => async () => new FakeDisk(contents).storage()
export const inDatabase: StorageOf = contents => () => openBlockStorage(blocksOf(contents).own(), () => {})

function blocksOf(contents: readonly Uint8Array[]): FakeBlocks {
  const cut = (bytes: Uint8Array): Uint8Array[] =>
    Array.from({ length: Math.ceil(bytes.length / blockBytes) }, (_, index) =>
      bytes.slice(index * blockBytes, (index + 1) * blockBytes),
    )
  return new FakeBlocks(new Map(contents.map((bytes, index) => [index + 1, cut(bytes)] as const)))
}
