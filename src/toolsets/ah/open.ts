// Opens a text file by ah's rules: strict UTF-8, and not mostly control characters. Both read and edit open files here.

import { ToolError } from '../../core/errors.ts'
import { openText, type FileWords, type OpenedText, type PresentFile } from '../../session/resolve-text.ts'
import type { Session } from '../../session/session.ts'

/** The number of characters that are examined, and the share of them that may be control characters. */
const sampleCharacters = 8192
const maxControlShare = 0.1

export const ahWords: FileWords = {
  missing: ({ display }) =>
    new ToolError('ENOENT', `failed to read file: ${display} does not exist.`, {
      nextStep: 'Look for it with bash: find . -name NAME',
      details: { path: display },
    }),
  directory: ({ display }) =>
    new ToolError('EISDIR', `${display} is a directory, not a file.`, {
      nextStep: `List it with bash: ls '${display}'`,
      details: { path: display },
    }),
  notText: (file, error) => (error.code === 'binary-file' ? binaryFile(file) : error),
}

/** Throws `ToolError` `binary-file` for a text of control characters. */
export function refuseControlCharacters({ file, text }: OpenedText): void {
  if (isMostlyControlCharacters(text)) throw binaryFile(file)
}

export async function openAhText(session: Session, file: PresentFile): Promise<OpenedText> {
  const opened = await openText(session, file, ahWords)
  refuseControlCharacters(opened)
  return opened
}

function binaryFile({ display, stat: { sizeBytes } }: PresentFile): ToolError {
  return new ToolError('binary-file', `${display} appears to be a binary file (${sizeBytes} bytes).`, {
    nextStep: `Look at its bytes with bash: xxd '${display}' | head -n 20`,
    details: { path: display, sizeBytes },
  })
}

function isMostlyControlCharacters(text: string): boolean {
  const sample = text.slice(0, sampleCharacters)
  let count = 0
  for (let index = 0; index < sample.length; index++) {
    const unit = sample.charCodeAt(index)
    const isPrintable = (unit >= 32 && unit !== 127) || unit === 9 || unit === 10 || unit === 13
    if (!isPrintable) count++
  }
  return count > sample.length * maxControlShare
}
