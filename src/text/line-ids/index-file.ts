// The file format of the line index in the workspace. Anyone may write there, so the file is checked completely when it is read; a file
// that is not exactly an index is ignored.

import { type IndexedLine, lineIdPattern, maxIndexedLines } from './line-index.ts'

export interface LineIndex {
  /** Relative to the workspace's root. */
  readonly filePath: string
  /** SHA-256 of the exact text that the lines were taken from. */
  readonly contentHash: string
  readonly lines: readonly IndexedLine[]
}

const hashPattern = /^[0-9a-f]{64}$/

/** `modifiedMs`: the time of the last change of the indexed file. */
export function formatLineIndex(index: LineIndex, modifiedMs: number): string {
  const stored = {
    file_path: index.filePath,
    content_hash: index.contentHash,
    last_modified: new Date(modifiedMs).toISOString(),
    lines: index.lines.map(({ id, contentHash }, lineIndex) => ({ id, line_num: lineIndex + 1, content_hash: contentHash })),
  }
  return `${JSON.stringify(stored)}\n`
}

/** `undefined` unless `text` is an index of `filePath` in which every line has a unique well-formed ID. */
export function parseLineIndex(text: string, filePath: string): LineIndex | undefined {
  const stored = parsedJson(text)
  if (!isRecord(stored) || stored['file_path'] !== filePath) return undefined
  const { content_hash: contentHash, lines: storedLines } = stored
  if (!isHash(contentHash) || !Array.isArray(storedLines) || storedLines.length > maxIndexedLines) return undefined
  const lines: IndexedLine[] = []
  const ids = new Set<string>()
  for (const [lineIndex, line] of storedLines.entries()) {
    if (!isRecord(line) || line['line_num'] !== lineIndex + 1) return undefined
    const { id, content_hash: lineHash } = line
    if (typeof id !== 'string' || !lineIdPattern.test(id) || ids.has(id) || !isHash(lineHash)) return undefined
    ids.add(id)
    lines.push({ id, contentHash: lineHash })
  }
  return { filePath, contentHash, lines }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Damaged is treated like missing: the next read creates a new one.
    return undefined
  }
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && hashPattern.test(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
