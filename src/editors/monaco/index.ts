// A buffer in Monaco. The binding needs only the model's functions, so it takes any version of Monaco that has them, and loads none itself.

import type { Buffer, BufferEdit } from '../../buffers/buffer.ts'

/** A position in a model; both numbers begin at 1. */
export interface MonacoPosition {
  readonly lineNumber: number
  readonly column: number
}

/** A range of a text as Monaco has it; lines and columns begin with 1. */
export interface MonacoRange {
  readonly startLineNumber: number
  readonly startColumn: number
  readonly endLineNumber: number
  readonly endColumn: number
}

/** What the binding uses of `monaco.editor.ITextModel`. */
export interface MonacoModel {
  getValue(): string
  setEOL(endOfLine: number): void
  getPositionAt(offset: number): MonacoPosition
  getOptions(): { readonly trimAutoWhitespace: boolean }
  updateOptions(options: { trimAutoWhitespace: boolean }): void
  pushStackElement(): void
  pushEditOperations(
    before: null,
    operations: { range: MonacoRange; text: string; forceMoveMarkers?: boolean }[],
    cursors: () => null,
  ): unknown
  onDidChangeContent(
    listener: (event: {
      readonly changes: readonly { readonly rangeOffset: number; readonly rangeLength: number; readonly text: string }[]
    }) => void,
  ): { dispose(): void }
}

/** `monaco.editor.EndOfLineSequence.LF` */
const lineFeed = 0

/**
 * Connects a model with a buffer until the returned `dispose`. A model with another text takes the buffer's, and its line breaks become LF;
 * the buffer keeps the file's.
 *
 * ```ts
 * const buffer = await workspace.buffers.open('src/a.ts')
 * const model = monaco.editor.createModel(buffer.text, 'typescript')
 * const binding = bindBuffer(buffer, model)
 * ```
 *
 * A change by someone else keeps cursors and selections where their text is, and is an undo step of its own.
 */
export function bindBuffer(buffer: Buffer, model: MonacoModel): { dispose(): void } {
  let isShowing = false
  const show = ({ edits }: BufferEdit): void => {
    const operations = edits.map(({ from, to, insert }) => {
      const [start, end] = [model.getPositionAt(from), model.getPositionAt(to)]
      const range = {
        startLineNumber: start.lineNumber,
        startColumn: start.column,
        endLineNumber: end.lineNumber,
        endColumn: end.column,
      }
      return { range, text: insert }
    })
    const { trimAutoWhitespace } = model.getOptions()
    isShowing = true
    try {
      // With the next edit, whoever makes it, Monaco removes an indentation that it made itself. Where the user has just pressed Enter, the
      // cursor stands behind it.
      model.updateOptions({ trimAutoWhitespace: false })
      model.pushStackElement()
      model.pushEditOperations(null, operations, () => null)
      model.pushStackElement()
    } finally {
      model.updateOptions({ trimAutoWhitespace })
      isShowing = false
    }
  }
  model.setEOL(lineFeed)
  const shown = model.getValue()
  if (shown !== buffer.text) show({ edits: [{ from: 0, to: shown.length, insert: buffer.text }] })
  const stop = buffer.on('edit', show)
  const content = model.onDidChangeContent(({ changes }) => {
    if (isShowing || buffer.ended) return
    buffer.change(
      changes.map(({ rangeOffset, rangeLength, text }) => ({ from: rangeOffset, to: rangeOffset + rangeLength, insert: text })),
    )
  })
  return {
    dispose() {
      stop()
      content.dispose()
    },
  }
}
