// A buffer in Monaco. The binding needs only the model's functions, so it takes any version of Monaco that has them, and loads none itself.

import { checkOptions } from '../../core/argument.ts'
import { checkMember } from '../../core/errors.ts'
import type { Buffer, BufferEdit } from '../../buffers/buffer.ts'
import { changeLengths, changeOf, editsOf, invertChange, type TextChange, type TextEdit } from '../../text/text-change.ts'
import { OwnSteps, type SelectedOffsets, type StepBack } from './own-steps.ts'

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

/** A selection from where it began to where the cursor is. */
export interface MonacoSelection {
  readonly selectionStartLineNumber: number
  readonly selectionStartColumn: number
  readonly positionLineNumber: number
  readonly positionColumn: number
}

interface MonacoContentEvent {
  readonly changes: readonly { readonly rangeOffset: number; readonly rangeLength: number; readonly text: string }[]
  /** Its text was replaced as a whole, and its undo steps are gone. */
  readonly isFlush: boolean
  readonly isEolChange: boolean
}

/** The part of `monaco.editor.ITextModel` that the binding uses. The binding replaces the model's undo steps with separate ones. */
export interface MonacoModel {
  getValue(): string
  setEOL(endOfLine: number): void
  getPositionAt(offset: number): MonacoPosition
  getOffsetAt(position: MonacoPosition): number
  getOptions(): { readonly trimAutoWhitespace: boolean }
  updateOptions(options: { trimAutoWhitespace: boolean }): void
  pushStackElement(): void
  popStackElement(): void
  pushEditOperations(
    before: readonly MonacoSelection[] | null,
    operations: { range: MonacoRange; text: string; forceMoveMarkers?: boolean }[],
    cursors: () => null,
  ): unknown
  undo(): unknown
  redo(): unknown
  canUndo(): boolean
  canRedo(): boolean
  onDidChangeContent(listener: (event: MonacoContentEvent) => void): { dispose(): void }
}

/** What the binding uses of `monaco.editor.ICodeEditor`. */
export interface MonacoEditor {
  getModel(): unknown
  hasTextFocus(): boolean
  getSelections(): readonly MonacoSelection[] | null
  setSelections(selections: MonacoSelection[]): void
  revealPosition(position: MonacoPosition): void
}

/** Options of `bindBuffer`. */
export interface MonacoBindingOptions {
  /** The editors of the page. After an undo the one with the focus selects what was selected before the undone change. */
  readonly editors?: (() => readonly MonacoEditor[]) | undefined
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
 * const binding = bindBuffer(buffer, model, { editors: () => monaco.editor.getEditors() })
 * ```
 *
 * A change by someone else keeps cursors and selections where their text is. Undo and redo take back and repeat only what was typed here.
 */
export function bindBuffer(buffer: Buffer, model: MonacoModel, options: MonacoBindingOptions = {}): { dispose(): void } {
  checkMember('bindBuffer', buffer, 'ended', 'await workspace.buffers.open(path)')
  checkMember('bindBuffer', model, 'onDidChangeContent', 'a model of Monaco')
  checkOptions('bindBuffer', options, { editors: 1 })
  const binding = new Binding(buffer, model, options)
  return { dispose: () => binding.dispose() }
}

const replacedNames = [
  'undo',
  'redo',
  'canUndo',
  'canRedo',
  'pushStackElement',
  'popStackElement',
  'pushEditOperations',
] as const satisfies readonly (keyof MonacoModel)[]

class Binding {
  readonly #buffer: Buffer
  readonly #model: MonacoModel
  readonly #editors: () => readonly MonacoEditor[]
  /** The functions of the model that are replaced while it is bound. */
  readonly #native: Pick<MonacoModel, (typeof replacedNames)[number]>
  readonly #steps = new OwnSteps()
  readonly #stop: readonly (() => void)[]
  #length: number
  #isShowing = false
  /** What the editor had selected before the change that it makes. */
  #selected: readonly SelectedOffsets[] = []

  constructor(buffer: Buffer, model: MonacoModel, { editors = () => [] }: MonacoBindingOptions) {
    this.#buffer = buffer
    this.#model = model
    this.#editors = editors
    this.#native = pick(model, replacedNames)
    model.setEOL(lineFeed)
    const shown = model.getValue()
    this.#length = shown.length
    if (shown !== buffer.text) this.#show([{ from: 0, to: shown.length, insert: buffer.text }])
    this.#length = buffer.text.length
    const stop = buffer.on('edit', ({ edits }: BufferEdit) => {
      const change = changeOf(edits, this.#length)
      this.#steps.changedByOthers(change)
      this.#make(change)
    })
    const content = model.onDidChangeContent(event => this.#changed(event))
    this.#stop = [stop, () => content.dispose()]
    Object.assign(model, this.#replacements())
  }

  dispose(): void {
    for (const stop of this.#stop) stop()
    // Monaco has an undo step for every change, so its functions fit the text.
    Object.assign(this.#model, this.#native)
  }

  #replacements(): Pick<MonacoModel, (typeof replacedNames)[number]> {
    const [steps, native, model, buffer] = [this.#steps, this.#native, this.#model, this.#buffer]
    return {
      // A buffer that has ended takes no changes, and the model goes on without it.
      undo: () => (buffer.ended ? native.undo.call(model) : this.#take(steps.undo(), step => steps.undone(step))),
      redo: () => (buffer.ended ? native.redo.call(model) : this.#take(steps.redo(), step => steps.redone(step))),
      canUndo: () => steps.canUndo,
      canRedo: () => steps.canRedo,
      pushStackElement: () => {
        steps.close()
        native.pushStackElement.call(model)
      },
      popStackElement: () => {
        steps.open()
        native.popStackElement.call(model)
      },
      pushEditOperations: (...args) => {
        this.#selected = this.#offsetsOf(args[0] ?? [])
        return native.pushEditOperations.apply(model, args)
      },
    }
  }

  /** What the editor changed. */
  #changed({ changes, isFlush, isEolChange }: MonacoContentEvent): void {
    // Positions count a line break as one, so it stays LF. Both events of the way there and back say nothing about the text.
    if (isEolChange) return this.#model.setEOL(lineFeed)
    if (this.#isShowing || this.#buffer.ended) return
    const edits = changes.map(({ rangeOffset, rangeLength, text }) => ({
      from: rangeOffset,
      to: rangeOffset + rangeLength,
      insert: text.replace(/\r\n?/g, '\n'),
    }))
    const change = changeOf(edits, this.#length)
    if (isFlush) this.#steps.forget()
    else this.#steps.typed({ change: this.#wayBack(change), selections: this.#selected })
    this.#length = changeLengths(change).after
    this.#buffer.change(edits)
  }

  #take(step: StepBack | undefined, done: (back: StepBack) => void): void {
    if (step === undefined) return
    const { change, selections } = step
    const editor = this.#editors().find(each => each.getModel() === this.#model && each.hasTextFocus())
    done({ change: this.#wayBack(change), selections: this.#offsetsOf(editor?.getSelections() ?? []) })
    this.#buffer.change(editsOf(change))
    this.#make(change)
    const [first] = selections
    if (editor === undefined || first === undefined) return
    editor.setSelections(selections.map(each => this.#selectionOf(each)))
    editor.revealPosition(this.#model.getPositionAt(first.head))
  }

  #wayBack(change: TextChange): TextChange {
    return invertChange(change, () => this.#buffer.text)
  }

  #make(change: TextChange): void {
    this.#length = changeLengths(change).after
    this.#show(editsOf(change))
  }

  #show(edits: readonly TextEdit[]): void {
    const [model, native] = [this.#model, this.#native]
    const operations = edits.map(({ from, to = from, insert = '' }) => {
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
    this.#isShowing = true
    try {
      // With the next edit, by any author, Monaco removes an indentation that it made itself. Where the user has just pressed Enter, the
      // cursor stands behind it.
      model.updateOptions({ trimAutoWhitespace: false })
      native.pushStackElement.call(model)
      native.pushEditOperations.call(model, null, operations, () => null)
      native.pushStackElement.call(model)
    } finally {
      model.updateOptions({ trimAutoWhitespace })
      this.#isShowing = false
    }
  }

  #offsetsOf(selections: readonly MonacoSelection[]): readonly SelectedOffsets[] {
    const model = this.#model
    return selections.map(each => ({
      anchor: model.getOffsetAt({ lineNumber: each.selectionStartLineNumber, column: each.selectionStartColumn }),
      head: model.getOffsetAt({ lineNumber: each.positionLineNumber, column: each.positionColumn }),
    }))
  }

  #selectionOf({ anchor, head }: SelectedOffsets): MonacoSelection {
    const [start, position] = [this.#model.getPositionAt(anchor), this.#model.getPositionAt(head)]
    return {
      selectionStartLineNumber: start.lineNumber,
      selectionStartColumn: start.column,
      positionLineNumber: position.lineNumber,
      positionColumn: position.column,
    }
  }
}

function pick<T, K extends keyof T>(value: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map(name => [name, value[name]])) as Pick<T, K>
}
