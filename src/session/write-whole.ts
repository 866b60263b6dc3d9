// Writing a whole file as several toolsets do it: checked before anything is made, under the lock of the real path, and refused when
// the file changed between the look and the write.

import { ToolError } from '../core/errors.ts'
import { commitWrites } from './commit.ts'
import type { ResolvedPath } from './resolve-path.ts'
import type { Session } from './session.ts'
import type { Stat } from '../vfs/backend.ts'

export interface WrittenWhole {
  /** As it was found, before it was written. */
  readonly file: ResolvedPath
  readonly bytes: Uint8Array
  readonly stat: Stat | undefined
}

/** Throws `ToolError`: `EISDIR`, `invalid-text`, `file-changed` and those of the path. Parent directories are made. */
export async function writeWhole(session: Session, path: string, content: string, signal: AbortSignal): Promise<WrittenWhole> {
  const bytes = encodeWhole(content)
  if (path === '' || path.endsWith('/')) {
    throw new ToolError('EISDIR', `${JSON.stringify(path)} names a directory, not a file.`, {
      nextStep: 'Name the file to write inside it.',
    })
  }
  const target = await session.paths.resolve(path)
  return session.locks.hold([target.path], signal, async () => {
    // Looked at again: it may have changed while the lock was waited for.
    const file = await session.paths.resolve(path)
    if (file.stat?.kind === 'directory') {
      throw new ToolError('EISDIR', `${file.display} is a directory; a file cannot take its place.`, {
        nextStep: 'Name a file inside it, or choose another name.',
        details: { path: file.display },
      })
    }
    const write = { path: file.path, display: file.display, bytes, baseRev: file.stat?.rev ?? 0 }
    const [stat] = await commitWrites(session.vfs, [write], signal)
    return { file, bytes, stat }
  })
}

/** UTF-8. Throws `ToolError` `invalid-text` for half of a surrogate pair, which it cannot hold. */
export function encodeWhole(content: string): Uint8Array {
  if (content.isWellFormed()) return new TextEncoder().encode(content)
  throw new ToolError(
    'invalid-text',
    'The text holds half of a surrogate pair, which no UTF-8 file can hold. Nothing was written.',
    {
      nextStep: 'Send the character whole, or write it as an escape.',
    },
  )
}
