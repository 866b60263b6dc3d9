import { describe, expect, test } from 'vitest'
import { compilePattern } from './pattern.ts'
import { matchingLines } from '../testing/matching-lines.ts'
import { linesByOracle } from '../testing/search-oracle/matching-lines.ts'

describe('lines that match', () => {
  const rows: readonly (readonly [rule: string, pattern: string, text: string, lines: readonly number[]])[] = [
    ['$ is before CRLF', 'foo$', 'foo\r\nxfoo\r\nfoo x\r\n', [1, 2]],
    ['a lone CR ends a line', '^b$', 'a\rb\rc', [2]],
    ['mixed endings', '^[abc]$', 'a\nb\r\nx\rc', [1, 2, 4]],
    ['an empty file has no lines', 'x*', '', []],
    ['a file of one line ending has one line', '^$', '\n', [1]],
    ['the BOM is not part of line 1', '^foo', '\uFEFFfoo\n\uFEFFfoo', [1]],
    ['\\r asked for by name is seen', 'a\\r', 'a\r\na\n', [1]],
    ['[^\\r\\n] asks for no line break', '^[^\\r\\n]+$', 'a\r\nb\n', [1, 2]],
    ['\\n spans lines, and each is reported', 'a\\nb', 'x\na\r\nb\nc\n', [2, 3]],
    ['\\n in a class spans lines', 'a[\\n]b', 'a\nb\n', [1, 2]],
    ['overlapping spans report a line once', 'a\\n', 'a\na\na\n', [1, 2, 3]],
    ['\\s and . do not cross lines by themselves', 'a\\s.*b', 'a\nb\n', []],
    ['a brace that repeats nothing is literal', 'if (x) {', 'if x {\nif (x) {\n', [1]],
    ['${name} is literal', '${platform}', 'a ${platform}\n$\n', [1]],
    ['{n} still repeats', 'a{2}', 'a\naa\n', [2]],
    ['an unclosed parenthesis is literal', 'fetchX(', 'fetchX(\nfetchX\n', [1]],
    ['an unopened parenthesis is literal', 'x)', 'x)\nx\n', [1]],
    ['an unclosed group keeps what is inside', 'f\\((a|b', 'f((a\nf(a\n', [1]],
    ['a name in angle brackets', '(?<name>foo)', 'foo\n', [1]],
    ['a slash may be escaped', 'a\\/b', 'a/b\n', [1]],
    ['an empty class matches nothing', '[x&&y]', 'x\ny\n', []],
    ['\\< and \\> are the edges of words', '\\<foo\\>', 'foo\nfoos\né foo é\néfoo\nafoo\n', [1, 3]],
    ['\\b{start} and \\b{end}', '\\b{start}foo\\b{end}', 'foo\nfoos\né foo é\néfoo\n', [1, 3]],
    ['half edges do not ask for a word', '\\b{start-half}-x\\b{end-half}', '-x\na-x\n-xa\né-x\n -x.\n', [1, 5]],
    ['Unicode words on a line with underscores', '\\b_é_\\b', '_é_\n_é_x\nx_é_\n— _é_ —\n', [1, 4]],
    ['\\B holds inside of a foreign word only', '^\\B|\\B$', 'é\né—\n—\n', [2, 3]],
    ['the Kelvin sign is a k when case is ignored', '(?i)task', 'TASK\ntas\u212a\nta\u017fk\ntax\n', [1, 2, 3]],
    ['a folded class is negated after folding', '(?i)^[^a]$', 'A\na\nb\n', [3]],
    ['case is folded in part', '(?i:f)oo', 'Foo\nfOO\n', [1]],
    ['alternatives whose case differs', '(?i:foo)|BAR', 'FOO\nbar\nBAR\n', [1, 3]],
    ['literals with an assertion', '^foo|bar$', 'foo x\nx foo\nx bar\nbar x\n', [1, 3]],
    ['a flag holds for the later alternatives', 'a(?i)b|c', 'aB\nC\nAb\n', [1, 2]],
    ['white space is ignored with x, but not in an escape', '(?x) a \\x20 b # c', 'a b\nab\n', [1]],
    ['white space counts without x', ' foo', ' foo\nfoo\n', [1]],
    ['a null byte beyond the probe does not end the search', 'end', `${'x\n'.repeat(5000)}\0\nend`, [5002]],
  ]
  test.each(rows)('%s: %s', (_rule, pattern, text, lines) => {
    expect(matchingLines(pattern, text)).toEqual(lines)
  })

  test.each(rows)('the oracle agrees that %s: %s', (_rule, pattern, text, lines) => {
    expect(linesByOracle(pattern, new TextEncoder().encode(text))).toEqual(lines)
  })

  test('bytes that are not UTF-8 are no error, and do not hide their neighbours', () => {
    const bytes = Uint8Array.from([0x66, 0xff, 0x6f, 0x0a, 0xc3, 0x0a, 0x66, 0x6f, 0x6f, 0x0a])
    expect(matchingLines('f.o', bytes)).toEqual([3])
    expect(matchingLines('(?-u)f\\xFFo', bytes)).toEqual([1])
    expect(matchingLines('\\bfoo\\b', bytes)).toEqual([3])
  })

  test('a null byte in the first 8 KiB makes the file binary', () => {
    expect(matchingLines('foo', 'foo\n\0')).toBe('binary')
  })

  test('ignoreCase is the flag i', () => {
    expect(matchingLines('foo', 'FOO\nbar\n', { ignoreCase: true })).toEqual([1])
    expect(matchingLines('(?-i)foo', 'FOO\nfoo\n', { ignoreCase: true })).toEqual([2])
    expect(matchingLines('naïve', 'NAÏVE\n', { ignoreCase: true })).toEqual([1])
  })
})

describe('errors say what is wrong and where', () => {
  const rows: readonly (readonly [pattern: string, offset: number, says: RegExp])[] = [
    ['', 0, /empty/],
    ['x(?=a)', 1, /look-around/],
    ['(?<!a)', 0, /look-around/],
    ['(a)\\1', 3, /back-references/],
    ['\\k<n>', 0, /back-references/],
    ['(?>a)', 0, /atomic/],
    ['a[bc', 1, /closing `\]`/],
    ['(?:ab', 0, /closing `\)`/],
    ['a|*', 2, /nothing to repeat/],
    ['a\\', 1, /backslash/],
    ['a\\Z', 1, /\\z/],
    ['[z-a]', 3, /lower character/],
    ['[\\b]', 1, /position/],
    ['\\p{Klingonese}', 0, /property/],
    ['(?-u)\\xE2\\x82', 9, /part of a character/],
    ['(?-u)\\x82\\xACb', 9, /part of a character/],
    ['(?-u)\\xC3\\xA9+', 9, /part of a character/],
    ['a{5,2}', 1, /lower bound first/],
    ['a{70000}', 1, /65535/],
    ['a{9000}', 0, /too large/],
    ['(?:a{1000}){1000}', 0, /too large/],
    ['(?q)a', 0, /flags/],
    ['('.repeat(101) + ')'.repeat(101), 100, /nested/],
    ['x'.repeat(16_385), 16_384, /longer/],
  ]
  test.each(rows)('%s', (pattern, offset, says) => {
    const compiled = compilePattern(pattern)
    expect(compiled).toMatchObject({ kind: 'error', ...(pattern === '' ? {} : { offset }) })
    expect(compiled.kind === 'error' ? compiled.message : '').toMatch(says)
  })
})

describe('what reaches the automaton', () => {
  const rows: readonly (readonly [pattern: string, decider: 'literal' | 'automaton', required: readonly string[] | undefined])[] =
    [
      ['foo', 'literal', ['foo']],
      ['(?i)Foo', 'literal', ['foo']],
      ['foo|bar', 'literal', ['foo', 'bar']],
      ['(fetch\\()', 'literal', ['fetch(']],
      ['\\bfoo\\b', 'automaton', ['foo']],
      ['\\w+Error\\(', 'automaton', ['Error(']],
      ['a.*longest.*b', 'automaton', ['longest']],
      ['(foo|barbar)x', 'automaton', ['foo', 'barbar']],
      ['(?:foo)+', 'literal', ['foo']],
      ['foo.*', 'literal', ['foo']],
      ['\\s*foo(?:bar)*', 'literal', ['foo']],
      ['(?:foo)?', 'automaton', undefined],
      ['foo|', 'automaton', undefined],
      ['(?i)é', 'automaton', undefined],
      ['a\\nb', 'automaton', undefined],
      ['function.*Sync\\(', 'automaton', ['Sync(']],
      ['(?:é|x)+yy.*(?i:k)', 'automaton', ['yy']],
      ['(?:éx)+.*(?i:k)', 'automaton', undefined],
      ['x{3}y', 'literal', ['xxxy']],
      ['first line\\n.*second', 'automaton', ['first line']],
      ['\\n', 'automaton', undefined],
      ['[ab]c', 'automaton', undefined],
    ]
  test.each(rows)('%s', (source, decider, required) => {
    const compiled = compilePattern(source)
    if (compiled.kind === 'error') throw new Error(compiled.message)
    expect(compiled.pattern.isLiteral).toBe(decider === 'literal')
    expect(compiled.pattern.required?.texts).toEqual(required)
  })

  test('a pattern that was read otherwise than written says so', () => {
    const notes = ['fetchX(', 'a)', '${x}', 'foo', 'a{2}'].map(noteOf)
    expect(notes).toEqual([
      expect.stringContaining('`(`'),
      expect.stringContaining('`)`'),
      expect.stringContaining('`${`'),
      undefined,
      undefined,
    ])
  })
})

test('the patterns of the last two searches are kept with what their automatons have learnt', () => {
  const first = compilePattern('a+b')
  expect(compilePattern('a+b')).toBe(first)
  const other = compilePattern('a+b', { ignoreCase: true })
  expect(other).not.toBe(first)
  expect([compilePattern('a+b'), compilePattern('a+b', { ignoreCase: true })]).toEqual([first, other])
  compilePattern('c')
  compilePattern('d')
  expect(compilePattern('a+b')).not.toBe(first)
})

function noteOf(source: string): string | undefined {
  const compiled = compilePattern(source)
  return compiled.kind === 'pattern' ? compiled.pattern.note : compiled.message
}
