// Classifies the lines of an edit script one by one, without their context. parse.ts decides what a line means in its place.

import { byteOrderMark } from '../../core/text.ts'
import { parseHeader, type Header } from './format.ts'
import type { Operation } from './hunk.ts'
import { parseOperation } from './operation.ts'
import { rejectCharacter } from './rejections.ts'

export interface TokenBase {
  /** The line as written, without its ending. */
  readonly line: string
  /** 1-based, counting every line of the script. */
  readonly scriptLine: number
}

export type Token = TokenBase &
  (
    | { readonly kind: 'blank' }
    /** `*** Begin Patch` */
    | { readonly kind: 'envelope' }
    /** Starts with '['. `tagged` is set if it is a whole header with a tag, `path` if it at least looks like a header. */
    | { readonly kind: 'bracket'; readonly tagged: Header | undefined; readonly path: string | undefined }
    /** `+text` */
    | { readonly kind: 'row'; readonly text: string }
    | { readonly kind: 'operation'; readonly operation: Operation }
    | { readonly kind: 'raw' }
  )

export interface Tokens {
  readonly tokens: readonly Token[]
  /** Set when `*** Abort` or `*** End Patch` left lines unread. */
  readonly unread: { readonly marker: string; readonly scriptLine: number; readonly lineCount: number } | undefined
}

/** Lines end at LF or CRLF. Throws `ToolError` `edit-syntax` for characters that a text file cannot contain in a line. */
export function tokenize(input: string): Tokens {
  const text = input.startsWith(byteOrderMark) ? input.slice(1) : input
  const lines = text.split('\n')
  const tokens: Token[] = []
  for (const [index, ended] of lines.entries()) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    const marker = line.trimEnd()
    if (marker === '*** Abort' || marker === '*** End Patch') {
      const lineCount = lines.slice(index + 1).filter(rest => rest.trim() !== '').length
      return { tokens, unread: lineCount === 0 ? undefined : { marker, scriptLine: index + 1, lineCount } }
    }
    tokens.push(classify(line, index + 1))
  }
  return { tokens, unread: undefined }
}

function classify(line: string, scriptLine: number): Token {
  const base = { line, scriptLine }
  if (line.includes('\r')) throw rejectCharacter(scriptLine, 'a carriage return inside a line')
  if (line.includes('\0')) throw rejectCharacter(scriptLine, 'a null byte')
  if (!line.isWellFormed()) throw rejectCharacter(scriptLine, 'half of a surrogate pair')
  if (line.startsWith('+')) return { ...base, kind: 'row', text: line.slice(1) }
  if (line.trim() === '') return { ...base, kind: 'blank' }
  if (line.trimEnd() === '*** Begin Patch') return { ...base, kind: 'envelope' }
  if (line.startsWith('[')) return { ...base, kind: 'bracket', tagged: parseHeader(line), path: bracketPath(line) }
  const operation = parseOperation(line)
  return operation === undefined ? { ...base, kind: 'raw' } : { ...base, kind: 'operation', operation }
}

function bracketPath(line: string): string | undefined {
  const trimmed = line.trimEnd()
  return trimmed.endsWith(']') && trimmed.slice(1, -1).trim() !== '' ? trimmed.slice(1, -1) : undefined
}
