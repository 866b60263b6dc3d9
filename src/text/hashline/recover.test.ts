import { describe, expect, it } from 'vitest'
import { documentOf, textOf } from '../../core/text.ts'
import { loadBlockResolver } from '../blocks/resolve.ts'
import { applyHunks } from './apply.ts'
import type { BlockResolver } from './blocks.ts'
import type { Hunk } from './hunk.ts'
import { parseScript } from './parse.ts'
import { recoverHunks, type Recovery } from './recover.ts'

const hunksOf = (script: string): readonly Hunk[] => parseScript(`[f#0000]\n${script}`).sections[0]?.hunks ?? []
const recover = (snapshot: string, live: string, script: string, resolveBlock?: BlockResolver): Recovery =>
  recoverHunks(documentOf(snapshot), documentOf(live), hunksOf(script), { resolveBlock })

/** The text after the edit, or the reason why there is none. */
function outcome(snapshot: string, live: string, script: string, resolveBlock?: BlockResolver): string {
  const recovery = recover(snapshot, live, script, resolveBlock)
  if (recovery.kind === 'recovered') return textOf(applyHunks(documentOf(live), recovery.hunks).document)
  return recovery.kind === 'refused' ? `refused: ${recovery.reason}` : recovery.kind
}

/** One letter for each line: 'abc' is 'a\nb\nc\n'. '}' and ' ' can repeat. */
const lines = (letters: string): string => letters.replaceAll(/./g, '$&\n')

describe('letters', () => {
  // rule, snapshot, live, script, outcome
  it.each<[string, string, string, string, string]>([
    ['inserted above', 'abc', 'xabc', 'replace 3:\n+C', 'xabC'],
    ['inserted above, to be inserted below', 'abcdefg', 'xyzabcdefg', 'insert after 7:\n+h', 'xyzabcdefgh'],
    ['deleted above', 'abcde', 'bcde', 'replace 4:\n+D', 'bcDe'],
    ['changed two lines away', 'abcde', 'abcdE', 'replace 3:\n+C', 'abCdE'],
    ['changed next to it', 'abcde', 'abcDe', 'replace 3:\n+C', 'refused: changed'],
    ['changed itself', 'abcde', 'abXde', 'replace 3:\n+C', 'refused: changed'],
    ['inserted next to it', 'abcde', 'abcxde', 'replace 3:\n+C', 'refused: changed'],
    ['inserted inside the range', 'abcdef', 'abcxdef', 'delete 3..4', 'refused: changed'],
    ['everything else gone', 'abcde', 'bcd', 'replace 3:\n+C', 'bCd'],
    ['above the first line', 'abc', 'xabc', 'replace 1:\n+A', 'xAbc'],
    ['below the last line', 'abc', 'abcx', 'replace 3:\n+C', 'abCx'],
    ['between two hunks that are close', 'abcdef', 'abXdef', 'replace 1:\n+A\nreplace 6:\n+F', 'refused: changed'],
    ['between two hunks that are not', 'abcdefghi', 'abcdXfghi', 'replace 1:\n+A\nreplace 9:\n+I', 'AbcdXfghI'],
    ['elsewhere than between two hunks', 'abcdef', 'xabcdefx', 'replace 2:\n+B\ninsert after 4:\n+n', 'xaBcdnefx'],
    ['one of two hunks', 'abcdef', 'abcdeX', 'replace 1:\n+A\nreplace 6:\n+F', 'refused: changed'],
    ['insert before', 'abcde', 'xabcde', 'insert before 3:\n+n', 'xabncde'],
    ['insert where something was inserted', 'abcde', 'abxcde', 'insert before 3:\n+n', 'refused: changed'],
    ['a moved stretch', 'abcdefgh', 'efghabcd', 'replace 6:\n+F', 'eFghabcd'],
    ['head and tail need nothing', 'ab', 'cd', 'insert head:\n+h\ninsert tail:\n+t', 'hcdt'],
    ['the place after the last line', 'abc', 'xabc', 'insert before 4:\n+t', 'xabct'],
    ['the place after a last line that is another', 'abc', 'abcx', 'insert before 4:\n+t', 'refused: changed'],
    ['to the end', 'abcd', 'xabcd', 'delete 3..5', 'xab'],
    ['to an end that is further away', 'abcd', 'abcdx', 'delete 3..5', 'refused: changed'],
    ['an empty file that stays empty', '', '', 'insert before 1:\n+t', 't'],
    ['an empty file that is not any more', '', 'x', 'insert before 1:\n+t', 'refused: changed'],
    ['an emptied file', 'a', '', 'replace 1:\n+A', 'refused: changed'],
    // Repeated lines.
    ['repeated lines far from the change', 'a}b}c}d', 'a}b}c}D', 'replace 2:\n+]', 'a]b}c}D'],
    ['a bracket more beside it', 'a}}b', 'a}}}b', 'replace 2:\n+]', 'refused: ambiguous'],
    ['a duplicated block', 'abc', 'abcabc', 'replace 2:\n+B', 'refused: ambiguous'],
    ['the first of two blocks deleted', 'a}a}', 'a}', 'replace 1:\n+A', 'refused: ambiguous'],
    ['a half of the block duplicated', 'xatbx', 'xatatbx', 'replace 3:\n+T', 'refused: ambiguous'],
    ['nothing but repetition', '}}}}', '}}}}}', 'delete 2', 'refused: ambiguous'],
    ['repetition that stays as it was', '}}}}', '}}}}', 'delete 2', '}}}'],
    // The change has been made already.
    ['all of it', 'abc', 'aBc', 'replace 2:\n+B', 'already-applied'],
    ['and something else', 'abcdef', 'aBcdeX', 'replace 2:\n+B', 'already-applied'],
    ['inserted', 'abcd', 'abnXcd'.replace('X', ''), 'insert after 2:\n+n', 'already-applied'],
    ['deleted', 'abcdefg', 'abefgX', 'delete 3..4', 'already-applied'],
    ['appended', 'ab', 'abt', 'insert tail:\n+t', 'already-applied'],
    ['one of two', 'abcdefgh', 'aBcdefgh', 'replace 2:\n+B\nreplace 7:\n+G', 'aBcdefGh'],
    ['another change on that line', 'abc', 'aXc', 'replace 2:\n+B', 'refused: changed'],
  ])('%s', (_, snapshot, live, script, expected) => {
    const wanted = /^(refused|already)/.test(expected) ? expected : lines(expected)
    const got = outcome(lines(snapshot), lines(live), script)
    // An empty file gets no final newline by itself.
    expect(got.replace(/\n$/, '')).toBe(wanted.replace(/\n$/, ''))
  })
})

describe('texts', () => {
  it.each<[string, string, string, string, string]>([
    ['LF to CRLF', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n', 'replace 2:\n+B', 'a\r\nB\r\nc\r\n'],
    ['a BOM came', 'a\nb\n', '\uFEFFa\nb\n', 'replace 2:\n+B', '\uFEFFa\nB\n'],
    ['a final newline came', 'a\nb', 'a\nb\n', 'replace 1:\n+A', 'A\nb\n'],
    ['a final newline went', 'a\nb\n', 'a\nb', 'insert after 2:\n+c', 'a\nb\nc'],
    ['the place after a final newline that went', 'a\nb\n', 'a\nb', 'insert before 3:\n+c', 'a\nb\nc'],
    ['trailing blanks around', 'a\nb\nc\n', 'a  \nb\nc\t\n', 'replace 2:\n+B', 'a  \nB\nc\t\n'],
    ['trailing blanks of the line', 'a\nb\nc\n', 'a\nb  \nc\n', 'replace 2:\n+B', 'a\nB\nc\n'],
    ['trailing blanks of an anchor', 'a\nb\nc\n', 'a\nb  \nc\n', 'insert after 2:\n+x', 'a\nb  \nx\nc\n'],
    ['re-indented', 'f {\n  a\n  b\n}\n', 'f {\n\ta\n\tb\n}\n', 'replace 2:\n+  c', 'refused: changed'],
    [
      'the second of two functions',
      'f() {\n  x\n}\n\ng() {\n  y\n}\n',
      'f() {\n  X\n}\n\ng() {\n  y\n}\n',
      'replace 6:\n+  Y',
      'f() {\n  X\n}\n\ng() {\n  Y\n}\n',
    ],
  ])('%s', (_, snapshot, live, script, expected) => {
    expect(outcome(snapshot, live, script)).toBe(expected)
  })

  it('says which trailing blanks are lost', () => {
    const recovery = recover('a\nb\nc\n', 'a\nb  \nc\n', 'replace 2:\n+B')
    expect(recovery.kind === 'recovered' && recovery.warnings).toEqual([
      expect.stringContaining('line 2 had other trailing blanks'),
    ])
  })

  it('says where hunks have moved and what stood in the way', () => {
    const recovery = recover(lines('abcdef'), lines('xxabcdef'), 'replace 3..4:\n+C\ninsert tail:\n+t')
    expect(recovery).toMatchObject({ kind: 'recovered', moved: [{ scriptLine: 2, from: 3, to: 5 }], warnings: [] })
    const refused = recover(lines('abcdef'), lines('xxabXdef'), 'replace 3..4:\n+C\nreplace 6:\n+F')
    expect(refused).toEqual({
      kind: 'refused',
      reason: 'changed',
      conflicts: [{ scriptLine: 2, operation: 'replace 3..4:', start: 3, end: 4, reason: 'changed', liveLine: 5 }],
    })
  })

  it('names a hunk whose change is already there beside one that is moved', () => {
    const recovery = recover(lines('abcdefgh'), lines('aBcdefgh'), 'replace 2:\n+B\nreplace 7:\n+G')
    expect(recovery.kind === 'recovered' && recovery.warnings).toEqual([expect.stringContaining('`replace 2..2:`')])
  })
})

describe('blocks are those of the snapshot', () => {
  const text = 'import a\nfunction f() {\n  one()\n}\nfunction g() {\n  two()\n}\nlast()\n'
  it.each<[string, string, string, string]>([
    [
      'drift elsewhere',
      text.replace('last', 'LAST'),
      'delete block 2',
      text.replace('last', 'LAST').replace(/function f[^}]*}\n/, ''),
    ],
    [
      'drift that breaks the syntax elsewhere',
      `((\n${text}`,
      'replace block 5:\n+g()',
      `((\n${text.replace(/function g[^}]*}/, 'g()')}`,
    ],
    ['drift in the block', text.replace('one', 'ONE'), 'delete block 2', 'refused: changed'],
    ['drift in the block to insert after', text.replace('one', 'ONE'), 'insert after block 2:\n+x()', 'refused: changed'],
    ['inside', `// x\n${text}`, 'insert after block 5:\n+  x()', `// x\n${text.replace('  two()\n', '  two()\n  x()\n')}`],
  ])('%s', async (_, live, script, expected) => {
    expect(outcome(text, live, script, await loadBlockResolver('a.ts'))).toBe(expected)
  })

  it('a hunk that does not fit the snapshot is refused as ever', () => {
    expect(() => recover('a\n', 'b\n', 'delete 9')).toThrow(expect.objectContaining({ code: 'edit-line-out-of-range' }))
    expect(() => recover('a\n', 'b\n', 'delete block 1')).toThrow(expect.objectContaining({ code: 'edit-blocks-unavailable' }))
  })
})

it('finds its place in 100,000 lines', () => {
  const text = Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? '}' : `line ${index}`)).join('\n')
  const [snapshot, live] = [documentOf(text), documentOf(`new\n${text}`)]
  const recovery = recoverHunks(snapshot, live, hunksOf('replace 50000:\n+x'))
  expect(recovery.kind).toBe('recovered')
})
