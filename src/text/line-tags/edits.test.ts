import { describe, expect, it } from 'vitest'

import { documentOf, textOf } from '../../core/text.ts'
import { spliceLines } from '../splice-lines.ts'
import { parseEdits } from './parse-edits.ts'
import { placeEdits } from './place-edits.ts'
import { lineTagId } from './tag.ts'

/** `2=X|Y` replaces line 2, `2-3=X` lines 2 to 3, `2>X` appends, `2<X` prepends. Tags are computed from `document`'s lines. */
function edit(text: string, lines: readonly string[]): object {
  const [, start = '', end, sign, content = ''] = /^(\d+)(?:-(\d+))?([=<>])(.*)$/s.exec(text) ?? []
  const tag = (number: string): string => `${number}#${lineTagId(Number(number), lines[Number(number) - 1] ?? '')}`
  const op = sign === '=' ? 'replace' : sign === '>' ? 'append' : 'prepend'
  const added = content === '' ? [] : content.split('|')
  return { op, pos: tag(start), ...(end === undefined ? {} : { end: tag(end) }), lines: added }
}

function apply(before: string, edits: string): string {
  const document = documentOf(before)
  const parsed = parseEdits(edits === '' ? [] : edits.split(' ').map(text => edit(text, document.lines)))
  if (parsed.kind === 'refused') return parsed.message
  const placed = placeEdits(parsed.edits, document.lines)
  if (placed.kind === 'placed') return textOf(spliceLines(document, placed.splices))
  return placed.kind === 'refused' ? placed.message : `mismatch ${placed.tag.lineNumber} ${placed.tag.id} ${placed.actualId}`
}

describe('edits', () => {
  const rows: readonly (readonly [before: string, edits: string, after: string])[] = [
    ['a\nb\n', '', 'a\nb\n'],
    ['a\nb\nc\n', '2=B', 'a\nB\nc\n'],
    ['a\nb\nc\n', '2=B|C', 'a\nB\nC\nc\n'],
    ['a\nb\nc\n', '2=', 'a\n\nc\n'],
    ['a\nb\nc\n', '2-2=', 'a\nc\n'],
    ['a\nb\nc\n', '1-3=', ''],
    ['a\nb\nc\n', '1-2=X', 'X\nc\n'],
    ['a\nb', '2>c', 'a\nb\nc'],
    ['a\nb\n', '2>c', 'a\nb\nc\n'],
    ['a\nb\n', '1<x', 'x\na\nb\n'],
    ['a\nb\n', '1>', 'a\nb\n'],
    ['a\r\nb\r\n', '1>x|y', 'a\r\nx\r\ny\r\nb\r\n'],
    // All tags are those of the text before the call, and the order of the list is kept.
    ['a\nb\n', '1>x 1>y', 'a\nx\ny\nb\n'],
    ['a\nb\n', '2<x 2<y', 'a\nx\ny\nb\n'],
    ['a\nb\n', '2<q 1>p', 'a\np\nq\nb\n'],
    ['a\nb\n', '1=A 1>x 1<w', 'w\nA\nx\nb\n'],
    ['a\nb\nc\nd\n', '2-3=X 3>after 2<before', 'a\nbefore\nX\nafter\nd\n'],
    ['a\nb\nc\nd\n', '4=D 1=A', 'A\nb\nc\nD\n'],
    ['', '1>a|b', 'a\nb\n'],
    ['', '1=a', 'a\n'],
    ['', '1<a 1>b', 'b\na\n'],
    ['\n', '1=a', 'a\n'],
    ['a\fb\x85c\u2028d\n', '1>x', 'a\fb\x85c\u2028d\nx\n'],
  ]
  it.each(rows)('%j with %s is %j', (before, edits, after) => {
    expect(apply(before, edits)).toBe(after)
  })

  it.each([
    ['1-2=X 2=Y', 'Edits 1 and 2 are about the same lines'],
    ['2=X 2=Y', 'Edits 1 and 2 are about the same lines'],
    ['1-3=X 2>y', 'Edits 1 and 2 are about the same lines'],
    ['1-3=X 1>y', 'Edits 1 and 2 are about the same lines'],
    ['3<y 1-3=X', 'Edits 2 and 1 are about the same lines'],
    ['3-1=X', 'end line 1 before start line 3'],
    ['5=X', 'Line 5 out of range (file has 4 lines)'],
    ['1-5=X', 'Line 5 out of range (file has 4 lines)'],
  ])('%s is refused', (edits, message) => {
    expect(apply('a\nb\nc\nd\n', edits)).toContain(message)
  })

  it('a tag of another line is refused with the one that is there', () => {
    const parsed = parseEdits([{ op: 'replace', pos: '2#ffff', lines: ['B'] }])
    expect(parsed.kind === 'edits' ? placeEdits(parsed.edits, ['a', 'b']) : parsed).toEqual({
      kind: 'mismatch',
      tag: { lineNumber: 2, id: 'ffff' },
      actualId: 'c041',
    })
  })
})

describe('edits_json', () => {
  const pos = '1#2c11'
  it.each([
    ['nope', 'not JSON'],
    ['', 'not JSON'],
    ['{}', 'must be a JSON array'],
    ['null', 'must be a JSON array'],
    [5, 'must be a JSON array'],
    [undefined, 'must be a JSON array'],
    [[3], 'must be an object'],
    [[null], 'must be an object'],
    [[{ pos, lines: [] }], 'Unsupported edit operation: undefined'],
    [[{ op: 'remove', pos }], 'Unsupported edit operation: remove'],
    [[{ op: 'delete', pos, lines: ['x'] }], 'not with delete'],
    [[{ op: 'replace', lines: [] }], '"pos" must be a LINE#ID'],
    [[{ op: 'replace', pos: 1, lines: [] }], '"pos" must be a LINE#ID'],
    [[{ op: 'replace', pos, end: 3, lines: [] }], '"end" must be a LINE#ID'],
    [[{ op: 'append', pos, end: pos, lines: [] }], '"end" is only allowed with replace'],
    [[{ op: 'replace', pos, lines: 3 }], '"lines" must be an array'],
    [[{ op: 'replace', pos, lines: [3] }], '"lines" must contain only texts'],
    [[{ op: 'replace', pos, lines: ['a\rb'] }], 'carriage return'],
    [[{ op: 'replace', pos, lines: ['\ud800'] }], 'surrogate'],
    [[{ op: 'replace', pos, new_lines: [] }], 'unknown fields: new_lines'],
    [[{ op: 'replace', pos: '0#abcd', lines: [] }], 'Line numbers are 1-based in LINE#ID format: 0#abcd'],
    [[{ op: 'append', pos, lines: ['x'] }, 3], 'Edit 2'],
  ])('%j is refused', (given, message) => {
    expect(parseEdits(given)).toEqual({ kind: 'refused', message: expect.stringContaining(message) })
  })

  it.each([
    [['a', 'b'], ['a', 'b'], false],
    [['a\nb'], ['a', 'b'], false],
    [['a\r\nb'], ['a', 'b'], false],
    [['a\n', 'b\n'], ['a', 'b'], true],
    [['a\n\n'], ['a', ''], true],
    ['a\nb', ['a', 'b'], true],
    [null, [], false],
    [undefined, [], false],
    [[''], [''], false],
  ])('lines %j are %j', (given, lines, isNoted) => {
    const parsed = parseEdits([{ op: 'append', pos, lines: given }])
    expect(parsed).toMatchObject({ kind: 'edits', edits: [{ lines }] })
    expect(parsed.kind === 'edits' && parsed.notes.length > 0).toBe(isNoted)
  })

  it('is the same as a text and as an array', () => {
    const edits = [{ op: 'replace', pos, end: null, lines: ['x'] }]
    expect(parseEdits(JSON.stringify(edits))).toEqual(parseEdits(edits))
    expect(parseEdits(edits)).toMatchObject({ edits: [{ op: 'replace', pos: { lineNumber: 1, id: '2c11' }, end: undefined }] })
  })
})
