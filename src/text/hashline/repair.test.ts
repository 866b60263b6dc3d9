import { describe, expect, it } from 'vitest'
import { documentOf, textOf } from '../../core/text.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { loadSyntaxCheck } from '../blocks/resolve.ts'
import { isBalanced } from '../brackets.ts'
import { applyHunks, type AppliedEdit } from './apply.ts'
import type { Hunk } from './hunk.ts'
import { parseScript } from './parse.ts'
import type { SyntaxCheck } from './repair.ts'

const hunksOf = (script: string): readonly Hunk[] => parseScript(`[f#0000]\n${script}`).sections[0]?.hunks ?? []
const apply = (text: string, script: string, options: { repairs?: boolean; isWhole?: SyntaxCheck } = {}): AppliedEdit =>
  applyHunks(documentOf(text), hunksOf(script), options)

const f = 'function a() {\n  const x = 1;\n  return x;\n}\n'
const call = 'foo(() => {\n  a();\n});\nend();\n'
const two = 'f({\n  a\n})\ng({\n  b\n})\n'

describe('a slip at the edge of a range is mended, and said', () => {
  // rule, before, script, after, part of the warning
  it.each<[string, string, string, string, string]>([
    [
      'both sides restated',
      f,
      'replace 2:\n+function a() {\n+  const x = 2;\n+  return x;',
      f.replace('1', '2'),
      'first row and last row',
    ],
    ['closer restated', call, 'replace 2:\n+  b();\n+});', call.replace('a()', 'b()'), 'lines below'],
    ['opener restated', call, 'replace 2:\n+foo(() => {\n+  b();', call.replace('a()', 'b()'), 'lines above'],
    ['closer forgotten', call, 'replace 2..3:\n+  b();', call.replace('a()', 'b()'), 'were kept|was kept'],
    ['two closers forgotten', 'f([\n  a\n]\n)\n', 'replace 2..4:\n+  b', 'f([\n  b\n]\n)\n', '2 lines'],
    [
      'two hunks, the same slip',
      two,
      'replace 2:\n+  x\n+})\nreplace 5:\n+  y\n+})',
      'f({\n  x\n})\ng({\n  y\n})\n',
      'lines below',
    ],
    [
      'CRLF stays',
      call.replaceAll('\n', '\r\n'),
      'replace 2..3:\n+  b();',
      call.replace('a()', 'b()').replaceAll('\n', '\r\n'),
      'kept',
    ],
  ])('%s', (_, before, script, after, part) => {
    const applied = apply(before, script)
    expect(textOf(applied.document)).toBe(after)
    expect(applied.warnings.join('\n')).toMatch(new RegExp(part))
    const literal = apply(before, script, { repairs: false })
    expect(textOf(literal.document)).not.toBe(after)
    expect(literal.warnings).toEqual([])
  })
})

describe('what may be meant as written stays as written', () => {
  // rule, before, script, after, number of warnings
  it.each<[string, string, string, string, number]>([
    ['balanced', 'f() {\n  1\n}\n', 'replace 1..3:\n+f() {\n+  2\n+}', 'f() {\n  2\n}\n', 0],
    ['restated text without brackets', 'a\nb\nc\n', 'replace 2:\n+a\n+x\n+c', 'a\na\nx\nc\nc\n', 1],
    ['the file was broken before', 'f({\n  a\n})\n}\n', 'replace 2:\n+  b\n+})', 'f({\n  b\n})\n})\n}\n', 0],
    ['no correction balances it', 'f({\n  a\n})\n', 'replace 2:\n+  b(', 'f({\n  b(\n})\n', 1],
    ['another hunk balances it', two, 'replace 2:\n+  x\n+})\nreplace 4..5:\n+  b', 'f({\n  x\n})\n})\n  b\n})\n', 1],
    ['both hunks together are right', 'a\nb\n', 'replace 1:\n+f({\nreplace 2:\n+})', 'f({\n})\n', 0],
    ['brackets in strings', 'a\n")"\n', 'replace 1:\n+b\n+")"', 'b\n")"\n")"\n', 0],
    ['a deletion', 'f({\n  a\n})\n', 'delete 3', 'f({\n  a\n', 1],
  ])('%s', (_, before, script, after, warnings) => {
    const applied = apply(before, script)
    expect(textOf(applied.document)).toBe(after)
    expect(applied.warnings).toHaveLength(warnings)
  })

  it('a parser that accepts the literal text outvotes the brackets', async () => {
    const isWhole = await loadSyntaxCheck('a.js')
    // The scanner does not recognise regular expressions.
    const before = 'f(() => {\n  a()\n})\n'
    const script = 'replace 2:\n+  x = /[(]/\n+  y = /[)]/.test("(")'
    expect(textOf(apply(before, script, { isWhole }).document)).toBe('f(() => {\n  x = /[(]/\n  y = /[)]/.test("(")\n})\n')
    expect(apply(before, 'replace 2:\n+  b()\n+})', { isWhole }).warnings).toHaveLength(1)
  })

  it('two corrections that both work are a guess, so none is made', () => {
    // The first hunk opens one more bracket; either of the others may be the one that closes it.
    const applied = apply(`a\n${two}`, 'replace 1:\n+k({\nreplace 3:\n+  x\n+})\nreplace 6:\n+  y\n+})')
    expect(textOf(applied.document)).toBe('k({\nf({\n  x\n})\n})\ng({\n  y\n})\n})\n')
    expect(applied.warnings.join()).toContain('applied as written')
  })
})

describe('landings', () => {
  it.each<[string, string, string, string, number]>([
    [
      'rows stand where the script says',
      'f() {\n  if (x) {\n    a()\n  }\n}\n',
      'insert after 3:\n+  b()',
      'f() {\n  if (x) {\n    a()\n  b()\n  }\n}\n',
      1,
    ],
    [
      'no closer follows',
      'def f():\n    a()\n    b()\nend()\n',
      'insert after 2:\n+x = 1',
      'def f():\n    a()\nx = 1\n    b()\nend()\n',
      0,
    ],
    ['same depth', 'f({\n  a,\n})\n', 'insert after 2:\n+  b,', 'f({\n  a,\n  b,\n})\n', 0],
    ['only closers', 'f({\n  a(\n})\n', 'insert after 2:\n+)', 'f({\n  a(\n)\n})\n', 0],
  ])('%s', (_, before, script, after, warnings) => {
    const applied = apply(before, script)
    expect(textOf(applied.document)).toBe(after)
    expect(applied.warnings.filter(warning => warning.includes('indented less'))).toHaveLength(warnings)
  })

  const block = 'f() {\n  a({\n    b\n  })\n}\nend\n'
  it.each<[string, readonly string[], string, number]>([
    ['beside the block', ['c()'], 'f() {\n  a({\n    b\n  })\n}\nc()\nend\n', 5],
    ['into the block', ['  c()'], 'f() {\n  a({\n    b\n  })\n  c()\n}\nend\n', 4],
    ['into the innermost block', ['    c()'], 'f() {\n  a({\n    b\n    c()\n  })\n}\nend\n', 3],
    ['blanks that cannot be compared', ['\tc()', '  d()'], 'f() {\n  a({\n    b\n  })\n}\n\tc()\n  d()\nend\n', 5],
  ])('insert after block: %s', (_, rows, after, landing) => {
    const hunk: Hunk = { kind: 'insert-after-block', line: 1, rows, scriptLine: 2 }
    const applied = applyHunks(documentOf(block), [hunk], { resolveBlock: () => ({ start: 1, end: 5 }) })
    expect(textOf(applied.document)).toBe(after)
    expect(applied.blockResolutions).toEqual([{ kind: 'insert-after-block', line: 1, start: 1, end: 5, landing }])
    expect(applied.warnings).toHaveLength(landing === 5 ? 0 : 1)
    const literal = applyHunks(documentOf(block), [hunk], { resolveBlock: () => ({ start: 1, end: 5 }), repairs: false })
    expect(literal.blockResolutions[0]?.landing).toBe(5)
  })
})

describe('operations without effect are named when others have one', () => {
  it.each<[string, readonly string[]]>([
    ['replace 1:\n+a\nreplace 2:\n+B', ['replace 1..1:']],
    ['replace 1..2:\n+a\n+b\ninsert tail:\n+z', ['replace 1..2:']],
    ['delete 4\nreplace 2:\n+B', ['delete 4..4']],
    ['replace 1:\n+a', []],
    ['replace 1:\n+A\nreplace 2:\n+B', []],
  ])('%j', (script, named) => {
    const { warnings } = apply('a\nb\nc\n', script)
    expect(warnings).toHaveLength(named.length)
    for (const [index, operation] of named.entries()) expect(warnings[index]).toContain(`\`${operation}\` changes nothing`)
  })
})

it('a repair never touches what was balanced, and always leaves it balanced', async () => {
  let repaired = 0
  await forSeeds(seeds({ quick: 300, deep: 10_000 }), random => {
    const nest = (depth: number): readonly string[] =>
      Array.from({ length: 1 + random.below(3) }, () => {
        const indent = '  '.repeat(depth)
        if (depth > 2 || random.chance(0.4)) return [`${indent}${random.pick(['a', 'b', 'c'])}`]
        const [opener, closer] = random.pick([
          ['f({', '})'],
          ['[', '],'],
          ['{', '}'],
        ] as const)
        return [`${indent}${opener}`, ...nest(depth + 1), `${indent}${closer}`]
      }).flat()
    const document = documentOf(`${nest(0).join('\n')}\n`)
    const last = document.lines.length
    const start = 1 + random.below(last)
    const end = start + random.below(Math.min(3, last - start + 1))
    // The range with one row changed, which repeats lines around it or leaves out lines at its end.
    const rows = document.lines.slice(Math.max(0, start - 1 - random.below(3)), Math.max(start, end + random.below(5) - 2))
    const changed = random.below(rows.length)
    const hunks: readonly Hunk[] = [
      {
        kind: 'replace',
        start,
        end,
        rows: rows.map((row, index) => (index === changed && !/[[{}\]]/.test(row) ? `${row}!` : row)),
        scriptLine: 2,
      },
    ]
    if (rows.length === 0) return
    const literal = applyHunks(document, hunks, { repairs: false })
    const applied = applyHunks(document, hunks)
    if (textOf(literal.document) === textOf(applied.document)) return
    repaired++
    expect(isBalanced(document.lines)).toBe(true)
    expect(isBalanced(literal.document.lines)).toBe(false)
    expect(isBalanced(applied.document.lines)).toBe(true)
    expect(applied.warnings.join()).toContain('without a partner')
  })
  expect(repaired).toBeGreaterThan(seeds({ quick: 20, deep: 600 }))
})
