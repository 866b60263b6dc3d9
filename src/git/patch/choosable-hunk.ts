// A hunk that can be chosen: how it is shown, split, and taken into a text.

import type { PatchHunk, PatchLine } from './parse-patch.ts'

/** Changed lines with context, or a change of the mode, which is shown as text. */
export type ChoosableHunk =
  | { readonly kind: 'lines'; readonly hunk: PatchHunk; readonly heading: string }
  | { readonly kind: 'mode'; readonly text: string }

export function choosable(hunk: PatchHunk): ChoosableHunk {
  return { kind: 'lines', hunk, heading: /^@@ .*? @@(.*)$/s.exec(hunk.header)?.[1]?.replace(/\n$/, '') ?? '' }
}

export function shownHunk(choice: ChoosableHunk): string {
  if (choice.kind === 'mode') return choice.text
  const { hunk, heading } = choice
  const { oldStart, newStart, lines } = hunk
  const range = (start: number, left: '+' | '-'): string => {
    const count = lines.filter(({ sign }) => sign !== left).length
    return count === 1 ? String(start) : `${start},${count}`
  }
  const body = lines.map(({ sign, text }) => sign + (text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`))
  return `@@ -${range(oldStart, '+')} +${range(newStart, '-')} @@${heading}\n${body.join('')}`
}

/** One hunk for each group of changed lines, with the context on both sides. */
export function splitHunk(choice: ChoosableHunk): readonly ChoosableHunk[] {
  if (choice.kind === 'mode') return [choice]
  const { hunk, heading } = choice
  const { lines } = hunk
  const parts: ChoosableHunk[] = []
  let start = 0
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart]
  while (start < lines.length) {
    const first = indexFrom(lines, start, ({ sign }) => sign !== ' ')
    if (first === lines.length) break
    const contextStart = indexFrom(lines, first, ({ sign }) => sign === ' ')
    const end = indexFrom(lines, contextStart, ({ sign }) => sign !== ' ')
    parts.push({
      kind: 'lines',
      hunk: { ...hunk, oldStart: oldLine, newStart: newLine, lines: lines.slice(start, end) },
      heading: parts.length === 0 ? heading : '',
    })
    for (const { sign } of lines.slice(start, contextStart)) {
      if (sign !== '+') oldLine++
      if (sign !== '-') newLine++
    }
    start = contextStart
  }
  return parts
}

function indexFrom(lines: readonly PatchLine[], start: number, test: (line: PatchLine) => boolean): number {
  const found = lines.slice(start).findIndex(test)
  return found === -1 ? lines.length : start + found
}

/** The older text with the changes of these hunks. Context that hunks share does not matter. */
export function withHunks(text: string, hunks: readonly PatchHunk[]): string {
  const before: readonly string[] = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const removed = new Set<number>()
  const added = new Map<number, string>()
  for (const { oldStart, lines } of hunks) {
    let at = lines.every(({ sign }) => sign === '+') ? oldStart : oldStart - 1
    for (const line of lines) {
      if (line.sign === '+') added.set(at, (added.get(at) ?? '') + line.text)
      else {
        if (line.sign === '-') removed.add(at)
        at++
      }
    }
  }
  const parts: string[] = []
  for (let at = 0; at <= before.length; at++) parts.push(added.get(at) ?? '', removed.has(at) ? '' : (before[at] ?? ''))
  return parts.join('')
}

export function reversedHunk(hunk: PatchHunk): PatchHunk {
  const signs = { ' ': ' ', '+': '-', '-': '+' } as const
  const lines = hunk.lines.map(line => ({ ...line, sign: signs[line.sign] }))
  return { ...hunk, oldStart: hunk.newStart, newStart: hunk.oldStart, lines }
}
