import { describe, expect, it } from 'vitest'
import { ToolError } from '../../core/errors.ts'
import { formatOperation, type Hunk, type HashlineScript } from './hunk.ts'
import { parseScript } from './parse.ts'
import { createRandom } from '../../testing/random.ts'

/** `path#TAG: operation {row|row}; operation` for each section, which is enough to distinguish any two scripts. */
function summary({ sections }: HashlineScript): string {
  const hunk = (one: Hunk): string => formatOperation(one) + ('rows' in one ? ` {${one.rows.join('|')}}` : '')
  return sections.map(({ path, tag, hunks }) => `${path}#${tag} ${hunks.map(hunk).join('; ')}`).join(' & ')
}

const inFile = (script: string): string => `[f#00AA]\n${script}`

function refusal(script: string): { code: string; scriptLine: unknown; text: string } {
  try {
    parseScript(script)
  } catch (error) {
    if (error instanceof ToolError)
      return { code: error.code, scriptLine: error.details['scriptLine'], text: `${error.message} ${error.nextStep}` }
    throw error
  }
  throw new Error('the script was accepted')
}

describe('operations, strict and lenient', () => {
  it.each([
    ['replace 2..3:\n+A\n+B', 'replace 2..3: {A|B}'],
    ['replace 2:\n+A', 'replace 2..2: {A}'],
    ['replace 2\n+A', 'replace 2..2: {A}'],
    ['replace 2-3:\n+A', 'replace 2..3: {A}'],
    ['replace 2 3:\n+A', 'replace 2..3: {A}'],
    ['replace 2…3:\n+A', 'replace 2..3: {A}'],
    ['replace 2 .. 3 :\n+A', 'replace 2..3: {A}'],
    ['  replace 2..3:\n+A', 'replace 2..3: {A}'],
    ['delete 2..3', 'delete 2..3'],
    ['delete 2-3', 'delete 2..3'],
    ['delete 2\ndelete 4', 'delete 2..2; delete 4..4'],
    ['insert before 2:\n+A', 'insert before 2: {A}'],
    ['insert after 2\n+A', 'insert after 2: {A}'],
    ['insert head:\n+A', 'insert head: {A}'],
    ['insert tail\n+A', 'insert tail: {A}'],
    ['replace block 2:\n+A', 'replace block 2: {A}'],
    ['delete block 2', 'delete block 2'],
    ['insert after block 2:\n+A', 'insert after block 2: {A}'],
    ['# why\n\nreplace 1:\n+A', 'replace 1..1: {A}'],
    ['replace 1..100000:\n+A', 'replace 1..100000: {A}'],
  ])('%j', (script, expected) => {
    expect(summary(parseScript(inFile(script)))).toBe(`f#00AA ${expected}`)
  })
})

describe('body rows', () => {
  // script, rows, warnings
  it.each<[string, string, number?]>([
    ['+a\n+\n+b', 'a||b'],
    ['++x\n+-y', '+x|-y'],
    ['+[a#1234]', '[a#1234]'],
    ['+replace 1..2:', 'replace 1..2:'],
    ['\n\n+A\n\n', 'A'],
    ['+A\nB', 'A|B', 1],
    ['A\n\n  B  ', 'A||  B  ', 1],
    ['+A\n\n+B', 'A||B', 1],
    ['# heading', '# heading', 1],
    ['2:TWO x\n3:THREE y', 'TWO x|THREE y', 2],
    ['*2:TWO x\n 3:THREE y\n>> 4:z', 'TWO x|THREE y|z', 2],
    ['2:\n3:x', '|x', 2],
    ['42:hello\nplain', '42:hello|plain', 1],
    ['+42:hello\n43:x', '42:hello|x', 2],
    ['1: "one",\n2: "two",', '1: "one",|2: "two",', 1],
    ["1: 'one'\n2: -3.5", "1: 'one'|2: -3.5", 1],
    ['2024-01-02', '2024-01-02', 1],
    // Rows that begin with a bracket stay rows if they can have no other meaning.
    ['[package]\nname = "x"\n[deps]\na = 1', '[package]|name = "x"|[deps]|a = 1', 1],
    ['[1, 2,\n3]', '[1, 2,|3]', 1],
    ['+a\n[b]', 'a|[b]', 1],
    ['+a\n[b]\n+c', 'a|[b]|c', 1],
    ['[b]\n\ndelete 9', '[b]', 1],
    ['[link](url)', '[link](url)', 1],
  ])('%j', (body, rows, warnings = 0) => {
    const [section] = parseScript(inFile(`replace 2..3:\n${body}`)).sections
    const [hunk] = section?.hunks ?? []
    expect(hunk !== undefined && 'rows' in hunk && hunk.rows.join('|')).toBe(rows)
    expect(section?.warnings).toHaveLength(warnings)
  })
})

describe('envelopes and what lies after them', () => {
  it.each<[string, string, number?]>([
    ['*** Begin Patch\n[f#00AA]\ndelete 1\n*** End Patch', 'f#00AA delete 1..1'],
    ['\uFEFF\n[f#00AA]\r\nreplace 1:\r\n+x\r\n', 'f#00AA replace 1..1: {x}'],
    ['[f#00AA]\ndelete 1\n*** Abort\ndelete 2', 'f#00AA delete 1..1', 1],
    ['[f#00AA]\ndelete 1\n*** Abort  \ngarbage @@ -', 'f#00AA delete 1..1', 1],
    ['[f#00AA]\ndelete 1\n*** End Patch\n\n', 'f#00AA delete 1..1'],
    ['[f#00AA]\ninsert tail:\n+a\n*** Begin Patch\n+b', 'f#00AA insert tail: {a|b}', 1],
  ])('%j', (script, expected, warnings = 0) => {
    const parsed = parseScript(script)
    expect(summary(parsed)).toBe(expected)
    expect(parsed.warnings).toHaveLength(warnings)
  })
})

describe('headers and sections', () => {
  it.each<[string, string, number?]>([
    ['[f#00aa]   \ndelete 1', 'f#00AA delete 1..1'],
    ['[*** Update File:f#00AA]\ndelete 1', 'f#00AA delete 1..1'],
    ['[Add File: f#00AA]\ndelete 1', 'f#00AA delete 1..1'],
    ['[*** f#00AA]\ndelete 1', 'f#00AA delete 1..1'],
    ['["my file"#00AA]\ndelete 1', 'my file#00AA delete 1..1'],
    ['[/abs/a b.txt#00AA]\ndelete 1', '/abs/a b.txt#00AA delete 1..1'],
    ['[app/[id]/page.tsx#00AA]\ndelete 1', 'app/[id]/page.tsx#00AA delete 1..1'],
    ['[c#/a#b#00AA]\ndelete 1', 'c#/a#b#00AA delete 1..1'],
    ['[f#00AA]\ndelete 1\n\n[g#00BB]\ndelete 2', 'f#00AA delete 1..1 & g#00BB delete 2..2'],
    ['[f#00AA]\ndelete 1\n[g#00BB]\ndelete 2\n[f#00AA]\ndelete 3', 'f#00AA delete 1..1; delete 3..3 & g#00BB delete 2..2'],
    ['[f#00AA]\nreplace 1:\n+x\n[f]\ndelete 3', 'f#00AA replace 1..1: {x}; delete 3..3'],
    ['[f]\nreplace 1:\n+x\n[f#00AA]\ndelete 3', 'f#00AA replace 1..1: {x}; delete 3..3'],
    ['[f#00AA]\n[g#00BB]\ndelete 2', 'g#00BB delete 2..2', 1],
    // A sentence among sentences, and code, are text that lost its mark.
    [
      '[f#00AA]\ninsert head:\n+It has two lines here.\nThis is the other one.',
      'f#00AA insert head: {It has two lines here.|This is the other one.}',
    ],
    ['[f#00AA]\ninsert head:\n+a()\nb()', 'f#00AA insert head: {a()|b()}'],
    ['[f#00AA]\ndelete 1\n[g#00BB]', 'f#00AA delete 1..1', 1],
  ])('%j', (script, expected, warnings = 0) => {
    const parsed = parseScript(script)
    expect(summary(parsed)).toBe(expected)
    expect(parsed.warnings).toHaveLength(warnings)
  })

  it('sections and hunks know their line of the whole script', () => {
    const { sections } = parseScript('\n[f#00AA]\ndelete 1\n\n[g#00BB]\n\ninsert tail:\n+x\n[f#00AA]\ndelete 3')
    expect(sections.map(section => [section.scriptLine, section.hunks.map(hunk => hunk.scriptLine)])).toEqual([
      [2, [3, 10]],
      [5, [7]],
    ])
  })
})

describe('refusals have a code, a line and a next step', () => {
  it.each<[string, string, number | undefined, string?]>([
    ['   ', 'edit-empty-input', undefined],
    ['[f#00AA]\n\n', 'edit-empty-script', undefined],
    ['*** Abort', 'edit-empty-script', undefined],
    ['\nreplace 1:\n+x', 'edit-missing-header', 2],
    ['hello', 'edit-missing-header', 1],
    ['+x', 'edit-missing-header', 1],
    ['f.txt#1A2B\ndelete 1', 'edit-missing-header', 1, '[f.txt#1A2B]'],
    ['  [f#1A2B]\ndelete 1', 'edit-missing-header', 1, '[f#1A2B]'],
    ['@@ -1,1 +1,1 @@', 'edit-foreign-syntax', 1],
    ['[f#00AA\ndelete 1', 'edit-bad-header', 1],
    ['[]\ndelete 1', 'edit-bad-header', 1],
    ['[""#00AA]\ndelete 1', 'edit-bad-header', 1],
    ['[f.txt]\ndelete 1', 'edit-missing-tag', 1],
    ['[f.txt#XYZ1]\ndelete 1', 'edit-missing-tag', 1, '#XYZ1'],
    ['[f#00AA]\ndelete 1\n[g]\ndelete 2', 'edit-missing-tag', 3],
    ['[f#00AA]\ndelete 1\n[f#0001]\ndelete 3', 'edit-conflicting-tags', 3, '#0001'],
  ])('%j', (script, code, scriptLine, hint = '') => {
    const refused = refusal(script)
    expect(refused).toMatchObject({ code, scriptLine })
    expect(refused.text).toContain(hint)
  })

  it.each<[string, string, number, string?]>([
    ['+orphan', 'edit-no-operation', 2],
    ['orphan text', 'edit-no-operation', 2],
    ['# only a comment', 'edit-no-operation', 2],
    ['insert head:', 'edit-empty-body', 2],
    ['replace 1..2:', 'edit-empty-body', 2, 'delete 1..2'],
    ['replace 1..2:\n\n\ndelete 4', 'edit-empty-body', 2, 'start it with +'],
    ['replace block 1:', 'edit-empty-body', 2, 'delete block 1'],
    ['replace 1:\n[x#1234]\ndelete 2', 'edit-empty-body', 2],
    ['replace 1:\n*** Abort', 'edit-empty-body', 2],
    ['*** Update File: f.txt', 'edit-foreign-syntax', 2],
    ['*** Add File: g.txt\n+x', 'edit-foreign-syntax', 2],
    ['replace 1:\n+x\n*** Delete File: g.txt', 'edit-foreign-syntax', 4],
    ['replace 1:\n+x\n*** Move to: g.txt', 'edit-foreign-syntax', 4],
    ['@@ -1,1 +1,1 @@', 'edit-foreign-syntax', 2],
    ['@@ function f', 'edit-foreign-syntax', 2],
    ['2\n+X', 'edit-bare-range', 2, 'replace 2..2:'],
    ['1..2:\n+ONE', 'edit-bare-range', 2, 'delete 1..2'],
    ['1 2', 'edit-bare-range', 2],
    ['1-2', 'edit-bare-range', 2],
    ['replace 1:\n42', 'edit-bare-range', 3, '"+42"'],
    ['delete 1..1:\n+ONE', 'edit-delete-body', 3, 'replace 1..1:'],
    ['replace 1..1:\n+A\n```', 'edit-fence', 4, '+```'],
    ['replace 1..1:\n  +A', 'edit-indented-row', 3, '+A'],
    ['replace 1..1:\n+call()\nThis now works as expected.', 'edit-trailing-text', 4, '+This now'],
    ['replace 1..1:\n+A\n\nThat is all.', 'edit-trailing-text', 5, '+That is all.'],
    ['delete 1..1\n+ONE', 'edit-delete-body', 3, 'replace 1..1:'],
    ['delete block 1\nONE', 'edit-delete-body', 3, 'replace block 1:'],
    ['replace 1:\n- item', 'edit-minus-row', 3, '"+- item"'],
    ['replace 1:\n  -1', 'edit-minus-row', 3],
    ['replace 3..2:\n+X', 'edit-reversed-range', 2],
    ['replace 1..100001:\n+X', 'edit-range-too-large', 2],
    ['delete 1..100001', 'edit-range-too-large', 2],
    ['delete 99999999999999999999', 'edit-unsafe-number', 2],
    ['Replace 2..2:\n+TWO', 'edit-syntax', 2, 'replace 2..2:'],
    ['replace 1:\n+ONE\nReplace 2..2:\n+TWO', 'edit-syntax', 4, 'replace 2..2:'],
    ['replace 1..1: ONE', 'edit-syntax', 2, 'replace 1..1:\n+ONE'],
    ['insert after 1: +x', 'edit-syntax', 2, 'insert after 1:\n+x'],
    ['replace 0..0:\n+x', 'edit-syntax', 2],
    ['replace 2...3:\n+x', 'edit-syntax', 2],
    ['insert 3:\n+x', 'edit-syntax', 2, 'insert after 3:'],
    ['replace lines 2 to 3:\n+x', 'edit-syntax', 2, 'replace 2..3:'],
    // A line with a bracket that can be read in both ways.
    ['replace 1:\n+a\n[b]\ndelete 5', 'edit-ambiguous-row', 4, '"+[b]"'],
    ['replace 1:\na\n[b.txt#12G4]\n\n# x\ndelete 5', 'edit-ambiguous-row', 4],
    ['replace 1:\n+a\n[b.txt#1A2B\ndelete 5', 'edit-ambiguous-row', 4],
    ['insert tail:\n[b.txt#12G4]\ndelete 5', 'edit-ambiguous-row', 3],
    ['replace 1:\n+a\n[f]', 'edit-ambiguous-row', 4],
    ['replace 1:\n[f]\ndelete 2', 'edit-ambiguous-row', 3],
    ['replace 1:\n+a\n[x#1234]', 'edit-ambiguous-row', 4],
    ['replace 1:\n+a\n [x#1234]\ndelete 4', 'edit-ambiguous-row', 4],
    ['replace 1:\n+a\rb', 'edit-syntax', 3],
    ['replace 1:\n+a\0b', 'edit-syntax', 3],
    ['replace 1:\n+a\uD800', 'edit-syntax', 3],
  ])('%j', (script, code, scriptLine, hint = '') => {
    const refused = refusal(inFile(script))
    expect(refused).toMatchObject({ code, scriptLine })
    expect(refused.text).toContain(hint)
  })
})

describe('a script made of random hunks reads back as those hunks', () => {
  it.each(Array.from({ length: 100 }, (_, seed) => seed + 1))('seed %i', seed => {
    const { below: next } = createRandom(seed)
    const texts = ['', 'a', '[b#1234]', 'delete 3', '- x', '+y', '*** Abort', '  z', '42', '@@', '1:x', '# c']
    const rows = (): string[] => Array.from({ length: 1 + next(3) }, () => texts[next(texts.length)] ?? '')
    let scriptLine = 1
    const script: string[] = ['[f#00AA]']
    const hunks = Array.from({ length: 1 + next(4) }, (): Hunk => {
      const line = 1 + next(50)
      const at = { scriptLine: scriptLine + 1 }
      const kind = next(6)
      const hunk: Hunk =
        kind === 0
          ? { kind: 'delete', start: line, end: line + next(4), ...at }
          : kind === 1
            ? { kind: 'delete-block', line, ...at }
            : kind === 2
              ? { kind: 'insert', at: next(2) === 0 ? { place: 'before', line } : { place: 'tail' }, rows: rows(), ...at }
              : kind === 3
                ? { kind: 'replace-block', line, rows: rows(), ...at }
                : kind === 4
                  ? { kind: 'insert-after-block', line, rows: rows(), ...at }
                  : { kind: 'replace', start: line, end: line + next(4), rows: rows(), ...at }
      const body = 'rows' in hunk ? hunk.rows : []
      script.push(formatOperation(hunk), ...body.map(row => `+${row}`))
      scriptLine += 1 + body.length
      return hunk
    })
    const parsed = parseScript(script.join('\n'))
    expect(parsed).toEqual({ sections: [{ path: 'f', tag: '00AA', hunks, scriptLine: 1, warnings: [] }], warnings: [] })
  })
})

it('long and hostile scripts are read in linear time', () => {
  // Quadratic time would exceed the test's time limit.
  parseScript(inFile(`insert tail:\n${'[x\n\n'.repeat(20_000)}`))
  parseScript(inFile(`insert tail:\n+x\n${' '.repeat(1_000_000)}x: 1\nreplace 1..2${' '.repeat(1_000_000)}x`))
  expect(() => parseScript(inFile('# c\n'.repeat(20_000)))).toThrow(ToolError)
})
