// A file of text as ah takes it: strict UTF-8, and not mostly control characters. Both read and edit open files here.

import { ToolError } from '../../core/errors.ts'
import { loadText, type LoadedText } from '../../session/load-text.ts'
import type { ResolvedPath } from '../../session/resolve-path.ts'
import type { Session } from '../../session/session.ts'

/** ah §1.2: what is looked at, and how much of it may be neither printable ASCII nor part of a longer character. */
const sampleBytes = 8192
const maxUnprintableShare = 0.1

/** Throws `ToolError`: `ENOENT`, `EISDIR`, `file-too-large`, `binary-file`. */
export async function openText(session: Session, file: ResolvedPath): Promise<LoadedText> {
  if (file.stat === undefined) {
    throw new ToolError('ENOENT', `failed to read file: ${file.display}: there is none.`, {
      nextStep: 'Look for it with bash: find . -name NAME',
      details: { path: file.display },
    })
  }
  if (file.stat.kind === 'directory') {
    throw new ToolError('EISDIR', `failed to read file: ${file.display} is a directory.`, {
      nextStep: `List it with bash: ls '${file.display}'`,
      details: { path: file.display },
    })
  }
  try {
    const loaded = await loadText(session, file)
    if (!isMostlyUnprintable(loaded.text)) return loaded
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'binary-file') throw error
  }
  const { sizeBytes } = file.stat
  throw new ToolError('binary-file', `${file.display} appears to be a binary file (${sizeBytes} bytes).`, {
    nextStep: `Look at its bytes with bash: xxd '${file.display}' | head -n 20`,
    details: { path: file.display, sizeBytes },
  })
}

function isMostlyUnprintable(text: string): boolean {
  const sample = text.slice(0, sampleBytes)
  let unprintable = 0
  for (let index = 0; index < sample.length; index++) {
    const unit = sample.charCodeAt(index)
    const isPrintable = (unit >= 32 && unit !== 127) || unit === 9 || unit === 10 || unit === 13
    if (!isPrintable) unprintable++
  }
  return unprintable > sample.length * maxUnprintableShare
}
