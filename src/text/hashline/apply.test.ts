import { describe, expect, it } from 'vitest'
import { ToolError } from '../../core/errors.ts'
import { documentOf, textOf } from '../../core/text.ts'
import { applyHunks, type AppliedEdit } from './apply.ts'
import type { BlockResolver } from './blocks.ts'
import type { Hunk } from './hunk.ts'
import { parseScript } from './parse.ts'
import { createRandom } from '../../testing/random.ts'

const hunksOf = (script: string): readonly Hunk[] => parseScript(`[f#0000]\n${script}`).sections[0]?.hunks ?? []
const apply = (text: string, script: string, resolveBlock?: BlockResolver): AppliedEdit =>
  applyHunks(documentOf(text), hunksOf(script), { resolveBlock })

const five = 'one\ntwo\nthree\nfour\nfive\n'

describe('operations refer to original lines and touch nothing else', () => {
  // script, before, after, first changed line
  it.each<[string, string, string, number?]>([
    ['replace 2..3:\n+A\n+B\n+C', five, 'one\nA\nB\nC\nfour\nfive\n', 2],
    ['replace 2..4:\n+X', five, 'one\nX\nfive\n', 2],
    ['delete 2..3', five, 'one\nfour\nfive\n', 2],
    ['insert after 2:\n+ins', five, 'one\ntwo\nins\nthree\nfour\nfive\n', 3],
    ['insert head:\n+ins', five, `ins\n${five}`, 1],
    ['insert tail:\n+ins', five, `${five}ins\n`, 6],
    ['insert tail:\n+b', 'a', 'a\nb', 1],
    ['insert before 2:\n+b\ninsert after 2:\n+a', five, 'one\nb\ntwo\na\nthree\nfour\nfive\n', 2],
    ['insert before 2:\n+b\ndelete 2\ninsert after 2:\n+a', five, 'one\nb\na\nthree\nfour\nfive\n', 2],
    ['insert after 2:\n+1\ninsert after 2:\n+2\ninsert before 3:\n+3', five, 'one\ntwo\n1\n2\n3\nthree\nfour\nfive\n', 3],
    ['delete 5\nreplace 1:\n+1', five, '1\ntwo\nthree\nfour\n', 1],
    ['replace 1..5:\n+x\ninsert before 3:\n+y', five, 'x\ny\n', 1],
    ['insert head:\n+h\ninsert before 1:\n+b', five, `h\nb\n${five}`, 1],
    ['delete 5', five, 'one\ntwo\nthree\nfour\n', 4],
    ['replace 2:\n+two', five, five],
  ])('%j on %j', (script, before, after, firstChangedLine) => {
    const applied = apply(before, script)
    expect(textOf(applied.document)).toBe(after)
    expect(applied).toMatchObject({ firstChangedLine, changed: before !== after, warnings: [], blockResolutions: [] })
  })
})

describe('ends of files', () => {
  it.each<[string, string, string]>([
    ['insert before 3:\n+c', 'a\nb\n', 'a\nb\nc\n'],
    ['insert after 3:\n+c', 'a\nb\n', 'a\nb\nc\n'],
    ['insert after 3:\n+2\ninsert before 3:\n+1', 'a\nb\n', 'a\nb\n1\n2\n'],
    ['delete 2..3', 'a\nb\n', 'a\n'],
    ['delete 3', 'a\nb\n', 'a\nb\n'],
    ['replace 2..3:\n+B', 'a\nb\n', 'a\nB\n'],
    ['replace 3:\n+c', 'a\nb\n', 'a\nb\nc\n'],
    ['delete 1..2', 'a\nb\n', ''],
    ['delete 1..3', 'a\nb\n', ''],
    ['delete 1..2', 'a\nb', ''],
    ['delete 2', 'a\nb', 'a'],
    ['delete 1', '\n', ''],
    ['replace 2:\n+B', 'a\nb', 'a\nB'],
    ['insert after 2:\n+c', 'a\nb', 'a\nb\nc'],
    ['insert tail:\n+', 'a', 'a\n'],
    ['insert head:\n+b', '', 'b'],
    ['insert tail:\n+b\n+c', '', 'b\nc'],
    ['insert before 1:\n+b', '', 'b'],
    ['insert after 1:\n+b', '', 'b'],
    ['replace 1:\n+b', '', 'b'],
    ['insert head:\n+b', '\uFEFF', '\uFEFFb'],
    ['insert head:\n+b', 'a', 'b\na'],
  ])('%j on %j', (script, before, after) => {
    expect(textOf(apply(before, script).document)).toBe(after)
  })
})

describe('line endings and BOM', () => {
  it.each<[string, string, string]>([
    ['insert tail:\n+x', '\uFEFFone\r\ntwo\r\n', '\uFEFFone\r\ntwo\r\nx\r\n'],
    ['replace 2:\n+TWO', '\uFEFFone\ntwo', '\uFEFFone\nTWO'],
    ['insert after 1:\n+x', 'a\nb\r\nc\r\n', 'a\nx\nb\r\nc\r\n'],
    ['insert after 2:\n+x', 'a\nb\r\nc\n', 'a\nb\r\nx\r\nc\n'],
    ['insert head:\n+x', 'a\r\nb\n', 'x\r\na\r\nb\n'],
    ['replace 1..3:\n+x\n+y\n+z\n+w', 'a\nb\r\nc\rd', 'x\ny\r\nz\rw\rd'],
    ['insert tail:\n+x', 'a\r\nb', 'a\r\nb\r\nx'],
    ['insert tail:\n+x', 'a\rb', 'a\rb\rx'],
    ['delete 2', 'a\r\nb', 'a'],
    ['delete 1..2\ninsert tail:\n+x', 'a\r\nb\r\n', 'x\r\n'],
    // "\r" + "" + "\n" would be one CRLF.
    ['delete 2', 'a\rb\n\nc\n', 'a\r\r\nc\n'],
    ['insert after 1:\n+x', 'a\r\nb\n', 'a\r\nx\r\nb\n'],
    ['replace 2:\n+x', 'a\nb\r\n\nc\n', 'a\nx\r\n\nc\n'],
    ['insert after 1:\n+', 'a\rb\n', 'a\r\rb\n'],
  ])('%j on %j', (script, before, after) => {
    expect(textOf(apply(before, script).document)).toBe(after)
  })
})

describe('refusals', () => {
  it.each<[string, string, string, Record<string, unknown>]>([
    ['delete 99', five, 'edit-line-out-of-range', { scriptLine: 2, line: 99, totalLines: 5 }],
    ['delete 7', five, 'edit-line-out-of-range', { line: 7, totalLines: 5 }],
    ['delete 4..7', five, 'edit-line-out-of-range', { line: 7 }],
    ['insert after 3:\n+x', 'a\nb', 'edit-line-out-of-range', { line: 3, totalLines: 2 }],
    ['insert after 2:\n+x', '', 'edit-line-out-of-range', { line: 2, totalLines: 0 }],
    ['replace 1..3:\n+A\nreplace 3..4:\n+B', five, 'edit-overlap', { scriptLine: 4, otherScriptLine: 2, line: 3 }],
    ['replace 3..4:\n+A\nreplace 1..3:\n+B', five, 'edit-overlap', { scriptLine: 4, otherScriptLine: 2, line: 3 }],
    ['replace 2:\n+A\nreplace 2:\n+B', five, 'edit-overlap', { line: 2 }],
    ['delete 1..5\ndelete 3', five, 'edit-overlap', { line: 3 }],
    ['replace block 1:\n+x', five, 'edit-blocks-unavailable', { scriptLine: 2, line: 1 }],
    ['delete block 1', five, 'edit-blocks-unavailable', { line: 1 }],
    ['insert after block 1:\n+x', five, 'edit-blocks-unavailable', { line: 1 }],
  ])('%j on %j', (script, text, code, details) => {
    expect(() => apply(text, script)).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining(details), nextStep: expect.any(String) }),
    )
  })
})

describe('blocks, where a resolver answers', () => {
  const twoToFour: BlockResolver = (_, lineNumber) => (lineNumber === 2 ? { start: 2, end: 4 } : undefined)
  it.each<[string, string, number]>([
    ['replace block 2:\n+X', 'one\nX\nfive\n', 0],
    ['delete block 2', 'one\nfive\n', 0],
    ['insert after block 2:\n+X', 'one\ntwo\nthree\nfour\nX\nfive\n', 0],
    ['insert after block 3:\n+X', 'one\ntwo\nthree\nX\nfour\nfive\n', 1],
  ])('%j', (script, after, warnings) => {
    const applied = apply(five, script, twoToFour)
    expect(textOf(applied.document)).toBe(after)
    expect(applied.warnings).toHaveLength(warnings)
    expect(applied.blockResolutions).toHaveLength(1 - warnings)
  })

  it.each([
    ['replace block 2:\n+X\ndelete 4', 'edit-overlap'],
    ['replace block 3:\n+X', 'edit-block-unresolved'],
    ['delete block 6', 'edit-block-unresolved'],
  ])('%j is refused', (script, code) => {
    expect(() => apply(five, script, twoToFour)).toThrow(expect.objectContaining({ code }))
  })

  it('a resolver that answers beside the question is a bug, not a refusal', () => {
    expect(() => apply(five, 'delete block 2', () => ({ start: 1, end: 9 }))).toThrow(
      expect.not.objectContaining({ name: ToolError.name }),
    )
  })
})

describe('random hunks do what a naive model of lines does', () => {
  it.each(Array.from({ length: 500 }, (_, seed) => seed + 1))('seed %i', seed => {
    const { below: next } = createRandom(seed)
    const lineCount = next(9)
    const isTerminated = next(2) === 0
    const text =
      Array.from({ length: lineCount }, (_, index) => (next(5) === 0 ? '' : `l${index}`)).join('\n') +
      (isTerminated && lineCount > 0 ? '\n' : '')
    // The model: an array of pieces between newlines; every slot contains the text before, instead of and after a piece.
    const pieces = text.split('\n')
    const hasPhantom = pieces.at(-1) === ''
    const slots = pieces.map(piece => ({ before: [] as string[], lines: [piece], after: [] as string[] }))
    const phantomIndex = hasPhantom ? pieces.length - 1 : -1
    if (phantomIndex !== -1) Object.assign(slots[phantomIndex] ?? {}, { lines: [] })
    const hunks: Hunk[] = []
    let free = 1
    for (let count = next(6); count > 0; count--) {
      const rows = Array.from({ length: 1 + next(3) }, () => `r${seed}-${next(100)}`)
      const kind = next(6)
      if (kind < 2) {
        const start = free + next(3)
        const end = start + next(3)
        if (end > pieces.length) continue
        free = end + 1
        const isDelete = kind === 0
        hunks.push(
          isDelete ? { kind: 'delete', start, end, scriptLine: 1 } : { kind: 'replace', start, end, rows, scriptLine: 1 },
        )
        for (let line = start; line <= end; line++)
          Object.assign(slots[line - 1] ?? {}, { lines: line === start && !isDelete ? rows : [] })
      } else {
        const line = 1 + next(pieces.length)
        const place = (['before', 'after', 'head', 'tail'] as const)[kind - 2] ?? 'head'
        hunks.push({
          kind: 'insert',
          at: place === 'before' || place === 'after' ? { place, line } : { place },
          rows,
          scriptLine: 1,
        })
        if (place === 'before') slots[line - 1]?.before.push(...rows)
        else if (place === 'after') slots[line - 1]?.after.push(...rows)
        else if (place === 'head') slots[0]?.before.push(...rows)
        else if (hasPhantom) slots.at(-1)?.before.push(...rows)
        else slots.at(-1)?.after.push(...rows)
      }
    }
    const model = slots.flatMap(slot => [...slot.before, ...slot.lines, ...slot.after])
    const expected = model.join('\n') + (hasPhantom && text !== '' && model.length > 0 ? '\n' : '')
    const applied = applyHunks(documentOf(text), hunks)
    expect({ text, hunks, result: textOf(applied.document) }).toEqual({ text, hunks, result: expected })
    expect(documentOf(expected)).toEqual(applied.document)
    const withOtherEndings = applyHunks(documentOf(text.replaceAll('\n', '\r\n')), hunks)
    // A text without any line ending gets the default.
    expect(textOf(withOtherEndings.document)).toBe(text.includes('\n') ? expected.replaceAll('\n', '\r\n') : expected)
  })
})

describe('what is written reads back as the same document, whatever the endings', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed + 1))('seed %i', seed => {
    const { below: next } = createRandom(seed)
    const parts = ['\n', '\r\n', '\r', 'a', 'b', '\uFEFF', '']
    const document = documentOf(Array.from({ length: next(14) }, () => parts[next(parts.length)]).join(''))
    const last = document.lines.length
    const hunks: Hunk[] = []
    if (last > 0 && next(3) > 0) {
      const start = 1 + next(last)
      hunks.push({ kind: 'delete', start, end: start + next(last - start + 1), scriptLine: 1 })
    }
    if (next(3) > 0)
      hunks.push({
        kind: 'insert',
        at: { place: 'before', line: 1 + next(Math.max(last, 1)) },
        rows: [['', 'x', '\uFEFFy'][next(3)] ?? ''],
        scriptLine: 1,
      })
    const { document: edited } = applyHunks(document, hunks)
    expect({ document, hunks, edited }).toEqual({ document, hunks, edited: documentOf(textOf(edited)) })
  })
})
