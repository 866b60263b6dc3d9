import { expect, test } from 'vitest'
import { findRow, lineKind, readSections } from './read-result.ts'

test.each([
  ['[src/a.ts#A1B2]', 'header'],
  ['[app/[id]/page.tsx#00FF]', 'header'],
  ['[3 more lines in file. Continue with path selector :10.]', 'plain'],
  ['[src/a.ts#a1b2]', 'plain'],
  ['12:const a = 1', 'context'],
  [' 12:const a = 1', 'context'],
  ['*12:const a = 1', 'match'],
  ['7:', 'context'],
  ['# src/', 'plain'],
  ['', 'plain'],
] as const)('%j is a line of kind %s', (line, kind) => {
  expect(lineKind(line)).toBe(kind)
})

test('signed rows are a diff only in the result of an edit', () => {
  const lines = ['-41 a', '+ 9 b', ' 41 c', '-  old', '+new', '+', '--- a/f.ts', '+++ b/f.ts', '@@ -1 +1 @@']
  expect(lines.map(line => lineKind(line, true)).join(' ')).toBe('removed added plain removed added added plain plain plain')
  expect(lineKind('-41 a')).toBe('plain')
})

test('a result is its files, each with its rows', () => {
  const text = ['# src/', '[src/a.ts#A1B2]', ' 1:one', '*2:two: 3:4', '[src/b.ts#0000]', '*9:', '', '[a footer]'].join('\n')
  expect(readSections(text)).toEqual([
    {
      path: 'src/a.ts',
      tag: 'A1B2',
      header: '[src/a.ts#A1B2]',
      rows: [
        { lineNumber: 1, text: 'one', isMatch: false },
        { lineNumber: 2, text: 'two: 3:4', isMatch: true },
      ],
    },
    { path: 'src/b.ts', tag: '0000', header: '[src/b.ts#0000]', rows: [{ lineNumber: 9, text: '', isMatch: true }] },
  ])
})

test('rows before any header belong to no file', () => {
  expect(readSections('1:one\n2:two')).toEqual([])
})

test('a row that is not there is an error that says what was looked for', () => {
  const [section] = readSections('[a#0000]\n1:one')
  expect(section).toBeDefined()
  if (section === undefined) return
  expect(findRow(section, /one/).lineNumber).toBe(1)
  expect(() => findRow(section, /two/)).toThrow('No row of [a#0000] matches two')
})
