// Random changes of real source files, and the resulting bytes, for toolsets that each express such a change in their own form.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Random } from './random.ts'

export interface SourceText {
  readonly bom: string
  readonly lines: readonly string[]
  readonly ending: string
  readonly isEnded: boolean
}

/** For the lines `start` to `end` (0-based, exclusive). Insertions are next to the one line at `start`. */
export interface LineMutation {
  readonly kind: 'replace' | 'delete' | 'insert-before' | 'insert-after'
  readonly start: number
  readonly end: number
  readonly rows: readonly string[]
}

const sourceFolder = fileURLToPath(new URL('../', import.meta.url))
const sourceFiles: readonly string[] = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .sort()

/** One of this repository's source files, sometimes with CRLF, a byte order mark or without its last newline. */
export function randomSource(random: Random, maxCharacters = 40_000): SourceText {
  for (;;) {
    const text = readFileSync(join(sourceFolder, random.pick(sourceFiles)), 'utf8')
    if (text.length > maxCharacters || !text.endsWith('\n') || text.includes('\r')) continue
    return {
      bom: random.chance(0.1) ? '\uFEFF' : '',
      lines: text.slice(0, -1).split('\n'),
      ending: random.chance(0.25) ? '\r\n' : '\n',
      isEnded: !random.chance(0.2),
    }
  }
}

/** Many equal lines, which are the most likely to be confused. */
export function repetitiveSource(random: Random): SourceText {
  const lines = Array.from({ length: 3 + random.below(12) }, () => random.pick(['', '}', '  }', 'x = 1']))
  return withLines({ bom: '', lines, ending: random.pick(['\n', '\r\n']), isEnded: !random.chance(0.3) }, lines)
}

/** An empty last line without an ending would not be a line. */
export function withLines(source: SourceText, lines: readonly string[]): SourceText {
  return { ...source, lines, isEnded: source.isEnded || lines.at(-1) === '' }
}

/** Some mutations that do not overlap, in the order of the text. */
export function randomMutations(random: Random, { lines }: SourceText, maxCount = 12): readonly LineMutation[] {
  const mutations: LineMutation[] = []
  let at = random.below(Math.min(lines.length, 20))
  while (at < lines.length && mutations.length < maxCount) {
    const kind = random.pick(['replace', 'delete', 'insert-before', 'insert-after'] as const)
    const length = kind === 'replace' || kind === 'delete' ? 1 + random.below(Math.min(6, lines.length - at)) : 1
    const rows = Array.from({ length: 1 + random.below(4) }, (_, index) => randomRow(random, lines, `${at}.${index}`))
    mutations.push({ kind, start: at, end: at + length, rows: kind === 'delete' ? [] : rows })
    at += length + random.below(40)
  }
  return mutations
}

/** Like a line of the file, like the output of a tool, or random. */
function randomRow(random: Random, lines: readonly string[], name: string): string {
  const line = random.pick(lines)
  return random.pick([line, `${line} // ${name}`, `[LID:${name}] x`, `7#${name}|x`, `  é ${name} 😀\t`, '', ' ', '-'])
}

/** The lines after `mutations`, which refer to `lines`. */
export function mutatedLines<T>(
  lines: readonly T[],
  mutations: readonly LineMutation[],
  toLine: (row: string) => T,
): readonly T[] {
  const result: T[] = []
  let done = 0
  for (const { kind, start, end, rows } of mutations) {
    const from = kind === 'insert-after' ? start + 1 : start
    result.push(...lines.slice(done, from), ...rows.map(toLine))
    done = kind === 'replace' || kind === 'delete' ? end : from
  }
  return [...result, ...lines.slice(done)]
}

export function sourceText({ bom, lines, ending, isEnded }: SourceText): string {
  return bom + lines.join(ending) + (isEnded && lines.length > 0 ? ending : '')
}

/** One change by another writer after which it is still certain which line is which. */
export function strangersChange(random: Random, lines: readonly { text: string }[]): readonly { text: string }[] {
  const at = random.below(lines.length)
  const isAlone = lines[at - 1]?.text !== lines[at]?.text && lines[at + 1]?.text !== lines[at]?.text
  const kind = random.pick(['insert', 'insert', 'change', ...(isAlone ? (['remove', 'remove'] as const) : [])] as const)
  return lines.toSpliced(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [{ text: 'by someone else' }]))
}
