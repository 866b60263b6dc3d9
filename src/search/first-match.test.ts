import { expect, it } from 'vitest'

import { firstMatchIn } from './first-match.ts'
import { compilePattern, type CompileOptions } from './pattern.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const far = 'é'.repeat(20_000)
const words = 'word '.repeat(10_000)

function firstIn(source: string, line: string, options: CompileOptions = {}): { before: number; text: string } | undefined {
  const compiled = compilePattern(source, options)
  if (compiled.kind === 'error') throw new Error(compiled.message)
  const bytes = encoder.encode(line)
  const found = firstMatchIn(bytes, compiled.pattern)
  if (found === undefined) return undefined
  return {
    before: decoder.decode(bytes.subarray(0, found.start)).length,
    text: decoder.decode(bytes.subarray(found.start, found.end)),
  }
}

it.each<[rule: string, source: string, line: string, text: string | undefined, before: number, options?: CompileOptions]>([
  ['a literal', 'needle', `${far}needle${far}needle`, 'needle', far.length],
  ['a literal in either case', 'needle', `${far}NeEdLe`, 'NeEdLe', far.length, { ignoreCase: true }],
  ['a letter that is longer in its other case', 'kelvin', `${far}\u212aelvin`, '\u212aelvin', far.length, { ignoreCase: true }],
  ['one of several literals', 'needle|thread', `${far}thread needle`, 'thread', far.length],
  ['the first of a line', 'needle', `needle${far}`, 'needle', 0],
  ['an expression', 'n\\w+dle', `${words}needle`, 'needle', words.length],
  ['a boundary', '\\bneedle\\b', `${words}xneedle needle ${words}`, 'needle', words.length + 8],
  ['the start of a line only there', '^a+', `aa${'a'.repeat(9000)}`, 'a'.repeat(9002), 0],
  ['no start of a line in its middle', '^w|q', `xx${words}q`, 'q', words.length + 2],
  ['the end of a line only there', 'e$', `${'e '.repeat(9000)}e`, 'e', 18_000],
  ['a match longer than what is read around its end', 'x[^y]*y', `${words}x${words}y`, `x${words}y`, words.length],
  ['none', 'needle', words, undefined, 0],
  ['an empty match', 'x*', words, '', 0],
])('%s: %s', (_rule, source, line, text, before, options) => {
  expect(firstIn(source, line, options)).toEqual(text === undefined ? undefined : { before, text })
})
