// A buffer in CodeMirror 6. What a user types goes into the buffer in the same update; what others change arrives as a transaction that
// keeps the selection and is not part of the editor's undo history.

import { checkMember } from '../../core/errors.ts'
import { Annotation, type ChangeSet, EditorState, type Extension, Transaction } from '@codemirror/state'
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type { Buffer, BufferEdit } from '../../buffers/buffer.ts'
import type { TextEdit } from '../../text/text-change.ts'

/** Marks transactions that come from the buffer. */
const fromBuffer = Annotation.define<BufferEdit>()

/**
 * Connects an editor with a buffer for as long as the extension is in use. Create the editor with `doc: buffer.text`; an editor with another
 * text takes the buffer's.
 *
 * ```ts
 * const buffer = await workspace.buffers.open('src/a.ts')
 * new EditorView({ doc: buffer.text, extensions: [basicSetup, bufferExtension(buffer)], parent: document.body })
 * ```
 *
 * The editor's line breaks are LF; the buffer keeps those of the file. When the buffer is closed or lost, the editor takes no
 * more changes.
 */
export function bufferExtension(buffer: Buffer): Extension {
  checkMember('bufferExtension', buffer, 'ended', 'await workspace.buffers.open(path)')
  return [
    ViewPlugin.define(view => new Binding(view, buffer)),
    // A buffer that has ended takes no changes, so the editor shows none.
    EditorState.changeFilter.of(transaction => !buffer.ended || transaction.annotation(fromBuffer) !== undefined),
  ]
}

/** The change by someone else that a transaction makes; `undefined` for transactions of the editor itself. */
export function bufferEditOf(transaction: Transaction): BufferEdit | undefined {
  checkMember('bufferEditOf', transaction, 'annotation', 'a transaction of CodeMirror')
  return transaction.annotation(fromBuffer)
}

class Binding implements PluginValue {
  readonly #view: EditorView
  readonly #buffer: Buffer
  readonly #stop: () => void
  #isDestroyed = false

  constructor(view: EditorView, buffer: Buffer) {
    this.#view = view
    this.#buffer = buffer
    this.#stop = buffer.on('edit', edit => this.#show(edit))
    // A plugin may not dispatch while it is created.
    if (view.state.doc.toString() !== buffer.text) queueMicrotask(() => this.#takeAll())
  }

  update({ transactions }: ViewUpdate): void {
    // One update may have transactions of both kinds, each with different positions.
    for (const transaction of transactions) {
      if (!transaction.docChanged || transaction.annotation(fromBuffer) !== undefined) continue
      this.#buffer.change(editsIn(transaction.changes))
    }
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#stop()
  }

  #show(edit: BufferEdit): void {
    this.#view.dispatch({
      changes: edit.edits.map(({ from, to, insert }) => ({ from, to, insert })),
      annotations: [fromBuffer.of(edit), Transaction.addToHistory.of(false), Transaction.remote.of(true)],
      // An editor that refuses changes must still show what the text is.
      filter: false,
    })
  }

  #takeAll(): void {
    const shown = this.#view.state.doc.toString()
    if (this.#isDestroyed || shown === this.#buffer.text) return
    this.#show({ edits: [{ from: 0, to: shown.length, insert: this.#buffer.text }] })
  }
}

function editsIn(changes: ChangeSet): readonly TextEdit[] {
  const edits: TextEdit[] = []
  changes.iterChanges((from, to, _fromAfter, _toAfter, inserted) => {
    edits.push({ from, to, insert: inserted.sliceString(0, undefined, '\n') })
  }, true)
  return edits
}
