// The forms that models copy from one tool into another. They are a contract and must not change.

import { printablePath } from '../../core/printable.ts'

export interface Header {
  /** As shown: relative to the working directory if inside it, otherwise absolute. */
  readonly path: string
  /** Four upper-case hex digits. */
  readonly tag: string
}

/** `[src/a.ts#A1B2]` */
export function formatHeader(path: string, tag: string): string {
  return `[${printablePath(path)}#${tag}]`
}

/** `12:text` */
export function formatRow(lineNumber: number, text: string): string {
  return `${lineNumber}:${text}`
}

/** `*12:text`: a line that matches a search. */
export function formatMatchRow(lineNumber: number, text: string): string {
  return `*${lineNumber}:${text}`
}

/** ` 12:text`: a line shown around a match. */
export function formatContextRow(lineNumber: number, text: string): string {
  return ` ${lineNumber}:${text}`
}

/**
 * Parses a header line, `undefined` if it is not one. A header starts in column 0; blanks after it are ignored; the tag may be in either
 * case. The path may contain brackets and '#': the last '#' counts.
 */
export function parseHeader(line: string): Header | undefined {
  if (!line.startsWith('[')) return undefined
  const trimmed = line.trimEnd().replace(/\s+\]$/, ']')
  const tag = /^#([0-9A-Fa-f]{4})\]$/.exec(trimmed.slice(-6))?.[1]
  const path = trimmed.slice(1, -6)
  return tag === undefined || path.trim() === '' ? undefined : { path, tag: tag.toUpperCase() }
}
