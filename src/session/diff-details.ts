// The changes of a call in `details` of its result, for the page of a host.

import type { FileHunks } from '../core/tool-preview.ts'
import type { DocumentDiff } from '../text/diff.ts'

export interface FileDiff {
  /** The path as the result shows it. */
  readonly display: string
  readonly diff: DocumentDiff
}

/** `details.hunks`, which every tool that edits or writes files has. */
export function fileHunks(files: readonly FileDiff[]): readonly FileHunks[] {
  return files.map(({ display, diff }) => ({ path: display, hunks: diff.hunks }))
}

/** The changes of all files in three forms: numbered rows, a git patch, and data. */
export function diffDetails(files: readonly FileDiff[]): Readonly<Record<string, unknown>> {
  return {
    diff: files.map(({ diff }) => diff.rows).join('\n'),
    patch: files.map(({ diff }) => diff.patch).join(''),
    hunks: fileHunks(files),
    firstChangedLine: files[0]?.diff.firstChangedLine,
  }
}
