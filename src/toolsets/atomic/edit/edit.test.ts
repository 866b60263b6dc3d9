import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf, type ToolSession } from '../../../testing/tool-session.ts'

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

it('answers with the fresh header and the changed lines, numbered as they are now', async () => {
  const session = await openToolSession({ 'f.txt': five })
  const result = await editAfterRead(session, 'f.txt', 'replace 2..3:\n+A\n+B\n+C')
  expect(textOf(result)).toBe('[f.txt#CCB1]\n 1 one\n-2 two\n-3 three\n+2 A\n+3 B\n+4 C\n 5 four\n 6 five')
  expect(result.details).toMatchObject({ firstChangedLine: 2, files: ['f.txt'], patch: expect.stringContaining('+++ b/f.txt') })
})

it('cuts a very long diff in the text, never in the details', async () => {
  const session = await openToolSession({ f: Array.from({ length: 300 }, (_, index) => `l${index}\n`).join('') })
  const result = await editAfterRead(session, 'f', `replace 1..300:\n${'+x\n'.repeat(300)}`)
  expect(textOf(result)).toContain('[480 more diff rows. Read f to see the rest.]')
  expect(String(result.details['diff']).split('\n')).toHaveLength(600)
})

describe('who may edit', () => {
  it('refuses a file that changed since, with its tag now and the lines around the anchors', async () => {
    const session = await openToolSession({ 'f.txt': five })
    const tag = tagIn(await session.text('read', { path: 'f.txt' }))
    await session.fs.writeFile('/workspace/f.txt', 'zero\none\ntwo\nthree\nFour\nfive\n')
    const failure = await session.failure('edit', { input: `[f.txt#${tag}]\nreplace 5..5:\n+FIVE` })
    expect(failure.code).toBe('edit-tag-stale')
    expect(failure.text).toMatch(/the file is now #[0-9A-F]{4}/)
    expect(failure.text).toContain('`replace 5..5:` touches line 5 as you saw them, and these or their neighbours changed')
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
    const racing = openRace(session)
    const result = await session.call('edit', { input: `[a#${a}]\nreplace 1..1:\n+A\n[b#${b}]\nreplace 1..1:\n+B` })
    racing.stop()
    expect(result).toMatchObject({ isError: true, details: { error: { code: 'file-changed', path: 'b' } } })
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\n', 'person\n'])
  })
})

/** A person saves `b` at the very moment when the tool asks for its commit. */
function openRace(session: ToolSession): { readonly stop: () => void } {
  const batch = session.fs.batch.bind(session.fs)
  const raced: ToolSession['fs']['batch'] = async (work, options) => {
    await session.fs.writeFile('/workspace/b', 'person\n')
    return batch(work, options)
  }
  Object.assign(session.fs, { batch: raced })
  return { stop: () => Object.assign(session.fs, { batch }) }
}

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
