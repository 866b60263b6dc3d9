// Applies hunks to the lines of a file. A hunk may apply at another line; its lines must be there as they are in the patch.

import type { PatchHunk, PatchLine } from './parse-patch.ts'
import { pushAll } from '../../core/many.ts'

export interface ApplyOptions {
  /** The number of context lines that must match; default all. */
  readonly context?: number | undefined
  /** Hunks without context may apply anywhere. */
  readonly allowsNoContext?: boolean
  readonly ignoresSpaces?: boolean
}

export interface AppliedHunks {
  readonly text: string
  readonly rejected: readonly PatchHunk[]
  /** Lines for stderr, one for each hunk that only fitted with less context. */
  readonly reduced: readonly string[]
}

interface ImageLine {
  readonly text: string
  /** Added by an earlier hunk, so that no later one may match it. */
  readonly isPatched: boolean
}

/** Hunks that do not fit are skipped and returned. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], options: ApplyOptions = {}): AppliedHunks {
  const image: ImageLine[] = (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(line => ({ text: line, isPatched: false }))
  const reduced: string[] = []
  const rejected = hunks.filter(hunk => !applyHunk(image, hunk, options, reduced))
  return { text: image.map(line => line.text).join(''), rejected, reduced }
}

function applyHunk(image: ImageLine[], hunk: PatchHunk, options: ApplyOptions, reduced: string[]): boolean {
  const { lines } = hunk
  let leading = lines.findIndex(({ sign }) => sign !== ' ')
  let trailing = lines.length - 1 - lines.findLastIndex(({ sign }) => sign !== ' ')
  const { allowsNoContext = false, context = Number.POSITIVE_INFINITY } = options
  let atStart = hunk.oldStart === 0 || (hunk.oldStart === 1 && !allowsNoContext)
  let atEnd = !allowsNoContext && trailing === 0
  let [start, end] = [0, lines.length]
  let position = Math.max(0, hunk.newStart - 1)
  for (;;) {
    const wanted = lines.slice(start, end)
    const before = wanted.filter(({ sign }) => sign !== '+').map(line => line.text)
    const found = findLines(image, before, { position, atStart, atEnd, ignoresSpaces: options.ignoresSpaces ?? false })
    if (found !== undefined) {
      if (start > 0 || end < lines.length)
        reduced.push(`Context reduced to (${leading}/${trailing}) to apply fragment at ${found + 1}`)
      pushAll(
        image,
        replacement(image.slice(found, found + before.length), wanted).concat(image.splice(found).slice(before.length)),
      )
      return true
    }
    if (leading <= context && trailing <= context) return false
    if (atStart || atEnd) {
      atStart = false
      atEnd = false
      continue
    }
    if (leading >= trailing) {
      start++
      position = Math.max(0, position - 1)
      leading--
    }
    if (trailing > leading) {
      end--
      trailing--
    }
  }
}

/** Context lines keep the blanks of the file. */
function replacement(found: readonly ImageLine[], wanted: readonly PatchLine[]): readonly ImageLine[] {
  let at = 0
  return wanted.flatMap(({ sign, text }) => {
    const kept = sign === '+' ? undefined : found[at++]
    return sign === '-' ? [] : [{ text: kept?.text ?? text, isPatched: true }]
  })
}

interface Place {
  readonly position: number
  readonly atStart: boolean
  readonly atEnd: boolean
  readonly ignoresSpaces: boolean
}

function findLines(image: readonly ImageLine[], before: readonly string[], place: Place): number | undefined {
  const last = image.length - before.length
  if (last < 0) return undefined
  const spaceless = (text: string): string =>
    place.ignoresSpaces ? text.replace(/\r?\n?$/, '').replaceAll(/[ \t\r\f\v]+/g, ' ') : text
  const wanted = before.map(spaceless)
  const fits = (at: number): boolean =>
    (!place.atStart || at === 0) &&
    (!place.atEnd || at === last) &&
    wanted.every((text, index) => {
      const line = image[at + index]
      return line !== undefined && !line.isPatched && spaceless(line.text) === text
    })
  const start = Math.min(place.atStart ? 0 : place.atEnd ? last : place.position, last)
  for (let distance = 0; start - distance >= 0 || start + distance <= last; distance++) {
    if (start + distance <= last && fits(start + distance)) return start + distance
    if (distance > 0 && start - distance >= 0 && fits(start - distance)) return start - distance
  }
  return undefined
}
