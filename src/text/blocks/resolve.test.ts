import { describe, expect, it } from 'vitest'
import { documentOf, textOf } from '../../core/text.ts'
import { blockTables } from '../../testing/block-tables.ts'
import { applyHunks } from '../hashline/apply.ts'
import { parseScript } from '../hashline/parse.ts'
import { loadBlockResolver, loadSyntaxCheck } from './resolve.ts'

describe('a line opens the block that a reader would say', () => {
  it.each(blockTables)('%s', async (path, table) => {
    const rows = table.slice(1, -1).split('\n')
    const document = documentOf(`${rows.map(row => row.slice(3)).join('\n')}\n`)
    const resolve = await loadBlockResolver(path)
    const answers = rows.map((row, index) => {
      const span = resolve(document, index + 1)
      if (span !== undefined) expect(span.start).toBe(index + 1)
      return `${(span === undefined ? '' : String(span.end)).padStart(2)}|${row.slice(3)}`
    })
    expect(answers.join('\n')).toBe(rows.join('\n'))
  })
})

describe('errors in the text', () => {
  // path, text, line, last line of the block
  it.each<[string, string, number, number | undefined]>([
    ['a.ts', 'function f() {\n  const x = ;\n  g()\n}\nh()\n', 1, 4],
    ['a.ts', 'f(\n}\nfunction g() {\n  h()\n}\n', 3, 5],
    ['a.ts', 'function f() {\n  if (x) {\n}\nlast()\n', 1, undefined],
    ['a.ts', 'function f() {\n  g(]\n}\n', 1, undefined],
    ['a.json', '{\n  "a": {\n    "b": 1\n', 2, undefined],
    ['a.py', 'def f(:\n    x\ny\n', 1, undefined],
    ['a.kt', 'fun f() {\n  g(]\n}\n', 1, undefined],
    ['a.kt', 'fun f() {\n  g()\n', 1, undefined],
  ])('%s %j line %i', async (path, text, lineNumber, end) => {
    const resolve = await loadBlockResolver(path)
    expect(resolve(documentOf(text), lineNumber)?.end).toBe(end)
  })
})

describe('lines that also hold something else', () => {
  it.each<[string, string, number, number | undefined]>([
    ['a.js', 'foo(\n  () => {\n  }, y => {\n  },\n)\n', 2, undefined],
    ['a.js', 'foo(\n  a, b,\n)\n', 2, 2],
    ['a.js', 'foo(a,\n  b)\n', 2, undefined],
    ['a.js', 'x = [{\n  a: 1 }, {\n  b: 2 }]\n', 2, undefined],
    ['a.js', 'f({\n}) // done\n', 1, 2],
    ['a.js', 'a(); b()\n', 1, 1],
    ['a.js', 'a(); b(\n)\n', 1, undefined],
  ])('%s %j line %i', async (path, text, lineNumber, end) => {
    const resolve = await loadBlockResolver(path)
    expect(resolve(documentOf(text), lineNumber)?.end).toBe(end)
  })
})

describe('documents of any kind', () => {
  it.each<[string, string, number, number | undefined]>([
    ['a.ts', '', 1, undefined],
    ['a.ts', '\n\n', 1, undefined],
    ['a.ts', 'f({\n})', 1, 2],
    ['a.ts', '\uFEFFf({\r\n})\r\n', 1, 2],
    ['a.ts', 'f({\r})\rg()\r', 1, 2],
    ['a.ts', 'f()\n', 9, undefined],
    ['a.ts', 'f()\n', 0, undefined],
    ['Makefile', 'all:\n\tcc x\n\tcc y\nclean:\n\trm x\n', 1, 3],
    ['dir.ts/file', 'a {\n}\n', 1, 2],
    ['.ts', 'a\n  b\nc\n', 1, 2],
    ['A.TS', 'function f() {\n}\n', 1, 2],
  ])('%s %j line %i', async (path, text, lineNumber, end) => {
    const resolve = await loadBlockResolver(path)
    expect(resolve(documentOf(text), lineNumber)?.end).toBe(end)
  })

  it('too large to parse: brackets decide', async () => {
    const text = `function f() {\n  g()\n}\n${`const filler = '${'x'.repeat(100)}'\n`.repeat(30_000)}`
    const resolve = await loadBlockResolver('a.ts')
    expect(resolve(documentOf(text), 1)).toEqual({ start: 1, end: 3 })
  })

  it("a host's own resolver comes first, path by path", async () => {
    const custom = (path: string) => (path.endsWith('.own') ? () => ({ start: 1, end: 1 }) : undefined)
    expect((await loadBlockResolver('a.own', custom))(documentOf('x\n  y\n'), 1)).toEqual({ start: 1, end: 1 })
    expect((await loadBlockResolver('a.txt', custom))(documentOf('x\n  y\n'), 1)).toEqual({ start: 1, end: 2 })
  })
})

describe('scripts', () => {
  it.each<[string, string, string, string]>([
    ['deco.py', '@dec\ndef one():\n    return 1\nprint(one())\n', 'delete block 2', '@dec\nprint(one())\n'],
    ['svc.rb', 'def f\n  puts 1\nend\nafter\n', 'delete block 1', 'after\n'],
    [
      'a.ts',
      'function f() {\n  return 1;\n}\nafter();\n',
      'insert after block 1:\n+  extra();',
      'function f() {\n  return 1;\n  extra();\n}\nafter();\n',
    ],
    ['a.ts', 'function f() {\n  a();\n}\n', 'insert after block 1:\n+g();', 'function f() {\n  a();\n}\ng();\n'],
    ['a.ts', 'function f() {\n}\nx();\n', 'insert after block 2:\n+y();', 'function f() {\n}\ny();\nx();\n'],
    ['a.json', '{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n', 'delete block 2', '{\n  "c": 2\n}\n'],
    ['a.py', 'def f():\n    return 1\n\n\ndef g():\n    return 2\n', 'delete block 1', '\n\ndef g():\n    return 2\n'],
    ['a.ts', 'a({\n})\nb({\n})\n', 'delete block 1\nreplace block 3:\n+b()', 'b()\n'],
  ])('%s %j %j', async (path, text, script, after) => {
    const [section] = parseScript(`[${path}#0000]\n${script}`).sections
    const resolveBlock = await loadBlockResolver(path)
    expect(textOf(applyHunks(documentOf(text), section?.hunks ?? [], { resolveBlock }).document)).toBe(after)
  })

  it('overlaps are found after blocks are expanded', async () => {
    const [section] = parseScript('[a.ts#0000]\nreplace block 1:\n+x\ndelete 2').sections
    const resolveBlock = await loadBlockResolver('a.ts')
    expect(() => applyHunks(documentOf('f({\n  a: 1\n})\n'), section?.hunks ?? [], { resolveBlock })).toThrow(
      expect.objectContaining({ code: 'edit-overlap' }),
    )
  })
})

it('tells whole texts from broken ones, where there is a grammar', async () => {
  const typescript = await loadSyntaxCheck('a.ts')
  expect(typescript(documentOf('f({ a: 1 })\n'))).toBe(true)
  expect(typescript(documentOf('f({ a: 1 )\n'))).toBe(false)
  expect((await loadSyntaxCheck('a.rb'))(documentOf('f({ a: 1 )\n'))).toBeUndefined()
})
