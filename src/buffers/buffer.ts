// The public types of open editors.

import type { Actor, Attribution } from '../core/actor.ts'
import type { TextEdit, TextReplacement } from '../text/text-change.ts'
import type { Unsubscribe } from '../vfs/backend.ts'
import type { BufferLink, BufferMessage, OpenedBuffer } from './link.ts'

/** A change that someone else made to a buffer: an agent, another editor of the same file, or a change of the file on disk. */
export interface BufferEdit {
  /** In order, with positions in the text before the change. Apply them to the editor as one change. */
  readonly edits: readonly TextReplacement[]
  /** Absent if it is unknown, for example for a change of the file by the host. */
  readonly by?: Attribution
}

/** Why a buffer cannot be saved. `save({ overwrite: true })` writes the buffer, `revert()` takes what is on disk. */
export type BufferConflict =
  /** The file changed in the same or neighbouring lines as the buffer. `text` is the file's text. */
  | { readonly kind: 'changed'; readonly text: string; readonly by?: Attribution }
  /** The file is no longer text. */
  | { readonly kind: 'not-text'; readonly by?: Attribution }
  /** The file was removed. Saving it again with `overwrite` creates it. */
  | { readonly kind: 'removed'; readonly by?: Attribution }

/** What is known about a buffer beside its text. */
export interface BufferState {
  /** Absolute and without symlinks. It changes when the file is moved. */
  readonly path: string
  /** Whether the text differs from the file's. */
  readonly dirty: boolean
  readonly conflict: BufferConflict | undefined
}

interface BufferEvents {
  /** Someone else changed the text. */
  readonly edit: BufferEdit
  /** The file changed so that it cannot be merged; `undefined` when that is resolved. */
  readonly conflict: BufferConflict | undefined
  /** `path`, `dirty` or `conflict` changed. */
  readonly state: BufferState
  /** The buffer can no longer reach its workspace. Its text stays readable. */
  readonly lost: unknown
}

/**
 * A file that is open in an editor. Tools of the workspace read and edit its text, also while it is not saved. Positions count UTF-16 code
 * units, and every line break is one LF: the file's line endings and its byte order mark are kept, and stored when it is saved.
 */
export interface Buffer extends BufferState {
  /** The text with every change so far, own changes included. */
  readonly text: string
  /** Increases with each change, by any author. */
  readonly rev: number
  /** For `buffers.open` of a later page; `undefined` if everything is saved. Also readable after the buffer was lost. */
  readonly unsaved: UnsavedText | undefined
  /** It was closed or lost: it takes no more changes, and `text` stays readable. */
  readonly ended: boolean
  /**
   * Applies what a user typed. Takes effect at once, and is sent in the background. Throws `buffer-change` for edits that overlap or lie
   * outside the text, and `buffer-closed`.
   */
  change(edits: readonly TextEdit[]): void
  on<E extends keyof BufferEvents>(event: E, listener: (value: BufferEvents[E]) => void): Unsubscribe
  /** Rejects with `buffer-conflict` while there is a conflict, and with `invalid-text` for text that cannot be stored. */
  save(options?: BufferSaveOptions): Promise<void>
  /** Discards what is not saved, and resolves a conflict with the file's text. Rejects with `ENOENT` if there is no file. */
  revert(): Promise<void>
  /** Rejects with `buffer-unsaved` if this is the last editor of the file and the text is not saved. May be called twice. */
  close(options?: BufferCloseOptions): Promise<void>
}

/** How a buffer is saved. */
export interface BufferSaveOptions {
  /** Replaces the file, also if it changed on disk. Default false. */
  readonly overwrite?: boolean | undefined
}

/** How a buffer closes. */
export interface BufferCloseOptions {
  /** Discards text that is not saved. Default false. */
  readonly discard?: boolean | undefined
}

/** Text that was never saved: `text` was made from `base`, the last text that was in the file. */
export interface UnsavedText {
  readonly base: string
  readonly text: string
}

/** Options of `buffers.open`. */
export interface BufferOpenOptions {
  /** Who edits it and saves it; default `{ kind: 'person' }`. */
  readonly actor?: Actor | undefined
  /** Opens an empty text if the file does not exist; it is created by the first save. Default false. */
  readonly create?: boolean | undefined
  /**
   * What `unsaved` of an earlier buffer was, for example before its page was closed. It is merged with the file by lines. If that is ambiguous,
   * or if the file was removed, the buffer has this text and a conflict.
   */
  readonly unsaved?: UnsavedText | undefined
}

/** The files that are open in editors. */
export interface WorkspaceBuffers {
  /**
   * Opens a file, given by an absolute path or one below the root. Several editors may open the same file; they share one text.
   *
   * ```ts
   * const buffer = await workspace.buffers.open('src/a.ts')
   * buffer.on('edit', ({ edits }) => showIn(editor, edits))
   * buffer.change([{ from: 0, insert: '// typed\n' }])
   * await buffer.save()
   * ```
   *
   * Rejects with `ENOENT`, `EISDIR`, `binary-file` and `file-too-large`.
   */
  open(path: string, options?: BufferOpenOptions): Promise<Buffer>
  /**
   * For hosts that carry an editor's text over a connection of their own: what `open` does without its copy of the text. `listener` receives
   * what happens after the returned text.
   */
  connect(
    path: string,
    options: BufferOpenOptions | undefined,
    listener: (message: BufferMessage) => void,
  ): Promise<{ readonly opened: OpenedBuffer; readonly link: BufferLink }>
  /** All open files, by path. */
  list(): Promise<readonly BufferState[]>
  /** Saves every open file. Rejects with the first error after it has tried all. */
  saveAll(): Promise<void>
}

/** How tools and commands treat open files. */
export interface BufferRules {
  /**
   * What an edit of a tool does to an open file. `save-clean` (the default): saves it if there was no unsaved text before. `save`: saves it
   * with the unsaved text. `leave`: only changes the editor's text.
   */
  readonly edits?: 'save-clean' | 'save' | 'leave' | undefined
  /**
   * What a command does while open files have unsaved text, which commands do not see. `save` (the default): they are saved before.
   * `refuse`: the command does not run. `tell`: it runs on the files as they are, and its result says so.
   */
  readonly commands?: 'save' | 'refuse' | 'tell' | undefined
}
