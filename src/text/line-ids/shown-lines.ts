// Which lines of one file a reader was shown, so that an ID is never used for a line that the reader did not mean. An index may be created
// again, or updated for another reader: an ID may then be at a line that only looks the same, and a range may contain lines that were not
// shown.

import { carriedIds, lineHashDigits, lineIdDigits, type IndexedLine } from './line-index.ts'

/** Plain data for a reader who continues later. Strings instead of an object per line, because files have many lines. */
export interface SavedLines {
  /** Six digits for each line of the index that was shown. */
  readonly ids: string
  /** 18 digits for each. */
  readonly hashes: string
  /** One mark for each: `-` not shown, `+` shown before the next line, `.` shown as the last one, `*` before one in `others`. */
  readonly marks: string
  readonly others: readonly (readonly [id: string, nextId: string])[]
  /** Six digits for each ID that was shown for a line that no longer exists. */
  readonly outdated: string
}

const savedPattern = { ids: /^(?:[0-9a-f]{6})*$/, hashes: /^[0-9a-f]*$/, marks: /^[-+.*]*$/ }

export class ShownLines {
  /** `undefined` if `saved` is inconsistent. */
  static restored({ ids, hashes, marks, others, outdated }: SavedLines): ShownLines | undefined {
    const isSound = savedPattern.ids.test(ids) && savedPattern.hashes.test(hashes) && savedPattern.marks.test(marks)
    if (!isSound || !savedPattern.ids.test(outdated)) return undefined
    if (ids.length !== marks.length * lineIdDigits || hashes.length !== marks.length * lineHashDigits) return undefined
    const shown = new ShownLines()
    const lineHashes = pieces(hashes, lineHashDigits)
    const lines = pieces(ids, lineIdDigits).map((id, index) => ({ id, contentHash: lineHashes[index] ?? '' }))
    const nextOf = new Map(others)
    shown.#lines = lines
    for (const [lineIndex, { id }] of lines.entries()) {
      const mark = marks[lineIndex]
      const next = mark === '+' ? lines[lineIndex + 1]?.id : mark === '*' ? nextOf.get(id) : undefined
      if ((mark === '+' || mark === '*') && next === undefined) return undefined
      if (mark !== '-') shown.#next.set(id, next)
    }
    for (const id of pieces(outdated, lineIdDigits)) shown.#outdated.add(id)
    return shown
  }

  save(): SavedLines {
    const marks = this.#lines.map(({ id }, lineIndex) => {
      if (!this.#next.has(id)) return '-'
      const next = this.#next.get(id)
      if (next === undefined) return '.'
      return next === this.#lines[lineIndex + 1]?.id ? '+' : '*'
    })
    return {
      ids: this.#lines.map(line => line.id).join(''),
      hashes: this.#lines.map(line => line.contentHash).join(''),
      marks: marks.join(''),
      others: this.#lines.flatMap(({ id }, lineIndex) => {
        const next = this.#next.get(id)
        return marks[lineIndex] === '*' && next !== undefined ? [[id, next] as const] : []
      }),
      outdated: [...this.#outdated].join(''),
    }
  }

  #lines: readonly IndexedLine[] = []
  /** ID → the ID of the next line, for lines that were shown consecutively; `undefined` if a page ended. */
  readonly #next = new Map<string, string | undefined>()
  readonly #outdated = new Set<string>()

  /** The lines from `startIndex` to `endIndex` (exclusive) of an index were shown. */
  show(lines: readonly IndexedLine[], startIndex: number, endIndex: number): void {
    this.#follow(lines)
    for (let lineIndex = startIndex; lineIndex < endIndex; lineIndex++) {
      const id = lines[lineIndex]?.id
      if (id === undefined) return
      const next = lineIndex + 1 < endIndex ? lines[lineIndex + 1]?.id : undefined
      // A line that is shown alone adds no information about the next one, and removes none.
      if (next !== undefined || !this.#next.has(id)) this.#next.set(id, next)
      this.#outdated.delete(id)
    }
  }

  /** The number of lines and IDs that are stored. */
  get size(): number {
    return this.#lines.length + this.#next.size + this.#outdated.size
  }

  /** Whether `id` was ever shown. */
  knows(id: string): boolean {
    return this.#next.has(id) || this.#outdated.has(id)
  }

  /** The IDs of `ids` that were shown for other lines than the ones that have them now. */
  outdated(lines: readonly IndexedLine[], ids: readonly string[]): readonly string[] {
    this.#follow(lines)
    return ids.filter(id => this.#outdated.has(id))
  }

  /** Whether the lines between `startIndex` and `endIndex` (inclusive) differ from those that were shown there. */
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

function pieces(text: string, length: number): readonly string[] {
  return Array.from({ length: text.length / length }, (_, index) => text.slice(index * length, (index + 1) * length))
}
