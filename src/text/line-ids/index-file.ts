// The file format of the line index in the workspace: JSON, in which each line of the indexed file takes 16 characters. Anyone may write
// there, so the file is checked completely when it is read; a file that is not exactly an index is ignored.

import { isRecord } from '../../core/record.ts'
import { type IndexedLine, lineIdDigits, maxIndexedLines } from './line-index.ts'

export interface LineIndex {
  /** Relative to the workspace's root. */
  readonly filePath: string
  /** SHA-256 of the exact text that the lines were taken from. */
  readonly contentHash: string
  readonly lines: readonly IndexedLine[]
}

const version = 2
const hashPattern = /^[0-9a-f]{64}$/
/** The entry of one line: its ID and its hash, 12 bytes in base64, which needs no padding for them. */
const charactersPerLine = 16
const linesPattern = /^(?:[A-Za-z0-9+/]{16})*$/

export function formatLineIndex(index: LineIndex): string {
  const stored = {
    // First, so that it is read from the beginning of a file of any size.
    file_path: index.filePath,
    version,
    content_hash: index.contentHash,
    lines: index.lines.map(formatLine).join(''),
  }
  return `${JSON.stringify(stored)}\n`
}

/** `undefined` unless `text` is an index of `filePath` in which every line has a unique ID. */
export function parseLineIndex(text: string, filePath: string): LineIndex | undefined {
  const stored = parsedJson(text)
  if (!isRecord(stored) || stored['version'] !== version || stored['file_path'] !== filePath) return undefined
  const { content_hash: contentHash, lines: storedLines } = stored
  if (typeof contentHash !== 'string' || !hashPattern.test(contentHash)) return undefined
  if (typeof storedLines !== 'string' || !linesPattern.test(storedLines)) return undefined
  const lineCount = storedLines.length / charactersPerLine
  if (lineCount > maxIndexedLines) return undefined
  const lines = Array.from({ length: lineCount }, (_, index) =>
    parseLine(storedLines.slice(index * charactersPerLine, (index + 1) * charactersPerLine)),
  )
  return new Set(lines.map(line => line.id)).size === lineCount ? { filePath, contentHash, lines } : undefined
}

function formatLine({ id, contentHash }: IndexedLine): string {
  return btoa((id + contentHash).replaceAll(/../g, byte => String.fromCharCode(Number.parseInt(byte, 16))))
}

function parseLine(stored: string): IndexedLine {
  const digits = Array.from(atob(stored), byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return { id: digits.slice(0, lineIdDigits), contentHash: digits.slice(lineIdDigits) }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Damaged is treated like missing: the next read creates a new one.
    return undefined
  }
}
