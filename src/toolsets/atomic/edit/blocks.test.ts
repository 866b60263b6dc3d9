import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf, type ToolSession } from '../../../testing/tool-session.ts'

/** Reads `path`, then edits it with the tag that came back. */
async function editAfterRead(session: ToolSession, path: string, operations: string): ReturnType<ToolSession['call']> {
  const tag = tagIn(await session.text('read', { path }))
  return session.call('edit', { input: `[${path}#${tag}]\n${operations}` })
}

describe('blocks', () => {
  const source = 'function f() {\n  return 1\n}\nf()\n'
  const rows: readonly (readonly [path: string, operation: string, after: string, says: string])[] = [
    [
      'a.ts',
      'replace block 1:\n+const f = () => 1',
      'const f = () => 1\nf()\n',
      'replace block 1 → resolved lines 1-3 (3 lines)',
    ],
    ['a.ts', 'delete block 4', 'function f() {\n  return 1\n}\n', 'delete block 4 → resolved lines 4-4 (1 line)'],
    [
      'a.ts',
      'insert after block 1:\n+g()',
      `${source.slice(0, -4)}g()\nf()\n`,
      'resolved lines 1-3 (3 lines); body lands after line 3',
    ],
    ['a.unknown', 'delete block 1', 'f()\n', 'delete block 1 → resolved lines 1-3 (3 lines)'],
  ]
  it.each(rows)('%s: %s', async (path, operation, after, says) => {
    const session = await openToolSession({ [path]: source })
    expect(textOf(await editAfterRead(session, path, operation))).toContain(says)
    expect(await session.file(path)).toBe(after)
  })

  it('are refused where none begins', async () => {
    const session = await openToolSession({ 'a.ts': source })
    const result = await editAfterRead(session, 'a.ts', 'delete block 3')
    expect(result.details).toMatchObject({ error: { code: 'edit-block-unresolved' } })
  })

  it('are found in what the model saw when the file changed since', async () => {
    const session = await openToolSession({ 'a.ts': source })
    const tag = tagIn(await session.text('read', { path: 'a.ts' }))
    await session.fs.writeFile('/workspace/a.ts', `// new\n${source}`)
    await session.text('edit', { input: `[a.ts#${tag}]\ndelete block 1` })
    expect(await session.file('a.ts')).toBe('// new\nf()\n')
  })

  it('are the host’s to say', async () => {
    const asked: string[] = []
    const blocks = (path: string) => {
      asked.push(path)
      return path.endsWith('.x') ? (_document: unknown, start: number) => ({ start, end: start + 1 }) : undefined
    }
    const session = await openToolSession({ 'a.x': 'a\nb\nc\n', 'a.ts': source }, { toolset: { edit: { blocks } } })
    await editAfterRead(session, 'a.x', 'delete block 1')
    await editAfterRead(session, 'a.ts', 'delete block 1')
    expect([await session.file('a.x'), await session.file('a.ts')]).toEqual(['c\n', 'f()\n'])
    expect(asked).toEqual(['/workspace/a.x', '/workspace/a.ts'])
  })
})

describe('repairs', () => {
  const source = 'foo(() => {\n  a();\n});\nend();\n'
  const slipped = 'replace 2..2:\n+  b();\n+});'

  it('put a doubled closing line right, and say so', async () => {
    const session = await openToolSession({ 'f.js': source })
    expect(textOf(await editAfterRead(session, 'f.js', slipped))).toContain('Warning: ')
    expect(await session.file('f.js')).toBe(source.replace('a()', 'b()'))
  })

  it('can be switched off', async () => {
    const session = await openToolSession({ 'f.js': source }, { toolset: { edit: { repairs: false } } })
    await editAfterRead(session, 'f.js', slipped)
    expect(await session.file('f.js')).toBe('foo(() => {\n  b();\n});\n});\nend();\n')
  })

  it.each([
    ['repairs', { repairs: 'no' }],
    ['blocks', { blocks: {} }],
  ])('%s of another type is refused', async (_name, edit) => {
    const options: unknown = { toolset: { edit } }
    await expect(openToolSession({}, options as Parameters<typeof openToolSession>[1])).rejects.toMatchObject({
      code: 'toolset-options',
    })
  })
})
