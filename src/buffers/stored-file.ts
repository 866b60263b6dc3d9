// A file on disk, as far as an editor can open it.

import type { VfsPath } from '../core/path.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { StoredText } from './document.ts'
import { decodeEditorText } from './editor-text.ts'
import { withContents } from '../vfs/elsewhere.ts'

/** How often a read meets a newer file before it takes what it has. */
const maxAttempts = 100

export type StoredFile =
  | { readonly kind: 'text'; readonly text: StoredText; readonly rev?: undefined }
  | { readonly kind: 'directory'; readonly rev: number }
  | { readonly kind: 'binary'; readonly rev: number }
  | { readonly kind: 'too-large'; readonly rev: number; readonly sizeBytes: number }

/** `undefined` if nothing is there. */
export async function readStored(backend: VfsBackend, path: VfsPath, maxBytes: number): Promise<StoredFile | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      const stat = await backend.lookup(path)
      if (stat.kind !== 'file') return { kind: 'directory', rev: stat.rev }
      if (stat.sizeBytes > maxBytes) return { kind: 'too-large', rev: stat.rev, sizeBytes: stat.sizeBytes }
      const bytes = await withContents(() => backend.read(path))
      const after = await backend.lookup(path)
      if (after.rev !== stat.rev && attempt < maxAttempts) continue
      const text = decodeEditorText(bytes)
      return text === undefined ? { kind: 'binary', rev: stat.rev } : { kind: 'text', text: { ...text, rev: stat.rev } }
    } catch (error) {
      if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    }
  }
}
