// A simplified pattern finds the same lines as the original, and patterns that can be simplified are.

import { describe, expect, test } from 'vitest'

import { sizeOf } from '../dfa/program.ts'
import { parsePattern } from './parse.ts'
import { simplifyForLines } from './simplify.ts'

const sizes = (source: string): number => sizeOf(simplifyForLines(parsePattern(source, { ignoreCase: false }).node))
const written = (source: string): string =>
  JSON.stringify(simplifyForLines(parsePattern(source, { ignoreCase: false }).node), (_key, value: unknown) =>
    typeof value === 'boolean' ? undefined : value,
  )

describe('is the same as', () => {
  const rows: readonly (readonly [pattern: string, simple: string])[] = [
    ['foo.*', 'foo'],
    ['.*foo', 'foo'],
    ['\\s*foo(?:bar)*', 'foo'],
    ['x*', '(?:)'],
    ['a|', '(?:)'],
    ['foo{2,9}', 'foo{2}'],
    ['(?:a|a)b', 'ab'],
    ['^(?:a+)+$', '^a+$'],
    ['^(?:a*)*$', '^a*$'],
    ['^(?:(?:a?)+b?)*$', '^[ab]*$'],
    ['^(?:a{2,3}){4}$', '^a{8,12}$'],
    ['^(?:a{0,30}){0,30}$', '^a{0,900}$'],
    ['^(?:a|.+|b{5,})+$', '^.+$'],
    ['^(?:a|b|[c-e])$', '^[a-e]$'],
    ['^aa*a{2}$', '^a{3,}$'],
    ['^(?:ab|ac){3}$', '^(?:a[bc]){3}$'],
    ['(?:^a|b$)+', '(?:^a|b$)'],
    ['^(?:\\b|.+)+c$', '^(?:\\b|.)+c$'],
    ['^(?:a*b*){0,3}$', '^(?:a+b*|b+){0,3}$'],
  ]
  test.each(rows)('%s: %s', (pattern, simple) => {
    expect(written(pattern)).toBe(written(simple))
  })
})

describe('stays as it is', () => {
  const rows: readonly string[] = [
    '^(?:a{2}){0,3}$', // 0, 2, 4 or 6, but not 3
    '^(?:a{3,4}){1,2}$', // not 5
    '\\ba*\\b',
    '^a*$',
    '^(?:a|b+){2,3}$',
    '^(?:\\ba|.){2,}c$',
  ]
  test.each(rows)('%s', pattern => {
    const { node } = parsePattern(pattern, { ignoreCase: false })
    expect(sizes(pattern)).toBe(sizeOf(node))
  })
})
