import { describe, expect, test } from 'vitest'
import { type LineMatch, searchBytes } from './matcher.ts'
import { matchingLines } from '../testing/matching-lines.ts'
import { compiled } from '../testing/compiled.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a match names the bytes of its line, without ending and BOM', () => {
  const bytes = encode('\uFEFFé one\r\ntwo one\n')
  const matches: LineMatch[] = []
  searchBytes(bytes, compiled('one'), match => matches.push(match) > 0)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  expect(matches.map(({ lineNumber, start, end }) => [lineNumber, decoder.decode(bytes.subarray(start, end))])).toEqual([
    [1, 'é one'],
    [2, 'two one'],
  ])
})

describe('a literal without regard to case, where letters beyond ASCII fold into it', () => {
  const rows: readonly (readonly [pattern: string, text: string, lines: readonly number[]])[] = [
    ['(?i)websocket', 'web\nwebsoc\nWebSocket\nweb\u017focket\nwebsoc\u212aet\nweb', [3, 4, 5]],
    ['(?i)task|desk', 'ta\ntas\nTAS\u212a\nde\nDe\u017fk\ntask', [3, 5, 6]],
    ['(?i)ask.*me', 'as\na\u017fk ME\nask\nASK me', [2, 4]],
  ]
  test.each(rows)('%s', (pattern, text, lines) => {
    expect(matchingLines(pattern, text)).toEqual(lines)
  })
})

const many = 'a'.repeat(6000)

test.each<[rule: string, pattern: string, text: string, lines: readonly number[]]>([
  ['a line with only the end of a long text', many, `${'a'.repeat(200)}\n${many}\n${'a'.repeat(5999)}\n${many}a`, [2, 4]],
  ['of a line in its middle', many, `${'a'.repeat(3000)}b${'a'.repeat(5000)}\nb${many}b`, [2]],
  ['in either case', `(?i)${many}`, `${many.toUpperCase()}\n${'a'.repeat(200)}`, [1]],
  ['with the line ending', 'needle\\r', 'needle\r\nneedle', [1]],
])('a text that is as long as its line: %s', (_rule, pattern, text, lines) => {
  expect(matchingLines(pattern, text)).toEqual(lines)
})

describe('stops early', () => {
  // One pattern for each way through a file: byte search, byte search with engine, skipping by classes, line by line, across lines.
  const ways = ['one', '\\bone\\b', '[no]ne', '[a-o][m-o][^x]', 'one\\n']
  const text = encode('one\n'.repeat(200_000))

  test.each(ways)('%s: when the sink has enough', source => {
    const seen: number[] = []
    const outcome = searchBytes(text, compiled(source), ({ lineNumber }) => seen.push(lineNumber) < 3)
    expect([outcome, seen]).toEqual([{ kind: 'stopped', by: 'sink' }, [1, 2, 3]])
  })

  test.each(ways)('%s: when the caller says so', source => {
    let lines = 0
    let polls = 0
    const outcome = searchBytes(text, compiled(source), () => ++lines > 0, { shouldStop: () => ++polls === 2 })
    expect(outcome).toEqual({ kind: 'stopped', by: 'caller' })
    expect(lines).toBeLessThanOrEqual(2 * 1000)
  })

  test.each(['absent', 'absent|nowhere', '\\d+'])('%s: the caller is asked once per megabyte where nothing matches', source => {
    let polls = 0
    const outcome = searchBytes(encode('one two\n'.repeat(500_000)), compiled(source), () => true, {
      shouldStop: () => ++polls < 0,
    })
    expect(outcome).toEqual({ kind: 'complete' })
    expect(polls).toBeGreaterThanOrEqual(3)
  })
})

test('the literal that lies across the border of two windows is found', () => {
  const windowBytes = 1 << 20
  for (const shift of [1, 3, 5]) {
    const text = `${'x'.repeat(windowBytes - shift)}needle`
    expect(matchingLines('needle', text)).toEqual([1])
  }
})

test('a literal longer than what is compared at one place is decided by all of it', () => {
  const long = 'x'.repeat(200)
  expect(matchingLines(`a${long}`, `b${long}\na${long}\n${long}\n`)).toEqual([2])
  expect(matchingLines(`(?i)S${long}|no${long}`, `b${long}\n\u017f${long}\nn${long}\nNO${long}`)).toEqual([2, 4])
})

test('blocks of lines are ruled out, or not, without losing a line', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) =>
    index % 997 === 0 || (index > 9000 && index < 15_000) ? `id ${index}` : 'no digits here',
  )
  const expected = lines.flatMap((line, index) => (/\d/.test(line) ? [index + 1] : []))
  expect(matchingLines('\\d', lines.join('\n'))).toEqual(expected)
  expect(matchingLines('\\d$', lines.join('\r\n'))).toEqual(expected)
  expect(matchingLines('\\d$', lines.join('\r'))).toEqual(expected)
  expect(matchingLines('\\b\\d', lines.map(line => `é ${line}`).join('\n'))).toEqual(expected)
})

describe('a pattern that makes backtracking engines stall finishes', () => {
  const text = `${'a'.repeat(200_000)}\n${'x'.repeat(200_000)}\n${'foo '.repeat(50_000)}\n${'"\\'.repeat(100_000)}\n${'ab'.repeat(100_000)}\nfoo a bar.js\n`
  const rows: readonly (readonly [pattern: string, lines: readonly number[]])[] = [
    ['(a+)+$', [1]],
    ['(a+)+b', [5]],
    ['(x+x+)+y', []],
    ['^(\\w+\\s?)*$', [1, 2, 3, 5]],
    ['(.*a){12}', [1, 5]],
    ['(\\w*)*=\\d', []],
    ['.*foo.*bar', [6]],
    ['([a-z]+)+\\.js\\b', [6]],
    ['("(\\\\.|[^"])*")+;', []],
    ['[ab].{12}z', []],
  ]
  test.each(rows)('%s', (pattern, lines) => {
    expect(text.length).toBeGreaterThan(1_000_000)
    expect(matchingLines(pattern, text)).toEqual(lines)
  })
})
