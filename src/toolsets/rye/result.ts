// rye answers with an object: it is the structured result, and its `output` with the notes is the text.

import type { ToolError } from '../../core/errors.ts'
import type { RenderFailure } from '../../session/toolset.ts'
import { textContent, type ToolOutcome } from '../../session/tool.ts'

export interface RyeResult {
  readonly output: string
  /** The fields of the object in addition to `success` and `output`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Sentences about omissions and corrections; absent from the object if there are none. */
  readonly notes?: readonly string[]
  /** The text if there is no output to show. */
  readonly emptyText: string
  readonly details?: Readonly<Record<string, unknown>>
}

export function ryeResult({ output, fields, notes = [], emptyText, details = {} }: RyeResult): ToolOutcome {
  const shown = output === '' ? emptyText : output
  return {
    content: textContent([shown.replace(/\n$/, ''), ...notes.map(note => `[${note}]`)].join('\n\n')),
    structuredContent: { success: true, output, ...fields, ...(notes.length === 0 ? {} : { notes }) },
    details: { ...details },
  }
}

/** Next steps that name rye's six tools, because shared code names other tools. */
const nextSteps: Readonly<Record<string, string>> = {
  ENOENT: 'Look for it with glob, or list its directory with ls.',
  ENOTDIR: 'A part of the path is a file, not a directory. List the parent with ls.',
  EISDIR: 'Name a file inside it; ls lists them.',
  'binary-file': 'Only UTF-8 text can be read and edited here.',
  'file-too-large': 'Look for what you need with grep.',
  'path-outside-root': 'Use a path inside the project; relative paths start at its root.',
  'file-changed': 'Read the file again and repeat the change with its present lines.',
}

export const renderRyeFailure: RenderFailure = error => {
  const message = messageOf(error)
  const { file_path: filePath } = error.details
  return {
    content: textContent(`Error: ${message}`),
    structuredContent: { success: false, error: message, ...(filePath === undefined ? {} : { file_path: filePath }) },
  }
}

function messageOf(error: ToolError): string {
  const nextStep = nextSteps[error.code] ?? error.nextStep
  return nextStep === undefined ? error.message : `${error.message}\n${nextStep}`
}
