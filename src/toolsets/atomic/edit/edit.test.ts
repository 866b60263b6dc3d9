import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf, type ToolSession, writeBeforeCommit } from '../../../testing/tool-session.ts'

const five = 'one\ntwo\nthree\nfour\nfive\n'

/** Reads `path`, then edits it with the tag that came back. */
async function editAfterRead(session: ToolSession, path: string, operations: string): ReturnType<ToolSession['call']> {
  const tag = tagIn(await session.text('read', { path }))
  return session.call('edit', { input: `[${path}#${tag}]\n${operations}` })
}

describe('bytes outside the edited lines stay as they are', () => {
  const rows: readonly (readonly [name: string, before: string, operations: string, after: string])[] = [
    ['LF', 'a\nb\n', 'replace 2..2:\n+B', 'a\nB\n'],
    ['no final newline', 'a\nb', 'replace 2..2:\n+B', 'a\nB'],
    ['CRLF', 'a\r\nb\r\n', 'replace 1..1:\n+A\n+A2', 'A\r\nA2\r\nb\r\n'],
    ['mixed endings', 'a\r\nb\nc\r\n', 'replace 2..2:\n+B', 'a\r\nB\nc\r\n'],
    ['a byte-order mark', '\uFEFFa\nb', 'replace 1..1:\n+A', '\uFEFFA\nb'],
    ['tabs and trailing blanks elsewhere', '\ta  \nb\n', 'replace 2..2:\n+B', '\ta  \nB\n'],
    ['dollar signs in the new text', 'a\n', "replace 1..1:\n+$& $1 $$ $'", "$& $1 $$ $'\n"],
    ['everything deleted', 'a\nb\n', 'delete 1..2', ''],
    ['an empty file', '', 'insert head:\n+a', 'a'],
  ]
  it.each(rows)('%s', async (_name, before, operations, after) => {
    const session = await openToolSession({ f: before })
    expect((await editAfterRead(session, 'f', operations)).isError).toBe(false)
    expect(await session.file('f')).toBe(after)
  })
})

describe('answers with the fresh header and where the lines are now', () => {
  const rows: readonly (readonly [operations: string, result: string])[] = [
    ['replace 2..3:\n+A\n+B\n+C', '2 lines → 3; lines below moved by +1\n 1:one\n+2..4\n 5:four\n 6:five'],
    ['replace 1..1:\n+A', '1 line → 1\n+1\n 2:two\n 3:three'],
    ['delete 5..5', '1 line → 0\n 3:three\n 4:four'],
    ['insert tail:\n+six', '0 lines → 1\n 4:four\n 5:five\n+6'],
  ]
  it.each(rows)('%j', async (operations, expected) => {
    const session = await openToolSession({ 'f.txt': five })
    const result = await editAfterRead(session, 'f.txt', operations)
    expect(textOf(result).replace(/^\[f.txt#[0-9A-F]{4}\]\n/, '')).toBe(expected)
    expect(result.details).toMatchObject({ files: ['f.txt'], patch: expect.stringContaining('+++ b/f.txt') })
    expect(result.details['hunks']).toMatchObject([{ path: 'f.txt', hunks: [{ oldStart: expect.any(Number) }] }])
  })
})

describe('numbers in front of rows', () => {
  const code = 'a()\nb()\nc()\n'
  const rows: readonly (readonly [path: string, before: string, operations: string, after: string | undefined])[] = [
    ['f.ts', code, 'replace 2..2:\n+2:x()', 'a()\nx()\nc()\n'],
    ['f.ts', code, 'insert after 2:\n+3:x()\n+4:y()', 'a()\nb()\nx()\ny()\nc()\n'],
    ['f.ts', code, 'insert before 1:\n+1:x()', `x()\n${code}`],
    ['f.ts', code, 'insert tail:\n+4:x()', `${code}x()\n`],
    ['f.ts', code, 'replace 2..2:\n+4:x()', undefined],
    ['f.py', code, 'insert after 1:\n+7:x()\n+8:y()', undefined],
    // Where lines may begin with a number, it is text.
    ['f.txt', code, 'replace 2..2:\n+4:x()', 'a()\n4:x()\nc()\n'],
    ['f.txt', code, 'insert after 1:\n+2:x()', 'a()\n2:x()\nb()\nc()\n'],
    ['f.ts', '`\n1:a\n`\n', 'insert after 2:\n+2:b', '`\n1:a\n2:b\n`\n'],
    ['f.ts', code, 'replace 2..2:\n+2:x()\n+y()', 'a()\n2:x()\ny()\nc()\n'],
  ]
  it.each(rows)('%s %j %j', async (path, before, operations, after) => {
    const session = await openToolSession({ [path]: before })
    const input = `[${path}#${tagIn(await session.text('read', { path }))}]\n${operations}`
    const result = await session.call('edit', { input })
    expect(result.isError ? undefined : await session.file(path)).toBe(after)
    if (after === undefined) expect(textOf(result)).toContain('edit-copied-numbers')
  })
})

it('no name of a file looks like a header or another row, and the name that is shown can be edited', async () => {
  const name = 'a\n[real.ts#1234]'
  const session = await openToolSession({ [name]: 'needle\n', [`d\n# e/f`]: 'needle\n', 'real.ts': 'needle\n' })
  const shown = [
    await session.text('read', { path: name }),
    await session.text('read', { path: '.' }),
    await session.text('search', { pattern: 'needle' }),
    await session.text('find', { paths: ['**'] }),
  ]
  for (const text of shown) {
    expect(text).not.toMatch(/^(?:\[real\.ts#1234\]|# e)/m)
    expect(text).toContain(String.raw`"a\n[real.ts#1234]`)
  }
  const [header] = (shown[0] ?? '').split('\n')
  await session.text('edit', { input: `${header}\nreplace 1..1:\n+found` })
  expect([await session.file(name), await session.file('real.ts')]).toEqual(['found\n', 'needle\n'])
})

it('is short whatever the lines hold, and the details have it all', async () => {
  const long = 'x'.repeat(1_000_000)
  const session = await openToolSession({ f: `${long}\na\n${long}\n` })
  const result = await editAfterRead(session, 'f', 'replace 2..2:\n+b').catch(() => undefined)
  expect(result).toBeUndefined()
  const tag = tagIn(await session.text('search', { pattern: '^a$', paths: 'f' }))
  const edited = await session.call('edit', { input: `[f#${tag}]\nreplace 2..2:\n+b` })
  expect(edited.isError).toBe(false)
  expect(textOf(edited).length).toBeLessThan(600)
  expect(String(edited.details['patch']).length).toBeGreaterThan(1_000_000)
})

describe('numbers belong to the header that they came with', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)
  const text = `${lines.join('\n')}\n`
  const withOneMore = `new\n${text}`
  const open = async (): Promise<ToolSession> => {
    const session = await openToolSession({ f: text })
    await session.text('read', { path: 'f' })
    return session
  }
  const edit = (session: ToolSession, tag: string, operations: string): ReturnType<ToolSession['call']> =>
    session.call('edit', { input: `[f#${tag}]\n${operations}` })

  it.each([
    ['read', { path: 'f:1-2' }],
    ['search', { pattern: '^line 3$', paths: 'f' }],
  ])('a number of an older view under the tag of a new %s is refused, with both lines', async (tool, args) => {
    const session = await open()
    await session.fs.writeFile('/workspace/f', withOneMore)
    const tag = tagIn(await session.text(tool, args))
    for (let time = 0; time < 2; time++) {
      const result = await edit(session, tag, 'replace 80..80:\n+changed')
      expect(result.details['error']).toMatchObject({ code: 'edit-rows-not-shown', line: 80, nowAt: 81 })
      expect(textOf(result)).toContain('"line 80", and it is line 81')
      expect(textOf(result)).toContain('line 80 is "line 79"')
    }
    expect(await session.file('f')).toBe(withOneMore)
    const shown = tagIn(await session.text('read', { path: 'f:79-83' }))
    expect((await edit(session, shown, 'replace 81..81:\n+changed')).isError).toBe(false)
    expect(await session.file('f')).toBe(withOneMore.replace('line 80', 'changed'))
  })

  it('the same after a reload', async () => {
    const session = await open()
    await session.fs.writeFile('/workspace/f', withOneMore)
    const tag = tagIn(await session.text('read', { path: 'f:1-2' }))
    const state = await session.tools.state()
    const later = await session.workspace.toolset('atomic', { state })
    const result = await later.call('edit', { input: `[f#${tag}]\nreplace 80..80:\n+changed` })
    expect(result.details['error']).toMatchObject({ code: 'edit-rows-not-shown' })
  })

  it('a line that is in the same place in both views is certain', async () => {
    const session = await open()
    await session.fs.writeFile('/workspace/f', text.replace('line 90', 'other'))
    const tag = tagIn(await session.text('read', { path: 'f:1-2' }))
    expect((await edit(session, tag, 'replace 80..80:\n+changed')).isError).toBe(false)
  })

  it('lines that no view has shown are taken by their number', async () => {
    const session = await openToolSession({ f: text })
    const tag = tagIn(await session.text('read', { path: 'f:1-2' }))
    expect((await edit(session, tag, 'replace 80..80:\n+changed')).isError).toBe(false)
  })

  it('after its own edit the model knows by how much lines moved', async () => {
    const session = await open()
    const first = tagIn(await session.text('read', { path: 'f' }))
    const edited = await edit(session, first, 'insert head:\n+new')
    expect(textOf(edited)).toContain('lines below moved by +1')
    const result = await edit(session, tagIn(textOf(edited)), 'replace 81..81:\n+changed')
    expect(result.isError).toBe(false)
    expect(await session.file('f')).toBe(withOneMore.replace('line 80', 'changed'))
  })
})

describe('who may edit', () => {
  it('refuses a file that changed since, with its tag now and the lines around the anchors', async () => {
    const session = await openToolSession({ 'f.txt': five })
    const tag = tagIn(await session.text('read', { path: 'f.txt' }))
    await session.fs.writeFile('/workspace/f.txt', 'zero\none\ntwo\nthree\nFour\nfive\n')
    const failure = await session.failure('edit', { input: `[f.txt#${tag}]\nreplace 5..5:\n+FIVE` })
    expect(failure.code).toBe('edit-tag-stale')
    expect(failure.text).toMatch(/the file is now #[0-9A-F]{4}/)
    expect(failure.text).toContain(
      '`replace 5..5:` touches line 5 as you saw them, and those lines or their neighbours have changed',
    )
    expect(failure.text).toContain(' 4:three\n 5:Four\n*6:five')
    expect(failure.text).toContain('Read f.txt again')
  })

  it('does not take the tag of its own refusal: showing a tag is not showing a file', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const tag = /now #([0-9A-F]{4})/.exec((await session.failure('edit', { input: '[f#0000]\ndelete 1' })).text)?.[1]
    expect((await session.failure('edit', { input: `[f#${tag}]\ndelete 1` })).code).toBe('edit-tag-unknown')
    expect(await session.file('f')).toBe('a\n')
  })

  it('does not take a tag of another session', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const other = await session.workspace.toolset('atomic')
    const tag = tagIn(textOf(await other.call('read', { path: 'f' })))
    expect((await session.failure('edit', { input: `[f#${tag}]\ndelete 1` })).code).toBe('edit-tag-unknown')
  })

  it('does not take a tag that fits by accident', async () => {
    const session = await openToolSession({ f: 'collision-389\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', 'collision-445\n')
    expect((await session.failure('edit', { input: `[f#${tag}]\nreplace 1..1:\n+x` })).code).toBe('edit-tag-ambiguous')
    expect(await session.file('f')).toBe('collision-445\n')
  })

  it('says so when the file vanished between read and edit, and does not bring it back', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.rm('/workspace/f')
    expect((await session.failure('edit', { input: `[f#${tag}]\nreplace 1..1:\n+x` })).code).toBe('ENOENT')
    expect(await session.fs.exists('/workspace/f')).toBe(false)
  })

  it('takes a tag from search, from a raw read and from write', async () => {
    const session = await openToolSession({ f: 'needle\n' })
    const tag = tagIn(await session.text('search', { pattern: 'needle' }))
    await session.text('edit', { input: `[f#${tag}]\nreplace 1..1:\n+thread` })
    expect(await session.file('f')).toBe('thread\n')
  })
})

describe('many sections', () => {
  it('are written together', async () => {
    const session = await openToolSession({ a: 'a\n', 'd/b': 'b\n' })
    const [a, b] = [tagIn(await session.text('read', { path: 'a' })), tagIn(await session.text('read', { path: 'd/b' }))]
    const batches: number[] = []
    const stop = await session.fs.watch('/', batch => batches.push(batch.changes.length))
    const text = await session.text('edit', { input: `[a#${a}]\nreplace 1..1:\n+A\n[d/b#${b}]\nreplace 1..1:\n+B` })
    expect(text.match(/^\[.+#[0-9A-F]{4}\]$/gm)).toHaveLength(2)
    expect([await session.file('a'), await session.file('d/b')]).toEqual(['A\n', 'B\n'])
    await Promise.resolve()
    expect(batches).toEqual([2])
    stop()
  })

  const rows: readonly (readonly [name: string, second: string, code: string])[] = [
    ['one is stale', '[b#0000]\nreplace 1..1:\n+B', 'edit-tag-unknown'],
    ['one is missing', '[c#0000]\nreplace 1..1:\n+B', 'ENOENT'],
    ['one is a link to the other', '[link#{a}]\nreplace 1..1:\n+B', 'edit-duplicate-target'],
    ['one names a line that is not there', '[b#{b}]\nreplace 9..9:\n+B', 'edit-line-out-of-range'],
    ['one changes nothing', '[b#{b}]\nreplace 1..1:\n+b', 'edit-section-no-op'],
    ['one cannot be read as a script', '[b#{b}]\nreplace 1..1:', 'edit-empty-body'],
    ['one leads outside', '[../b#{b}]\nreplace 1..1:\n+B', 'path-outside-root'],
  ]
  it.each(rows)('write nothing when %s', async (_name, second, code) => {
    const session = await openToolSession({ a: 'a\n', b: 'b\n' })
    await session.fs.symlink('a', '/workspace/link')
    const tags = { a: tagIn(await session.text('read', { path: 'a' })), b: tagIn(await session.text('read', { path: 'b' })) }
    const input = `[a#${tags.a}]\nreplace 1..1:\n+A\n${second.replace('{a}', tags.a).replace('{b}', tags.b)}`
    expect((await session.failure('edit', { input })).code).toBe(code)
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\n', 'b\n'])
  })

  it('write nothing when a file changes between the plan and the commit', async () => {
    const session = await openToolSession({ a: 'a\n', b: 'b\n' })
    const [a, b] = [tagIn(await session.text('read', { path: 'a' })), tagIn(await session.text('read', { path: 'b' }))]
    writeBeforeCommit(session, '/workspace/b', 'person\n')
    const result = await session.call('edit', { input: `[a#${a}]\nreplace 1..1:\n+A\n[b#${b}]\nreplace 1..1:\n+B` })
    expect(result).toMatchObject({ isError: true, details: { error: { code: 'file-changed', path: 'b' } } })
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\n', 'person\n'])
  })
})

describe('an edit that changes nothing', () => {
  it('writes nothing, and is stopped the third time', async () => {
    const session = await openToolSession({ f: 'a\nb\n' })
    const rev = (await session.fs.stat('/workspace/f')).rev
    const input = `[f#${tagIn(await session.text('read', { path: 'f' }))}]\nreplace 1..1:\n+a`
    expect(await session.text('edit', { input })).toContain('Nothing was written')
    expect(await session.text('edit', { input })).toContain('2 times')
    expect((await session.failure('edit', { input })).code).toBe('edit-repeated-no-op')
    expect((await session.fs.stat('/workspace/f')).rev).toBe(rev)
  })
})

it('names the operations that change nothing beside others that do', async () => {
  const session = await openToolSession({ f: 'a\nb\nc\n' })
  const text = textOf(await editAfterRead(session, 'f', 'replace 1..1:\n+a\nreplace 3..3:\n+C'))
  expect(text).toContain('Warning: Line 2 of the script: `replace 1..1:` changes nothing')
  expect(await session.file('f')).toBe('a\nb\nC\n')
})

it('warns that a generated file was changed by hand', async () => {
  const session = await openToolSession({ 'gen.ts': '// @generated by x\na\n', 'prose.md': 'This is auto-generated.\na\n' })
  expect(textOf(await editAfterRead(session, 'gen.ts', 'replace 2..2:\n+b'))).toContain('Warning: gen.ts says on line 1')
  expect(textOf(await editAfterRead(session, 'prose.md', 'replace 2..2:\n+b'))).not.toContain('Warning')
})
