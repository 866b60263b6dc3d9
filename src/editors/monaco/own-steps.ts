// The undo steps of one person in a text that others change too. A step is the change that takes back what was typed. What others changed
// after it is kept beside it, and the step is moved over that when it is its turn, so a change by others costs the same for any number of
// steps.

import { composeChanges, isNoChange, mapChange, mapPosition, type TextChange } from '../../text/text-change.ts'

/** A selection by its two ends, in UTF-16 code units. */
export interface SelectedOffsets {
  readonly anchor: number
  readonly head: number
}

/** A change of the text as it is now, and what was selected in the text that it leads to. */
export interface StepBack {
  readonly change: TextChange
  readonly selections: readonly SelectedOffsets[]
}

interface Step extends StepBack {
  /** What others changed between this step and the next one, or until now. */
  readonly later?: TextChange
}

export class OwnSteps {
  readonly #undo: Step[] = []
  readonly #redo: Step[] = []
  /** Whether what is typed next belongs to the newest step. */
  #isOpen = false

  get canUndo(): boolean {
    return this.#undo.length > 0
  }

  get canRedo(): boolean {
    return this.#redo.length > 0
  }

  /** What the person changed, by the way back. */
  typed(step: StepBack): void {
    this.#redo.length = 0
    const newest = this.#undo.at(-1)
    if (this.#isOpen && newest !== undefined && newest.later === undefined) {
      this.#undo[this.#undo.length - 1] = { ...newest, change: composeChanges(step.change, newest.change) }
    } else this.#undo.push(step)
    this.#isOpen = true
  }

  changedByOthers(change: TextChange): void {
    this.#isOpen = false
    addLater(this.#undo, change)
    addLater(this.#redo, change)
  }

  /** Ends the newest step. */
  close(): void {
    this.#isOpen = false
  }

  /** Takes the newest step up again. */
  open(): void {
    this.#isOpen = true
  }

  forget(): void {
    this.#undo.length = 0
    this.#redo.length = 0
    this.#isOpen = false
  }

  /** The next step back. The caller makes its change, and gives the way forth to `undone`. */
  undo(): StepBack | undefined {
    this.#isOpen = false
    return take(this.#undo)
  }

  undone(step: StepBack): void {
    this.#redo.push(step)
  }

  /** The same for the next step forth. */
  redo(): StepBack | undefined {
    this.#isOpen = false
    return take(this.#redo)
  }

  redone(step: StepBack): void {
    this.#undo.push(step)
  }
}

function addLater(steps: Step[], change: TextChange): void {
  const newest = steps.at(-1)
  if (newest === undefined) return
  const later = newest.later === undefined ? change : composeChanges(newest.later, change)
  steps[steps.length - 1] = { ...newest, later }
}

/** The newest step that still changes something. */
function take(steps: Step[]): StepBack | undefined {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { change, selections, later } = step
    if (later === undefined) return { change, selections }
    const laterWithoutStep = mapChange(later, change, 'before')
    addLater(steps, laterWithoutStep)
    const moved = mapChange(change, later, 'after')
    if (isNoChange(moved)) continue
    const place = (at: number): number => mapPosition(at, laterWithoutStep)
    return { change: moved, selections: selections.map(({ anchor, head }) => ({ anchor: place(anchor), head: place(head) })) }
  }
  return undefined
}
