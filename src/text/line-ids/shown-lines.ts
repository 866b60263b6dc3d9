// What a reader was shown of one file, so that an ID is never taken for a line that the reader did not mean. An index may be made anew, or
// carried on for another reader: an ID may then stand at a line that only looks the same, and a range may hold lines nobody showed.

import { carriedIds, type IndexedLine } from './line-index.ts'

export class ShownLines {
  #lines: readonly IndexedLine[] = []
  /** ID → the ID of the next line, for lines that were shown one after the other; `undefined` where a page ended. */
  readonly #next = new Map<string, string | undefined>()
  readonly #outdated = new Set<string>()

  /** The lines from `startIndex` up to and without `endIndex` of an index were shown. */
  show(lines: readonly IndexedLine[], startIndex: number, endIndex: number): void {
    this.#follow(lines)
    for (let lineIndex = startIndex; lineIndex < endIndex; lineIndex++) {
      const id = lines[lineIndex]?.id
      if (id === undefined) return
      const next = lineIndex + 1 < endIndex ? lines[lineIndex + 1]?.id : undefined
      // A line shown alone says nothing about the next one, and takes nothing back.
      if (next !== undefined || !this.#next.has(id)) this.#next.set(id, next)
      this.#outdated.delete(id)
    }
  }

  /** Lines and IDs that are kept. */
  get size(): number {
    return this.#lines.length + this.#next.size + this.#outdated.size
  }

  /** Whether `id` was shown, ever. */
  knows(id: string): boolean {
    return this.#next.has(id) || this.#outdated.has(id)
  }

  /** The IDs of `ids` that were shown for other lines than the ones that have them now. */
  outdated(lines: readonly IndexedLine[], ids: readonly string[]): readonly string[] {
    this.#follow(lines)
    return ids.filter(id => this.#outdated.has(id))
  }

  /** Whether between `startIndex` and `endIndex` (inclusive) there is anything else than what was shown there. */
  isRangeChanged(lines: readonly IndexedLine[], startIndex: number, endIndex: number): boolean {
    this.#follow(lines)
    for (let lineIndex = startIndex; lineIndex < endIndex; lineIndex++) {
      const shownNext = this.#next.get(lines[lineIndex]?.id ?? '')
      if (shownNext !== undefined && shownNext !== lines[lineIndex + 1]?.id) return true
    }
    return false
  }

  #follow(lines: readonly IndexedLine[]): void {
    if (this.#lines === lines) return
    const carried = carriedIds(this.#lines, lines)
    for (const id of this.#next.keys()) {
      if (carried.has(id)) continue
      this.#next.delete(id)
      this.#outdated.add(id)
    }
    this.#lines = lines
  }
}
