// What a host is shown before a call: for a person who decides, or beside an answer that is still being written.

import type { Details } from './errors.ts'
import type { ContentBlock } from './tool.ts'

/** A part of two texts with context, as in a unified patch; numbers are 1-based. */
export interface DiffHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Each with ` `, `-` or `+` in front. */
  readonly lines: readonly string[]
}

/**
 * One file that an edit or a write changed, as data to be rendered. `details.hunks` of the result of every tool that edits or writes files is a
 * list of these; it is missing where nothing was written or the old content is not text.
 */
export interface FileHunks {
  /** As the result shows it. */
  readonly path: string
  /** Empty if the text is the same. */
  readonly hunks: readonly DiffHunk[]
}

/** A file that a call would change, as data and as a patch. */
export interface PlannedChange {
  /** Absolute. */
  readonly path: string
  /** The revision that the change is based on, 0 for a new file. If the file has another revision at the commit, the change is not made. */
  readonly baseRev: number
  /** A unified patch; `undefined` if the old or the new content is not text. */
  readonly diff: string | undefined
  /** The same as data, to be rendered; `undefined` with `diff`. */
  readonly hunks: readonly DiffHunk[] | undefined
  /** Of the new content. */
  readonly sizeBytes: number
  /** The change replaces a version that the session has not seen. How many lines of it go and come. */
  readonly unseen?: { readonly removed: number; readonly added: number }
}

/** What a call would do now. Nothing was written, and nothing that it shows counts as seen. */
export type ToolPreview =
  | { readonly kind: 'changes'; readonly changes: readonly PlannedChange[] }
  /** The call would succeed and write nothing. `content` is what the model would see, as far as it is known. */
  | { readonly kind: 'unchanged'; readonly content: readonly ContentBlock[] }
  /** The call would fail. `content` is what the model would see; `details.error.code` is the stable code. */
  | { readonly kind: 'refused'; readonly content: readonly ContentBlock[]; readonly details: Details }
  /** The tool only reads, changes no files, or has effects that are known only once they have happened, as a shell's command. */
  | { readonly kind: 'unavailable'; readonly reason: string }
