// The only module that decodes files to text. Files that are not text are refused with advice, and never re-encoded.

import { ToolError } from '../core/errors.ts'
import { formatSize } from '../core/size.ts'
import { decodeUtf8 } from '../core/text.ts'
import type { Stat } from '../vfs/backend.ts'
import type { ResolvedPath } from './resolve-path.ts'
import type { Session } from './session.ts'
import type { PreparedText } from './text-cache.ts'

export interface LoadedText extends PreparedText {
  /** The revision before the bytes were read, so that the commit fails after a change in between. */
  readonly stat: Stat
}

/** Throws `ToolError`: `ENOENT`, `EISDIR`, `file-too-large`, `binary-file`. */
export async function loadText(session: Session, file: ResolvedPath): Promise<LoadedText> {
  const { stat } = file
  if (stat === undefined) throw missingFile(file.display)
  if (stat.kind !== 'file') {
    throw new ToolError('EISDIR', `${file.display} is a directory, not a file.`, {
      nextStep: `List it with read: ${file.display}`,
      details: { path: file.display },
    })
  }
  if (stat.sizeBytes > session.limits.textMaxBytes) {
    throw new ToolError(
      'file-too-large',
      `${file.display} is ${formatSize(stat.sizeBytes)}; text up to ${formatSize(session.limits.textMaxBytes)} can be opened.`,
      {
        nextStep: `Look at a part of it with bash: head -c 20000 '${file.display}'`,
        details: { path: file.display, sizeBytes: stat.sizeBytes },
      },
    )
  }
  const bytes = session.vfs.sync === undefined ? await session.vfs.readFile(file.path) : session.vfs.sync.read(file.path)
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'binary') {
    const why = decoded.reason === 'null-byte' ? 'it contains a null byte' : 'it is not valid UTF-8'
    throw new ToolError(
      'binary-file',
      `${file.display} is not text: ${why} at byte ${decoded.offset}. It is ${formatSize(stat.sizeBytes)}.`,
      {
        nextStep: `Look at its bytes with bash: xxd '${file.display}' | head -n 20`,
        details: { path: file.display, sizeBytes: stat.sizeBytes, reason: decoded.reason, offset: decoded.offset },
      },
    )
  }
  return { ...session.texts.open(file.path, decoded.text), stat }
}

export function missingFile(display: string): ToolError {
  return new ToolError('ENOENT', `${display} does not exist.`, {
    nextStep: 'Look for it with find, or list the parent directory with read.',
    details: { path: display },
  })
}
