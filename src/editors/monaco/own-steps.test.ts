// A person and others change one text. The person types small letters and removes capitals, the others type digits, so that the text alone
// tells whose work is in it.

import { expect, test } from 'vitest'
import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { applyChange, changeOf, invertChange, type TextChange } from '../../text/text-change.ts'
import { OwnSteps, type StepBack } from './own-steps.ts'

const start = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

class Editor {
  text = start
  readonly steps = new OwnSteps()

  type(random: Random): void {
    const from = random.below(this.text.length + 1)
    // Removing what others typed, and taking that back, would bring it back.
    const isCapital = /[A-Z]/.test(this.text.charAt(from))
    const change = changeOf([{ from, to: isCapital ? from + 1 : from, insert: random.pick(['', 'a', 'bc']) }], this.text.length)
    this.steps.typed({ change: this.#make(change), selections: [{ anchor: from, head: from }] })
    if (random.chance(0.5)) this.steps.close()
  }

  changeByOthers(random: Random): void {
    const change = changeOf([{ from: random.below(this.text.length + 1), insert: random.pick(['1', '23']) }], this.text.length)
    this.#make(change)
    this.steps.changedByOthers(change)
  }

  undo(): boolean {
    return this.#take(this.steps.undo(), step => this.steps.undone(step))
  }

  redo(): boolean {
    return this.#take(this.steps.redo(), step => this.steps.redone(step))
  }

  #take(step: StepBack | undefined, done: (back: StepBack) => void): boolean {
    if (step === undefined) return false
    done({ change: this.#make(step.change), selections: [] })
    const ends = step.selections.flatMap(({ anchor, head }) => [anchor, head])
    if (ends.some(end => end > this.text.length)) throw new Error('a selection ends behind the text')
    return true
  }

  #make(change: TextChange): TextChange {
    const before = this.text
    this.text = applyChange(before, change)
    return invertChange(change, () => before)
  }
}

test("undo of all steps leaves exactly what others did, and redo brings the person's work back", async () => {
  await forSeeds(seeds({ quick: 300, deep: 20_000 }), random => {
    const editor = new Editor()
    for (let count = random.below(30); count >= 0; count--) {
      const act = random.below(10)
      if (act < 5) editor.type(random)
      else if (act < 8) editor.changeByOthers(random)
      else if (act === 8) editor.undo()
      else editor.redo()
    }
    while (editor.redo());
    const before = editor.text
    while (editor.undo());
    expect([editor.steps.canUndo, editor.text.replace(/[0-9]/g, '')]).toEqual([false, start])
    expect(editor.text.replace(/[^0-9]/g, '')).toBe(before.replace(/[^0-9]/g, ''))
    while (editor.redo());
    expect(editor.text.replace(/[0-9]/g, '')).toBe(before.replace(/[0-9]/g, ''))
    editor.changeByOthers(random)
    while (editor.undo());
    expect(editor.text.replace(/[0-9]/g, '')).toBe(start)
  })
})

test.each<{ name: string; acts: (steps: OwnSteps) => void; back: readonly TextChange[] }>([
  {
    name: 'what is typed in one go is one step',
    acts(steps) {
      steps.typed({ change: [-1, 3], selections: [] })
      steps.typed({ change: [1, -1, 3], selections: [] })
    },
    back: [[-2, 3]],
  },
  {
    name: 'a change by others ends the step',
    acts(steps) {
      steps.typed({ change: [-1, 3], selections: [] })
      steps.changedByOthers([4, 'x'])
      steps.typed({ change: [1, -1, 4], selections: [] })
    },
    back: [
      [1, -1, 4],
      [-1, 4],
    ],
  },
  {
    name: 'a step whose text others removed is left out',
    acts(steps) {
      steps.typed({ change: [-1, 3], selections: [] })
      steps.close()
      steps.typed({ change: [4, -1], selections: [] })
      steps.changedByOthers([4, -1])
    },
    back: [[-1, 3]],
  },
])('$name', ({ acts, back }) => {
  const steps = new OwnSteps()
  acts(steps)
  const seen: TextChange[] = []
  for (let step = steps.undo(); step !== undefined; step = steps.undo()) seen.push(step.change)
  expect(seen).toEqual(back)
})
