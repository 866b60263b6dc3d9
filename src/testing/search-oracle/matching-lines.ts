// The lines that a pattern matches according to RE2JS, tested one by one.

import type { PatternFacts } from '../../search/regex/cursor.ts'
import { parsePattern } from '../../search/regex/parse.ts'
import { lineCursor, lineEndingsOf } from '../../search/lines.ts'
import { createEngine, type Engine } from './engine.ts'
import { traitsOf } from './print.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** 1-based. Throws `PatternError`. The caller has checked that the file is not binary. */
export function linesByOracle(source: string, bytes: Uint8Array): readonly number[] {
  return createOracle(source)(bytes)
}

/** {@link linesByOracle} for many texts. */
export function createOracle(source: string): (bytes: Uint8Array) => readonly number[] {
  const { node, facts } = parsePattern(source, { ignoreCase: false })
  const engine = createEngine(node, traitsOf(node), spansLines(facts))
  return bytes => askLines(engine, facts, bytes)
}

function spansLines({ namesNewline, crossesLines }: PatternFacts): boolean {
  return namesNewline || crossesLines === 'any'
}

function askLines(engine: Engine, facts: PatternFacts, bytes: Uint8Array): readonly number[] {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const lineNumbers: number[] = []
  const lines = lineCursor(bytes, start, () => lineEndingsOf(bytes))
  if (!spansLines(facts)) {
    for (let line = lines.lineAt(start); line !== undefined; line = lines.lineAt(line.next)) {
      const withReturn = facts.namesCarriageReturn && bytes[line.end] === 13 ? line.end + 1 : line.end
      const subject = bytes.subarray(line.start, withReturn)
      if (
        engine.test(
          subject,
          subject.every(byte => byte < 0x80),
        )
      )
        lineNumbers.push(line.lineNumber)
    }
    return lineNumbers
  }
  const raw = decoder.decode(bytes.subarray(start))
  let lineCount = 0
  for (let line = lines.lineAt(start); line !== undefined; line = lines.lineAt(line.next)) lineCount = line.lineNumber
  const found = new Set<number>()
  engine.eachSpan(facts.namesCarriageReturn ? raw : raw.replaceAll(/\r\n?/g, '\n'), (firstLineIndex, lastLineIndex) => {
    for (let index = firstLineIndex; index <= lastLineIndex && index < lineCount; index++) found.add(index + 1)
    return true
  })
  return [...found].sort((a, b) => a - b)
}
