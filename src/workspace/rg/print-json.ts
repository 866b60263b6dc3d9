// `--json`: one message per line, in ripgrep's format.

import { base64 } from '../../resources/image/base64.ts'
import type { MatchSpan } from './found.ts'
import type { Stats } from './stats.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Data = { readonly text: string } | { readonly bytes: string }

function dataOf(bytes: Uint8Array): Data {
  try {
    return { text: strict.decode(bytes) }
  } catch {
    return { bytes: base64(bytes) }
  }
}

export interface JsonLines {
  readonly kind: 'match' | 'context'
  readonly path: string | undefined
  readonly bytes: Uint8Array
  readonly lineNumber: number | null
  readonly offset: number
  readonly spans: readonly MatchSpan[]
  /** The replacement of each span, with `-r`. */
  readonly replacements: readonly Uint8Array[] | undefined
}

const pathData = (path: string | undefined): Data | null => (path === undefined ? null : { text: path })

export function beginMessage(path: string | undefined): string {
  return line({ type: 'begin', data: { path: pathData(path) } })
}

export function linesMessage({ kind, path, bytes, lineNumber, offset, spans, replacements }: JsonLines): string {
  const submatches = spans.map((span, index) => {
    const replacement = replacements?.[index]
    return {
      match: dataOf(bytes.subarray(span.start, span.end)),
      ...(replacement === undefined ? {} : { replacement: dataOf(replacement) }),
      start: span.start,
      end: span.end,
    }
  })
  return line({
    type: kind,
    data: { path: pathData(path), lines: dataOf(bytes), line_number: lineNumber, absolute_offset: offset, submatches },
  })
}

export function endMessage(path: string | undefined, binaryOffset: number | undefined, stats: Stats): string {
  return line({ type: 'end', data: { path: pathData(path), binary_offset: binaryOffset ?? null, stats: statsData(stats) } })
}

export function summaryMessage(stats: Stats, elapsedMs: number): string {
  return line(inOrder({ data: { elapsed_total: duration(elapsedMs), stats: statsData(stats) }, type: 'summary' }))
}

function statsData(stats: Stats): Readonly<Record<string, unknown>> {
  return {
    elapsed: duration(stats.elapsedMs),
    searches: stats.searches,
    searches_with_match: stats.searchesWithMatch,
    bytes_searched: stats.bytesSearched,
    bytes_printed: stats.bytesPrinted,
    matched_lines: stats.matchedLines,
    matches: stats.matches,
  }
}

function duration(ms: number): Readonly<Record<string, unknown>> {
  const secs = Math.floor(ms / 1000)
  return { secs, nanos: Math.round((ms - secs * 1000) * 1e6), human: `${(ms / 1000).toFixed(6)}s` }
}

/** Only in this message, ripgrep sorts the names. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, inOrder(each)]))
}

function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`
}
