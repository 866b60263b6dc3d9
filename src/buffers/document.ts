// One open file in the workspace: its text, the order of all changes to it, and the editors that show it. What is on disk is known here only
// as what was last read or written (disk.ts).

import type { Actor, Attribution } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import type { VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import { applyChange, changeLengths, isNoChange, mapChange, type TextChange } from '../text/text-change.ts'
import type { BufferConflict, BufferState } from './buffer.ts'
import { type EditorText, encodeEditorText, formAfter, isSameText, plainForm, type TextForm } from './editor-text.ts'
import type { BufferMessage, BufferOutcome } from './link.ts'

/** A file's text as it was last read or written here. */
export interface StoredText extends EditorText {
  readonly rev: number
}

interface Editor {
  readonly listener: (message: BufferMessage) => void
  readonly actor: Actor
  /** The last version that it has heard of. */
  seen: number
}

/** Revisions of texts that are not saved are above all that a filesystem counts to. */
let lastViewRev = 2 ** 52

export class BufferDocument {
  path: VfsPath
  /** `undefined` for a file that does not exist yet. */
  stored: StoredText | undefined
  /** Permission bits for a file that does not exist yet. */
  mode: number | undefined
  #text: string
  #form: TextForm
  #version = 0
  #viewRev = ++lastViewRev
  #changedAtMs: number
  readonly #clock: () => number
  #changes: TextChange[] = []
  #floor = 0
  readonly #editors = new Map<number, Editor>()
  #lastEditor = 0
  #conflict: BufferConflict | undefined
  #dirty = false
  #order = 0
  #told: BufferState | undefined
  readonly #outbox: { readonly editor: Editor; readonly message: BufferMessage }[] = []
  #isDelivering = false
  #bytes: { readonly viewRev: number; readonly bytes: Uint8Array } | undefined

  constructor(path: VfsPath, stored: StoredText | undefined, clock: () => number) {
    this.path = path
    this.stored = stored
    this.#clock = clock
    this.#text = stored?.text ?? ''
    this.#form = stored?.form ?? plainForm
    this.#changedAtMs = clock()
    this.#judge()
  }

  get content(): EditorText {
    return { text: this.#text, form: this.#form }
  }

  get version(): number {
    return this.#version
  }

  /** Identifies the text for tools that have read it before it was saved. */
  get viewRev(): number {
    return this.#viewRev
  }

  get changedAtMs(): number {
    return this.#changedAtMs
  }

  get isDirty(): boolean {
    return this.#dirty
  }

  get conflict(): BufferConflict | undefined {
    return this.#conflict
  }

  get editorCount(): number {
    return this.#editors.size
  }

  /** The actor of a save that names no actor. */
  get owner(): Actor {
    for (const { actor } of this.#editors.values()) return actor
    return { kind: 'person' }
  }

  get outcome(): BufferOutcome {
    return { version: this.#version, order: this.#order, state: this.#told ?? this.#stateNow() }
  }

  /** The bytes to store. Throws `invalid-text`. */
  bytes(): Uint8Array {
    if (this.#bytes?.viewRev !== this.#viewRev) this.#bytes = { viewRev: this.#viewRev, bytes: encodeEditorText(this.content) }
    return this.#bytes.bytes
  }

  addEditor(listener: Editor['listener'], actor: Actor): number {
    this.#editors.set(++this.#lastEditor, { listener, actor, seen: this.#version })
    return this.#lastEditor
  }

  removeEditor(id: number): void {
    this.#editors.delete(id)
  }

  seen(id: number, version: number): void {
    const editor = this.#editors.get(id)
    if (editor !== undefined && version <= this.#version) editor.seen = Math.max(editor.seen, version)
    this.#forget()
  }

  /** A change that was made at `version`. Throws `buffer-change` if it does not fit. */
  change(version: number, change: TextChange, by: Attribution | undefined, from?: number): void {
    if (version < this.#floor || version > this.#version) throw unfit(this.path)
    const since = this.#changes.slice(version - this.#floor)
    const [next] = since
    const lengthThen = next === undefined ? this.#text.length : changeLengths(next).before
    if (changeLengths(change).before !== lengthThen) throw unfit(this.path)
    let mapped = change
    for (const earlier of since) mapped = mapChange(mapped, earlier, 'after')
    this.#apply(mapped, by, from)
    const editor = from === undefined ? undefined : this.#editors.get(from)
    if (editor !== undefined) {
      editor.seen = this.#version
      this.#post(editor, { kind: 'accepted', version: this.#version })
    }
    this.#forget()
    this.#judge()
    this.#deliver()
  }

  /** Gives the text another form in the file, such as other line endings. */
  reform(form: TextForm): void {
    this.#form = form
    this.#viewRev = ++lastViewRev
    this.#judge()
    this.#deliver()
  }

  /** What is on disk now, and whether it is at odds with the text. */
  store(stored: StoredText | undefined, conflict?: BufferConflict): void {
    this.stored = stored
    this.#conflict = conflict
    this.#judge()
    this.#deliver()
  }

  moveTo(path: VfsPath): void {
    this.path = path
    this.#judge()
    this.#deliver()
  }

  #apply(change: TextChange, by: Attribution | undefined, from: number | undefined): void {
    this.#version += 1
    this.#changes.push(change)
    if (!isNoChange(change)) {
      this.#text = applyChange(this.#text, change)
      this.#form = formAfter(this.#form, change, this.#text)
      this.#viewRev = ++lastViewRev
      this.#changedAtMs = this.#clock()
    }
    for (const [id, editor] of this.#editors) {
      if (id !== from) this.#post(editor, { kind: 'edit', version: this.#version, change, ...defined({ by }) })
    }
  }

  #stateNow(): BufferState {
    return { path: this.path, dirty: this.#dirty, conflict: this.#conflict }
  }

  /** Tells the editors if something beside the text has changed. */
  #judge(): void {
    this.#dirty = this.stored === undefined || !isSameText(this.content, this.stored)
    const state = this.#stateNow()
    const before = this.#told
    if (before?.path === state.path && before.dirty === state.dirty && before.conflict === state.conflict) return
    this.#told = state
    this.#order += 1
    for (const editor of this.#editors.values()) this.#post(editor, { kind: 'state', order: this.#order, state })
  }

  #post(editor: Editor, message: BufferMessage): void {
    this.#outbox.push({ editor, message })
  }

  /** A listener may change the text again; its change is delivered to everyone after the one that it heard of. */
  #deliver(): void {
    if (this.#isDelivering) return
    this.#isDelivering = true
    try {
      for (let next = this.#outbox.shift(); next !== undefined; next = this.#outbox.shift()) next.editor.listener(next.message)
    } finally {
      this.#isDelivering = false
    }
  }

  /** Changes that every editor has heard of are not needed to rebase others. */
  #forget(): void {
    const needed = Math.min(this.#version, ...[...this.#editors.values()].map(({ seen }) => seen))
    if (needed - this.#floor < 64) return
    this.#changes = this.#changes.slice(needed - this.#floor)
    this.#floor = needed
  }
}

function unfit(path: string): AnchorageError {
  return new AnchorageError(
    'buffer-change',
    `A change does not fit the text of ${path}. Next: open the file again; this is an error in the editor's binding.`,
  )
}
