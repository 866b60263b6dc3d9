// Blocks of lines that moved within a file, or were copied from another: the part of a block that a candidate has, if it is long enough.

import { diffLines, type LineDiffOptions } from '../../text/git-diff/diff-lines.ts'
import { type LineTable, tableOf } from '../../text/git-diff/lines.ts'

/** Consecutive lines of a file, 0-based, and where they are in the requested file. */
export interface Lines {
  readonly start: number
  readonly finalStart: number
  readonly count: number
}

export interface Candidate {
  readonly path: string
  readonly bytes: Uint8Array
}

interface Block {
  readonly candidate: Candidate
  /** From the start of the block that was looked for. */
  readonly offset: number
  readonly count: number
  /** Where the lines are in the candidate. */
  readonly start: number
  readonly score: number
}

export class MovedLines {
  readonly #table: LineTable
  readonly #options: LineDiffOptions

  constructor(bytes: Uint8Array, options: LineDiffOptions) {
    this.#table = tableOf(bytes)
    this.#options = options
  }

  /**
   * Passes the best block of each range to its candidate, and goes on with what is left before and behind it. Blocks whose score is not
   * above `minimumScore` stay; those that are too short come first, as git lists them.
   */
  find(
    lines: readonly Lines[],
    candidates: readonly Candidate[],
    minimumScore: number,
  ): { readonly passed: readonly (readonly [Candidate, Lines])[]; readonly kept: readonly Lines[] } {
    const [passed, small, kept]: [(readonly [Candidate, Lines])[], Lines[], Lines[]] = [[], [], []]
    const open = [...lines]
    for (const range of open) {
      if (this.#score(range.start, range.count) <= minimumScore) {
        small.push(range)
        continue
      }
      const best = this.#best(range, candidates)
      if (best === undefined || best.score <= minimumScore) {
        kept.push(range)
        continue
      }
      const { candidate, offset, count, start } = best
      passed.push([candidate, { start, finalStart: range.finalStart + offset, count }])
      for (const [from, to] of [
        [0, offset],
        [offset + count, range.count],
      ] as const)
        if (to > from) open.push({ start: range.start + from, finalStart: range.finalStart + from, count: to - from })
    }
    return { passed, kept: [...small, ...kept] }
  }

  /** Of equal ones the last. */
  #best({ start, count }: Lines, candidates: readonly Candidate[]): Block | undefined {
    const { bytes, starts } = this.#table
    const wanted = bytes.subarray(starts[start], starts[start + count])
    let best: Block | undefined
    for (const candidate of candidates) {
      const { edits } = diffLines(candidate.bytes, wanted, this.#options)
      for (let index = 0; index <= edits.length; index++) {
        const before = edits[index - 1]
        const offset = before?.afterEnd ?? 0
        const same = (edits[index]?.afterStart ?? count) - offset
        const score = same > 0 ? this.#score(start + offset, same) : 0
        if (score > 0 && score >= (best?.score ?? 0))
          best = { candidate, offset, count: same, start: before?.beforeEnd ?? 0, score }
      }
    }
    return best
  }

  /** One more than the number of ASCII letters and digits. */
  #score(start: number, count: number): number {
    const { bytes, starts } = this.#table
    let score = 1
    const end = starts[start + count] ?? bytes.length
    for (let at = starts[start] ?? end; at < end; at++) if (isLetterOrDigit(bytes[at] ?? 0)) score++
    return score
  }
}

function isLetterOrDigit(byte: number): boolean {
  const lower = byte | 0x20
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a)
}
