// Files of any filesystem as a zip archive, and back. The compression library is loaded with the first archive.

import { checkOptions } from '../../core/argument.ts'
import { checkMember } from '../../core/errors.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { ExportZipOptions } from './export.ts'
import type { ImportedZip, ImportZipOptions, ZipSource } from './import.ts'

export type { ExportZipOptions } from './export.ts'
export type { ImportedZip, ImportZipOptions, ZipSource } from './import.ts'
export type { ZipProgress } from './limits.ts'

/**
 * Everything below `options.path` as a zip archive: files, symlinks, empty directories, permission bits and times. It is read while the
 * stream is consumed, so nothing large is ever in memory as a whole.
 *
 * The stream fails with the errors of the filesystem, with `VfsError` ESTALE if a large file changed while it was read, with the reason of
 * `options.signal`, and with `AnchorageError` `zip-limit` if it exceeds the format: more than 65,534 entries, or 4 GiB.
 */
export function exportZip(fs: Vfs, options: ExportZipOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  checkMember('exportZip', fs, 'walk', 'workspace.fs')
  checkMember('exportZip', options, 'path', "{ path: '/workspace' }")
  checkOptions('exportZip', options, { path: 1, prune: 1, signal: 1, onProgress: 1 })
  const signal = options.signal
  let chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void> | undefined
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        chunks ??= (await import('./export.ts')).zipChunks(fs, options)
        signal?.throwIfAborted()
        const next = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: async () => void (await chunks?.return()),
    },
    { highWaterMark: 0 },
  )
}

/**
 * Unpacks `archive` below `options.path` and overwrites existing files; other files stay. Everything in one commit, or nothing. Permission
 * bits, times (to the second) and symlinks are restored if the archive has them; a symlink gets a new time.
 *
 * Rejects with `AnchorageError` `zip-unsafe` (a name or a link that leads out of the directory), `zip-damaged`, `zip-unsupported`
 * (encrypted, zip64, several disks, a rare compression) or `zip-limit`, with the errors of the filesystem and with the reason of
 * `options.signal`; then nothing was changed.
 */
export async function importZip(archive: ZipSource, fs: Vfs, options: ImportZipOptions): Promise<ImportedZip> {
  if (!ArrayBuffer.isView(archive) && !(archive instanceof ReadableStream))
    checkMember('importZip', archive, 'arrayBuffer', 'bytes, a stream of bytes or a Blob')
  checkMember('importZip', fs, 'batch', 'workspace.fs')
  checkMember('importZip', options, 'path', "{ path: '/workspace' }")
  checkOptions('importZip', options, { path: 1, maxFiles: 1, maxBytes: 1, signal: 1, onProgress: 1 })
  return await (await import('./import.ts')).unpackInto(fs, archive, options)
}
