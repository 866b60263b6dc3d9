// What a reader takes for one character: a letter with its marks, a syllable, an emoji of several parts.

import { isLowSurrogate } from '../../../core/surrogates.ts'

let segmenter: Intl.Segmenter | undefined

/** Code units that are looked at first; most clusters have one or two. */
const firstWindow = 32

/** The number of code units from `at` on, 0 at a byte that is not text. */
export function clusterLength(text: string, at: number, end: number): number {
  if (at >= end || isLowSurrogate(text.charCodeAt(at))) return 0
  segmenter ??= new Intl.Segmenter()
  for (let window = firstWindow; ; window *= 2) {
    const seen = text.slice(at, Math.min(at + window, end))
    const length = segmenter.segment(seen).containing(0)?.segment.length ?? 0
    if (length < seen.length || at + window >= end) return length
  }
}
