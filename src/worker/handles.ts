// Live objects stay on their side; the other side holds a number. Numbers are never reused, so an outdated number is an error and never
// refers to another object.

import { AnchorageError } from '../core/errors.ts'

/** More open objects than this are a leak in the page, and are reported as an error. */
const maxOpen = 1_000

export class Handles<T> {
  readonly #what: string
  readonly #open = new Map<number, T>()
  #lastId = 0

  constructor(what: string) {
    this.#what = what
  }

  get size(): number {
    return this.#open.size
  }

  /** Throws `too-many-open` when the limit is reached. Call it before opening an object that would otherwise have to be closed again. */
  reserve(): void {
    if (this.#open.size < maxOpen) return
    throw new AnchorageError(
      'too-many-open',
      `There are ${maxOpen} open ${this.#what} handles. Next: close those that are no longer used.`,
      {
        details: { what: this.#what, maxOpen },
      },
    )
  }

  open(value: T): number {
    this.reserve()
    this.#lastId += 1
    this.#open.set(this.#lastId, value)
    return this.#lastId
  }

  has(id: number): boolean {
    return this.#open.has(id)
  }

  /** Throws `not-open` for a number that was closed or never assigned. */
  get(id: number): T {
    const value = this.#open.get(id)
    if (value !== undefined) return value
    throw new AnchorageError('not-open', `This ${this.#what} is closed. Next: open a new one.`, { details: { what: this.#what } })
  }

  /** Removes and returns the value; `undefined` if it was closed before. */
  take(id: number): T | undefined {
    const value = this.#open.get(id)
    this.#open.delete(id)
    return value
  }

  takeAll(): readonly T[] {
    const values = [...this.#open.values()]
    this.#open.clear()
    return values
  }
}
