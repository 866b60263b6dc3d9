// The lines of two files for `diff`, and where they differ.

import { type Pace, paceOf, unitsPerItem } from '../pace.ts'
import type { DiffOptions } from './diff-options.ts'
import type { Change } from './diff-formats.ts'
import { has, valueOf } from '../options.ts'
import { compareLines } from './compare-lines.ts'

/** Splits `text` into lines that include their newlines. */
export async function linesOf(text: string, pace: Pace): Promise<string[]> {
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length
    lines.push(text.slice(start, end))
    if (pace.isDue(end - start + unitsPerItem)) await pace.rest()
    start = end
  }
  return lines
}

export function withoutTabs(line: string, tabSize: number): string {
  let column = 0
  return Array.from(line, letter => {
    if (letter !== '\t') {
      column += 1
      return letter
    }
    const count = tabSize - (column % tabSize)
    column += count
    return ' '.repeat(count)
  }).join('')
}

export async function changesOf(
  left: readonly string[],
  right: readonly string[],
  { parsed, context: { signal }, contextLines, isUnified }: DiffOptions,
): Promise<Change[]> {
  const showsContext = isUnified || has(parsed, 'copied') || has(parsed, 'copied-lines')
  const horizonLines = Math.max(Number(valueOf(parsed, 'horizon') ?? 0), showsContext ? contextLines : 0)
  const keyOf = (line: string): string => {
    let key = line
    if (has(parsed, 'strip-cr')) key = key.replace(/\r\n$/, '\n')
    if (has(parsed, 'ignore-tabs')) key = withoutTabs(key, Number(valueOf(parsed, 'tab-size') ?? 8))
    if (has(parsed, 'ignore-all-space')) key = key.replace(/\s+/g, '')
    else if (has(parsed, 'ignore-space-change')) key = key.replace(/\s+$/, '').replace(/\s+/g, ' ')
    else if (has(parsed, 'ignore-trailing-space')) key = key.replace(/\s+$/, '')
    return has(parsed, 'ignore-case') ? key.toLowerCase() : key
  }
  const pace = paceOf(signal)
  const keysOf = async (lines: readonly string[]): Promise<readonly string[]> => {
    const keys: string[] = []
    for (const line of lines) {
      keys.push(keyOf(line))
      if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
    }
    return keys
  }
  const [leftKeys, rightKeys] = [await keysOf(left), await keysOf(right)]
  const edits = await compareLines(
    { lines: left, keys: leftKeys },
    { lines: right, keys: rightKeys },
    { horizonLines, isMinimal: has(parsed, 'minimal'), signal },
  )
  return edits.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldIndex: oldStart,
    newIndex: newStart,
    removed: left.slice(oldStart, oldEnd),
    added: right.slice(newStart, newEnd),
  }))
}
