// Parses one operation line of an edit script. Lenient if the meaning is certain: other range separators, a missing colon. A line that does
// not match as a whole is not an operation; near-miss.ts finds out what was probably meant.

import type { Operation } from './hunk.ts'

// Longer lines are not operations. The limit also keeps every pattern below fast on body rows of any length.
const maxOperationCharacters = 200

const number = String.raw`([1-9]\d*)`
const range = String.raw`${number}(?:(?:\s|-|…|\.\.)+${number})?`

const replacePattern = new RegExp(String.raw`^replace\s+${range}\s*:?$`)
const deletePattern = new RegExp(String.raw`^delete\s+${range}\s*:?$`)
const blockPattern = new RegExp(String.raw`^(replace|delete|insert\s+after)\s+block\s+${number}\s*(:?)$`)
const insertPattern = new RegExp(String.raw`^insert\s+(before|after)\s+${number}\s*:?$`)
const edgePattern = /^insert\s+(head|tail)\s*:?$/
const bareRangePattern = new RegExp(String.raw`^\s*(?:${number}|${range}\s*:?)\s*$`)

/** Parses `line` as an operation. Its numbers are not checked: they may be unsafe, and a range may end before it starts. */
export function parseOperation(line: string): Operation | undefined {
  const trimmed = shortTrimmed(line)
  if (trimmed === undefined) return undefined
  // Capital letters mean the same operation, but `Replace` may begin a sentence.
  const text = /^(?:REPLACE|DELETE|INSERT)\b[^a-z]*$/.test(trimmed) ? trimmed.toLowerCase() : trimmed
  const replace = replacePattern.exec(text)
  if (replace !== null) return { kind: 'replace', ...rangeOf(replace[1], replace[2]) }
  const deletion = deletePattern.exec(text)
  if (deletion !== null) return { kind: 'delete', ...rangeOf(deletion[1], deletion[2]) }
  const insert = insertPattern.exec(text)
  if (insert !== null)
    return { kind: 'insert', at: { place: insert[1] === 'before' ? 'before' : 'after', line: Number(insert[2]) } }
  const edge = edgePattern.exec(text)
  if (edge !== null) return { kind: 'insert', at: { place: edge[1] === 'head' ? 'head' : 'tail' } }
  return parseBlockOperation(text)
}

/** A line number or a range without a verb: `2`, `1..2:`, `1 2`, `1-2`. `2:` is not one, because a copied empty row looks like it. */
export function parseBareRange(line: string): { readonly start: string; readonly end: string } | undefined {
  const text = shortTrimmed(line)
  const match = text === undefined ? null : bareRangePattern.exec(text)
  if (match === null) return undefined
  if (match[1] !== undefined) return { start: match[1], end: match[1] }
  return match[2] === undefined || match[3] === undefined ? undefined : { start: match[2], end: match[3] }
}

function parseBlockOperation(text: string): Operation | undefined {
  const block = blockPattern.exec(text)
  if (block === null) return undefined
  const line = Number(block[2])
  if (block[1] === 'replace') return { kind: 'replace-block', line }
  if (block[1] !== 'delete') return { kind: 'insert-after-block', line }
  return { kind: 'delete-block', line }
}

function rangeOf(start: string | undefined, end: string | undefined): { start: number; end: number } {
  return { start: Number(start), end: Number(end ?? start) }
}

/** `undefined` for a line that is too long to be an operation. */
export function shortTrimmed(line: string): string | undefined {
  const text = line.trim()
  return text.length > maxOperationCharacters ? undefined : text
}
