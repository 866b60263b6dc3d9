// `-r`: the replacement of a match. `$1`, `$name` and `${name}` are groups, `$0` is the match, `$$` is a dollar; a missing group is empty.

import { joinBytes } from '../../core/bytes.ts'
import type { MatchSpan } from './found.ts'

const encoder = new TextEncoder()

type Part = { readonly kind: 'text'; readonly bytes: Uint8Array } | { readonly kind: 'group'; readonly index: number }

export interface Replacement {
  readonly parts: readonly Part[]
}

/** `names` are the names of the groups, by index minus 1. */
export function compileReplacement(text: string, names: readonly (string | undefined)[]): Replacement {
  const parts: Part[] = []
  for (const [, dollars, braced, bare, plain] of text.matchAll(/(\$\$)|\$\{([0-9A-Za-z_]+)\}|\$([0-9A-Za-z_]+)|([^$]+|\$)/g)) {
    const name = braced ?? bare
    if (name === undefined) parts.push({ kind: 'text', bytes: encoder.encode(dollars === undefined ? plain : '$') })
    else parts.push({ kind: 'group', index: /^\d+$/.test(name) ? Number(name) : names.indexOf(name) + 1 || -1 })
  }
  return { parts }
}

export interface Replaced {
  readonly bytes: Uint8Array
  /** The positions of the replacements in `bytes`. */
  readonly spans: readonly MatchSpan[]
}

/** The bytes from `start` to `end` of `text` with every match replaced. */
export function replaced(
  text: Uint8Array,
  start: number,
  end: number,
  spans: readonly MatchSpan[],
  { parts }: Replacement,
): Replaced {
  const out: Uint8Array[] = []
  const places: MatchSpan[] = []
  let size = 0
  const put = (bytes: Uint8Array): void => {
    out.push(bytes)
    size += bytes.length
  }
  let at = start
  for (const span of spans) {
    put(text.subarray(at, span.start))
    const from = size
    for (const part of parts) {
      if (part.kind === 'text') put(part.bytes)
      else put(groupOf(text, span, part.index))
    }
    places.push({ start: from, end: size, groups: [] })
    at = span.end
  }
  if (at < end) put(text.subarray(at, end))
  return { bytes: joinBytes(out), spans: places }
}

function groupOf(text: Uint8Array, span: MatchSpan, index: number): Uint8Array {
  if (index === 0) return text.subarray(span.start, span.end)
  const start = span.groups[index * 2] ?? -1
  const end = span.groups[index * 2 + 1] ?? -1
  return start < 0 || end < 0 ? new Uint8Array() : text.subarray(start, end)
}
