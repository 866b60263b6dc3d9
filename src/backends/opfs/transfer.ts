// Copies files from a browser directory into a filesystem, and back. The directory is one that the user picked, or the origin's private
// one. Works with any filesystem, also on the page, where such directories are picked.

import { checkOptions } from '../../core/argument.ts'
import { AnchorageError, checkMember } from '../../core/errors.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { DirectoryHandle, FileHandle } from './platform.ts'

const defaultMaxFiles = 100_000
const parallelReads = 16
/** Chromium leaves such a file beside one that was being written when the browser crashed. */
const leftover = /\.crswap$/

/** Options of `importFrom` and `exportTo`. */
export interface TransferOptions {
  /** The directory inside the filesystem, absolute. */
  readonly path: string
  /**
   * The limit for files and directories. Above it the call fails with `AnchorageError` `transfer-limit`, and nothing is changed. Default
   * 100,000.
   */
  readonly maxFiles?: number
  readonly signal?: AbortSignal
}

/** The number of files and bytes that were copied. */
export interface Transferred {
  readonly fileCount: number
  readonly sizeBytes: number
  /** Entries that were left out because the target cannot hold them: symlinks, and leftovers of a browser crash. */
  readonly skipped: readonly string[]
}

/**
 * Copies everything below `directory` to `options.path` and overwrites existing files; other files stay. Everything is copied in one
 * commit, or nothing. Rejects as the filesystem and the browser do, and with the reason of `options.signal`.
 */
export async function importFrom(directory: DirectoryHandle, fs: Vfs, options: TransferOptions): Promise<Transferred> {
  checkTransfer('importFrom', fs, directory, options)
  const { path: root, maxFiles = defaultMaxFiles, signal } = options
  const found: { readonly path: string; readonly handle: FileHandle }[] = []
  const directories: string[] = []
  const skipped: string[] = []
  const pending: { readonly path: string; readonly handle: DirectoryHandle }[] = [{ path: root, handle: directory }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal?.throwIfAborted()
    directories.push(next.path)
    for await (const handle of next.handle.values()) {
      const path = joined(next.path, handle.name)
      if (handle.kind === 'directory') pending.push({ path, handle })
      else if (leftover.test(handle.name)) skipped.push(path)
      else found.push({ path, handle })
      if (found.length + pending.length + directories.length > maxFiles) throw tooMany(maxFiles)
    }
  }
  let sizeBytes = 0
  await fs.batch(async draft => {
    for (const path of directories) await draft.mkdir(path, { recursive: true })
    for (let start = 0; start < found.length; start += parallelReads) {
      signal?.throwIfAborted()
      const chunk = found.slice(start, start + parallelReads)
      const contents = await Promise.all(
        chunk.map(async ({ handle }) => new Uint8Array(await (await handle.getFile()).arrayBuffer())),
      )
      for (const [index, { path }] of chunk.entries()) {
        const content = contents[index] ?? new Uint8Array()
        sizeBytes += content.length
        await draft.writeFile(path, content)
      }
    }
  })
  return { fileCount: found.length, sizeBytes, skipped }
}

/**
 * Copies everything below `options.path` into `directory` and overwrites existing files; other files stay. Each file is replaced as a
 * whole, but the browser has no commit for several files: after an abort or a failure, the files that were already written stay.
 */
export async function exportTo(fs: Vfs, directory: DirectoryHandle, options: TransferOptions): Promise<Transferred> {
  checkTransfer('exportTo', fs, directory, options)
  const { path: root, maxFiles = defaultMaxFiles, signal } = options
  const snapshot: { readonly path: string; readonly kind: 'file' | 'directory' | 'symlink' }[] = []
  for await (const { path, kind } of fs.walk(root, { maxEntries: maxFiles + 1, signal })) {
    snapshot.push({ path, kind })
    if (snapshot.length > maxFiles) throw tooMany(maxFiles)
  }
  const handles = new Map<string, DirectoryHandle>([[root, directory]])
  const skipped: string[] = []
  let [fileCount, sizeBytes] = [0, 0]
  for (const { path, kind } of snapshot) {
    signal?.throwIfAborted()
    const name = path.slice(path.lastIndexOf('/') + 1)
    // A walk yields parents before children.
    const parent = handles.get(path.slice(0, path.lastIndexOf('/')) || '/')
    if (parent === undefined) throw new Error(`the walk yielded ${path} before its directory`)
    if (kind === 'directory') handles.set(path, await parent.getDirectoryHandle(name, { create: true }))
    else if (kind === 'symlink') skipped.push(path)
    else {
      const content = await fs.readFile(path)
      await writeWhole(await parent.getFileHandle(name, { create: true }), content)
      fileCount++
      sizeBytes += content.length
    }
  }
  return { fileCount, sizeBytes, skipped }
}

async function writeWhole(handle: FileHandle, content: Uint8Array): Promise<void> {
  if (handle.createWritable === undefined)
    throw new VfsError('ENOTSUP', 'open', { path: handle.name, hint: 'this browser cannot write files of a directory from here' })
  const writable = await handle.createWritable()
  // `slice` copies shared memory, which the browser does not accept.
  await writable.write(new Uint8Array(content))
  await writable.close()
}

function joined(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`
}

function tooMany(maxFiles: number): AnchorageError {
  return new AnchorageError(
    'transfer-limit',
    `There are more than ${maxFiles} files and directories. Nothing was changed. Next: choose a smaller directory, or raise maxFiles.`,
    { details: { maxFiles } },
  )
}

function checkTransfer(caller: string, fs: unknown, directory: unknown, options: TransferOptions): void {
  checkMember(caller, fs, 'walk', 'workspace.fs')
  checkMember(caller, directory, 'values', 'a directory handle of the browser')
  checkMember(caller, options, 'path', "{ path: '/workspace' }")
  checkOptions(caller, options, { path: 1, maxFiles: 1, signal: 1 })
}
