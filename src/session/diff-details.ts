// What the details of a result say about the files that a call changed, for the page of a host.

import type { FileHunks } from '../core/tool-preview.ts'
import type { DocumentDiff } from '../text/diff.ts'

export interface FileDiff {
  /** As the result shows it. */
  readonly display: string
  readonly diff: DocumentDiff
}

/** `details.hunks`, which every tool that edits or writes files has. */
export function fileHunks(files: readonly FileDiff[]): readonly FileHunks[] {
  return files.map(({ display, diff }) => ({ path: display, hunks: diff.hunks }))
}

/** The change of all files in each form: numbered rows, a patch for git, and data. */
export function diffDetails(files: readonly FileDiff[]): Readonly<Record<string, unknown>> {
  return {
    diff: files.map(({ diff }) => diff.rows).join('\n'),
    patch: files.map(({ diff }) => diff.patch).join(''),
    hunks: fileHunks(files),
    firstChangedLine: files[0]?.diff.firstChangedLine,
  }
}
