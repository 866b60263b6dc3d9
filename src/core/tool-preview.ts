// A preview of a call, for a host that asks a user for approval, or shows an answer while it is being written.

import type { Details } from './errors.ts'
import type { ContentBlock } from './tool.ts'

/** A part of two texts with context, as in a unified patch; numbers are 1-based. */
export interface DiffHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Each line begins with ` `, `-` or `+`. */
  readonly lines: readonly string[]
}

/**
 * One file that an edit or a write changed, as data to be rendered. `details.hunks` of the result of every tool that edits or writes files is a
 * list of these; it is missing where nothing was written or the old content is not text.
 */
export interface FileHunks {
  /** The path as the result shows it. */
  readonly path: string
  /** Empty if the text did not change. */
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
  /** The same change as data, to be rendered. `undefined` if `diff` is. */
  readonly hunks: readonly DiffHunk[] | undefined
  /** The size of the new content. */
  readonly sizeBytes: number
  /** Set if the change replaces a version that the session has not seen: the number of lines that are removed and added. */
  readonly unseen?: { readonly removed: number; readonly added: number }
}

/** The effect of a call at this time. Nothing was written, and nothing that it shows counts as seen. */
export type ToolPreview =
  | { readonly kind: 'changes'; readonly changes: readonly PlannedChange[] }
  /** The call would succeed and write nothing. `content` is what the model would see, as far as it is known. */
  | { readonly kind: 'unchanged'; readonly content: readonly ContentBlock[] }
  /** The call would fail. `content` is what the model would see; `details.error.code` is the stable code. */
  | { readonly kind: 'refused'; readonly content: readonly ContentBlock[]; readonly details: Details }
  /** The tool only reads, changes no files, or has effects that are known only once they have happened, as a shell's command. */
  | { readonly kind: 'unavailable'; readonly reason: string }
