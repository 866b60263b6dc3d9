// Which texts of one file a reader was shown. A tag has sixteen bits and a line number, so a line that only looks the same can pass for the
// one that was meant; the shown text cannot.

import { createLineAnchors } from './hashline/line-anchors.ts'
import { lineChanges } from './line-changes.ts'
import { withoutTrailingBlanks } from './line-tags/tag.ts'
import { findOccurrences, findPlaces, occurrenceLineRange } from './replace.ts'

export type ShownLine =
  /** The session was not shown this line. */
  | { readonly kind: 'never-shown' }
  | { readonly kind: 'same' }
  /** Equal lines appeared or disappeared beside it, so it may be another line that only looks the same. */
  | { readonly kind: 'uncertain' }
  /** It is another line now; the one that was shown is at this 1-based number, or no longer exists. */
  | { readonly kind: 'changed'; readonly nowAt: number | undefined }

interface ShownText {
  readonly lines: readonly string[]
  readonly characters: number
  /** 0-based; the end is exclusive. */
  readonly startIndex: number
  readonly endIndex: number
}

/** The number of versions whose pages are kept; the oldest version beyond this counts as unseen. */
const maxVersions = 16
/** The number of pages of one version that do not touch; beyond this, the oldest count as unseen. */
const maxPages = 1_000

/** Plain data for a reader who continues later: each text once, and which lines of it were shown, newest first. */
export interface SavedTexts {
  readonly texts: readonly string[]
  readonly pages: readonly (readonly [textIndex: number, startIndex: number, endIndex: number])[]
}

export class ShownTexts {
  /** Newest first. */
  #shown: readonly ShownText[] = []

  /** `saved` has been checked. A page of a missing text, or of lines that it does not have, counts as not shown. */
  static restored({ texts, pages }: SavedTexts): ShownTexts {
    const lines = texts.map(text => text.split('\n'))
    const shown = new ShownTexts()
    for (const [textIndex, startIndex, endIndex] of pages.toReversed()) {
      const text = lines[textIndex]
      if (text !== undefined && endIndex <= text.length) shown.show(text, startIndex, endIndex)
    }
    return shown
  }

  save(): SavedTexts {
    const all = [...new Set(this.#shown.map(({ lines }) => lines))]
    return {
      texts: all.map(lines => lines.join('\n')),
      pages: this.#shown.map(({ lines, startIndex, endIndex }) => [
        all.indexOf(lines),
        startIndex,
        Math.min(endIndex, lines.length),
      ]),
    }
  }

  /** `lines` is the whole text; the reader saw the lines from `startIndex` up to `endIndex`. */
  show(lines: readonly string[], startIndex: number, endIndex: number): void {
    if (startIndex >= endIndex) return
    const isWhole = startIndex === 0 && endIndex >= lines.length
    if (isWhole) {
      this.#shown = [{ lines, characters: charactersOf(lines), startIndex, endIndex }]
      return
    }
    // Pages of one text share it, and those that touch are one: however much is read of a new text, the older ones stay known.
    const same = this.#shown.find(shown => isSameText(shown.lines, lines))
    const shared = same ?? { lines, characters: charactersOf(lines) }
    let [start, end] = [startIndex, endIndex]
    const others: ShownText[] = []
    for (const page of this.#shown) {
      if (page.lines === shared.lines && page.startIndex <= end && page.endIndex >= start) {
        start = Math.min(start, page.startIndex)
        end = Math.max(end, page.endIndex)
      } else others.push(page)
    }
    const pages = [{ lines: shared.lines, characters: shared.characters, startIndex: start, endIndex: end }, ...others]
    const kept = new Set([...new Set(pages.map(page => page.lines))].slice(0, maxVersions))
    this.#shown = pages.filter(page => kept.has(page.lines)).slice(0, maxPages)
  }

  /**
   * The reader changed `before` to `after`. The reader still knows every line of a page of `before`; pages of other texts do not change,
   * because changes by others in between were not shown. The changed lines count as shown.
   */
  change(before: readonly string[], after: readonly string[]): void {
    let start = 0
    while (start < before.length && start < after.length && before[start] === after[start]) start++
    let same = 0
    while (
      same < before.length - start &&
      same < after.length - start &&
      before[before.length - 1 - same] === after[after.length - 1 - same]
    )
      same++
    const beforeEnd = before.length - same
    const shift = after.length - before.length
    const place = (index: number): number => (index >= beforeEnd ? index + shift : Math.min(index, after.length - same))
    const characters = charactersOf(after)
    const isBefore = ({ lines }: ShownText): boolean => isSameText(lines, before)
    this.#shown = this.#shown.map(shown =>
      isBefore(shown)
        ? { lines: after, characters, startIndex: place(shown.startIndex), endIndex: place(shown.endIndex) }
        : shown,
    )
    this.show(after, start, after.length - same)
  }

  /**
   * Whether the whole lines around the only occurrence of `search` in `text` are those that the reader was shown. `unknown`: it was not
   * shown, so nothing can be said.
   */
  judge(text: string, search: string): 'same' | 'changed' | 'unknown' {
    for (const { lines, startIndex, endIndex, characters } of this.#shown) {
      const page = lines.slice(startIndex, endIndex).join('\n') + (endIndex < lines.length ? '\n' : '')
      const found = findPlaces(page, search)
      if (found.length === 0) continue
      // The file is unchanged since it was shown.
      if (characters === text.length + 1 && lines.join('\n') === text) return 'same'
      // It was shown more than once: in a text with one occurrence it is uncertain which one was meant.
      if (found.length > 1) return 'changed'
      const shown = occurrenceLineRange(page, search)
      const now = occurrenceLineRange(text, search)
      if (shown === undefined || now === undefined || shown.text !== now.text) return 'changed'
      // Equal lines can have come or gone, so that other lines have the same text now.
      const placeOf = linePlaces(lines, text.split('\n'))
      for (let offset = 0; offset < shown.lineCount; offset++) {
        if (placeOf(startIndex + shown.startIndex + offset).place !== now.startIndex + offset) return 'changed'
      }
      return 'same'
    }
    return 'unknown'
  }

  /** The newest text of which lines with `search` were shown. */
  lastWith(search: string): string | undefined {
    const shown = this.#shown.find(
      ({ lines, startIndex, endIndex }) =>
        findOccurrences(lines.slice(startIndex, endIndex).join('\n') + (endIndex < lines.length ? '\n' : ''), search).length > 0,
    )
    return shown?.lines.join('\n')
  }

  /** Whether `lines` is the text that was shown last; `undefined` if none was. */
  isLatest(lines: readonly string[]): boolean | undefined {
    const [latest] = this.#shown
    return latest && isSameText(latest.lines, lines)
  }

  /** The size of the stored texts, in characters. */
  get characters(): number {
    const sizes = new Map(this.#shown.map(({ lines, characters }) => [lines, characters]))
    return [...sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  /** Compares what was shown with `lines`, the current text. */
  against(lines: readonly string[]): (lineIndex: number) => ShownLine {
    const places = new Map<ShownText, LinePlaces>()
    return lineIndex => {
      const shown = this.#shown.find(({ startIndex, endIndex }) => lineIndex >= startIndex && lineIndex < endIndex)
      if (shown === undefined) return { kind: 'never-shown' }
      const placeOf = places.get(shown) ?? linePlaces(shown.lines, lines)
      places.set(shown, placeOf)
      const { place, isCertain } = placeOf(lineIndex)
      if (place === lineIndex) return { kind: isCertain ? 'same' : 'uncertain' }
      return { kind: 'changed', nowAt: place === undefined ? undefined : place + 1 }
    }
  }
}

function isSameText(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((line, index) => line === other[index]))
}

function charactersOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

/** Where a line is in another text. An uncertain place is the most likely one. */
type LinePlaces = (lineIndex: number) => { readonly place: number | undefined; readonly isCertain: boolean }

function linePlaces(before: readonly string[], after: readonly string[]): LinePlaces {
  if (before === after) return lineIndex => ({ place: lineIndex, isCertain: true })
  const [from, to] = [before, after].map(lines => lines.map(line => withoutTrailingBlanks(line)))
  if (from === undefined || to === undefined) throw new Error('two texts are compared')
  if (from.length === to.length && from.every((line, index) => line === to[index]))
    return lineIndex => ({ place: lineIndex, isCertain: true })
  const anchors = createLineAnchors(from, to)
  const { changes } = lineChanges(from, to)
  return lineIndex => {
    const stretch = anchors.around(lineIndex, lineIndex)
    if (anchors.isUnchanged(stretch)) return { place: lineIndex - stretch.beforeStart + stretch.afterStart, isCertain: true }
    let shift = 0
    for (const change of changes) {
      if (lineIndex < change.beforeIndex) break
      if (lineIndex < change.beforeIndex + change.removed) return { place: undefined, isCertain: true }
      shift = change.afterIndex + change.added - (change.beforeIndex + change.removed)
    }
    return { place: lineIndex + shift, isCertain: false }
  }
}
