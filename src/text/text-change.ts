// A change of a text as a value, so that changes that were made at the same time can be applied in any order with one result. Positions
// count UTF-16 code units, as editors do. Each change covers its whole text, so it fits only a text of that length.

import { AnchorageError } from '../core/errors.ts'

/**
 * Steps through a text: a positive number keeps so many code units, a negative number removes so many, and a string is inserted. Neighbours
 * of one kind are joined, and an insertion comes before a removal at the same place.
 */
export type TextChange = readonly (number | string)[]

/** Replaces the code units from `from` to `to`, exclusive. Positions are those of the text before all edits of a list. */
export interface TextEdit {
  readonly from: number
  /** Default `from`: nothing is removed. */
  readonly to?: number | undefined
  readonly insert?: string | undefined
}

/** A {@link TextEdit} with all its parts. */
export interface TextReplacement {
  readonly from: number
  readonly to: number
  readonly insert: string
}

class Builder {
  readonly #steps: (number | string)[] = []

  keep(count: number): void {
    const last = this.#steps.at(-1)
    if (count === 0) return
    if (typeof last === 'number' && last > 0) this.#steps[this.#steps.length - 1] = last + count
    else this.#steps.push(count)
  }

  remove(count: number): void {
    const last = this.#steps.at(-1)
    if (count === 0) return
    if (typeof last === 'number' && last < 0) this.#steps[this.#steps.length - 1] = last - count
    else this.#steps.push(-count)
  }

  insert(text: string): void {
    if (text === '') return
    const last = this.#steps.at(-1)
    const removed = typeof last === 'number' && last < 0 ? last : undefined
    if (removed !== undefined) this.#steps.pop()
    const before = this.#steps.at(-1)
    if (typeof before === 'string') this.#steps[this.#steps.length - 1] = before + text
    else this.#steps.push(text)
    if (removed !== undefined) this.#steps.push(removed)
  }

  build(): TextChange {
    return this.#steps
  }
}

/** Reads the steps of a change in parts. */
class Reader {
  readonly #change: TextChange
  #index = 0
  #used = 0

  constructor(change: TextChange) {
    this.#change = change
  }

  /** The rest of the current step; 0 after the last. */
  get current(): number | string {
    const step = this.#change[this.#index]
    if (step === undefined) return 0
    if (typeof step === 'string') return this.#used === 0 ? step : step.slice(this.#used)
    return step > 0 ? step - this.#used : step + this.#used
  }

  /** Advances by `count` code units of the current step. */
  skip(count: number): void {
    const step = this.#change[this.#index] ?? 0
    this.#used += count
    if (this.#used < (typeof step === 'string' ? step.length : Math.abs(step))) return
    this.#index += 1
    this.#used = 0
  }
}

/** The lengths of the texts before and after a change. */
export function changeLengths(change: TextChange): { readonly before: number; readonly after: number } {
  let [before, after] = [0, 0]
  for (const step of change) {
    if (typeof step === 'string') after += step.length
    else if (step < 0) before -= step
    else [before, after] = [before + step, after + step]
  }
  return { before, after }
}

/** Whether it changes nothing. */
export function isNoChange(change: TextChange): boolean {
  return change.every(step => typeof step === 'number' && step > 0)
}

/** The change that makes `edits` in a text of `length` code units. Throws `buffer-change` if they overlap or lie outside the text. */
export function changeOf(edits: readonly TextEdit[], length: number): TextChange {
  const builder = new Builder()
  let at = 0
  for (const { from, to = from, insert = '' } of edits.toSorted(
    (a, b) => a.from - b.from || (a.to ?? a.from) - (b.to ?? b.from),
  )) {
    const isWhole = Number.isInteger(from) && Number.isInteger(to) && typeof insert === 'string'
    if (!isWhole || from < at || to < from || to > length) {
      throw new AnchorageError(
        'buffer-change',
        `An edit from ${from} to ${to} does not fit a text of ${length} characters, or overlaps another edit. Next: give positions in the text before all edits.`,
      )
    }
    builder.keep(from - at)
    builder.remove(to - from)
    builder.insert(insert)
    at = to
  }
  builder.keep(length - at)
  return builder.build()
}

/** The edits of a change, in order, with positions in the text before it. */
export function editsOf(change: TextChange): readonly TextReplacement[] {
  const edits: { from: number; to: number; insert: string }[] = []
  let at = 0
  let open: { from: number; to: number; insert: string } | undefined
  for (const step of change) {
    if (typeof step === 'number' && step > 0) {
      at += step
      open = undefined
      continue
    }
    if (open === undefined) {
      open = { from: at, to: at, insert: '' }
      edits.push(open)
    }
    if (typeof step === 'string') open.insert += step
    else {
      at -= step
      open.to = at
    }
  }
  return edits
}

/** `text` after `change`, which must be for a text of this length. */
export function applyChange(text: string, change: TextChange): string {
  const parts: string[] = []
  let at = 0
  for (const step of change) {
    if (typeof step === 'string') parts.push(step)
    else if (step < 0) at -= step
    else {
      parts.push(text.slice(at, at + step))
      at += step
    }
  }
  return parts.join('')
}

/** The change that leads back from `text` after `change` to `text`. */
export function invertChange(change: TextChange, text: () => string): TextChange {
  const out = new Builder()
  let at = 0
  for (const step of change) {
    if (typeof step === 'string') {
      out.remove(step.length)
      continue
    }
    const end = at + Math.abs(step)
    if (step > 0) out.keep(step)
    else out.insert(text().slice(at, end))
    at = end
  }
  return out.build()
}

/** One change with the effect of `first` and then `second`. */
export function composeChanges(first: TextChange, second: TextChange): TextChange {
  const [a, b, out] = [new Reader(first), new Reader(second), new Builder()]
  for (;;) {
    const [one, other] = [a.current, b.current]
    if (typeof one === 'number' && one < 0) {
      out.remove(-one)
      a.skip(-one)
    } else if (typeof other === 'string') {
      out.insert(other)
      b.skip(other.length)
    } else {
      const produced = typeof one === 'string' ? one.length : one
      const count = Math.min(produced, Math.abs(other))
      if (count === 0) return out.build()
      if (other < 0 && typeof one === 'number') out.remove(count)
      else if (other > 0 && typeof one === 'string') out.insert(one.slice(0, count))
      else if (other > 0) out.keep(count)
      a.skip(count)
      b.skip(count)
    }
  }
}

/**
 * `change` for the text after `other`; both are for the same text before. `side` says where its insertions go if the other change inserts at
 * the same place: for one result on both ends, one of them must use `before` and the other `after`.
 */
export function mapChange(change: TextChange, other: TextChange, side: 'before' | 'after'): TextChange {
  const [a, b, out] = [new Reader(change), new Reader(other), new Builder()]
  for (;;) {
    const [mine, theirs] = [a.current, b.current]
    if (typeof mine === 'string' && (side === 'before' || typeof theirs !== 'string')) {
      out.insert(mine)
      a.skip(mine.length)
    } else if (typeof theirs === 'string') {
      out.keep(theirs.length)
      b.skip(theirs.length)
    } else if (typeof mine === 'number') {
      const count = Math.min(Math.abs(mine), Math.abs(theirs))
      if (count === 0) return out.build()
      if (theirs > 0 && mine > 0) out.keep(count)
      else if (theirs > 0) out.remove(count)
      a.skip(count)
      b.skip(count)
    }
  }
}

/** Where `position` of the text before a change is afterwards. An insertion at the position itself is before it, unless `side` is `before`. */
export function mapPosition(position: number, change: TextChange, side: 'before' | 'after' = 'after'): number {
  let [at, mapped] = [0, 0]
  for (const step of change) {
    if (typeof step === 'string') {
      if (at < position || (at === position && side === 'after')) mapped += step.length
    } else {
      const count = Math.min(Math.abs(step), position - at)
      if (step > 0) mapped += count
      at += Math.abs(step)
    }
    if (at > position) break
  }
  return mapped
}
