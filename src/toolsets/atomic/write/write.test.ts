import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn } from '../../../testing/tool-session.ts'

describe('write', () => {
  it('makes the file, its parents, and a tag that edit takes', async () => {
    const session = await openToolSession({})
    const text = await session.text('write', { path: 'a/b/c.txt', content: 'a\nb\n' })
    expect(text).toBe('[a/b/c.txt#9A46]\nCreated a/b/c.txt (4 bytes).')
    await session.text('edit', { input: `[a/b/c.txt#${tagIn(text)}]\nreplace 2..2:\n+B` })
    expect(await session.file('a/b/c.txt')).toBe('a\nB\n')
  })

  it.each([
    ['nothing', '', '[f#5D05]\nCreated f (0 bytes).'],
    ['bytes, not characters', 'é😀\n', '[f#F95E]\nCreated f (7 bytes).'],
    ['exactly what was given', '\uFEFFa\r\nb', '[f#6540]\nCreated f (7 bytes).'],
  ])('counts and writes %s', async (_name, content, text) => {
    const session = await openToolSession({})
    expect(await session.text('write', { path: 'f', content })).toBe(text)
    expect(await session.file('f')).toBe(content)
  })

  it('replaces, and shows the host what changed', async () => {
    const session = await openToolSession({ f: 'a\nb\n' })
    const result = await session.call('write', { path: 'f', content: 'a\nc\n' })
    expect(result.details).toMatchObject({ created: false, firstChangedLine: 2, diff: ' 1 a\n-2 b\n+2 c' })
  })

  it('makes a script executable and keeps the mode of others', async () => {
    const session = await openToolSession({ 'plain.sh': 'x' })
    await session.fs.chmod('/workspace/plain.sh', 0o600)
    await session.text('write', { path: 'plain.sh', content: 'y' })
    const result = await session.call('write', { path: 'run.sh', content: '#!/bin/sh\n' })
    expect(result.details).toMatchObject({ madeExecutable: true })
    expect([(await session.fs.stat('/workspace/plain.sh')).mode, (await session.fs.stat('/workspace/run.sh')).mode]).toEqual([
      0o600, 0o755,
    ])
  })

  it('writes through a link and leaves the link', async () => {
    const session = await openToolSession({ 'real.txt': 'old' })
    await session.fs.symlink('real.txt', '/workspace/link.txt')
    await session.text('write', { path: 'link.txt', content: 'new' })
    expect([await session.file('real.txt'), (await session.fs.lstat('/workspace/link.txt')).kind]).toEqual(['new', 'symlink'])
  })

  it('leaves copied headers and numbers out only when they are its own', async () => {
    const session = await openToolSession({ 's.txt': 'one\ntwo\n' })
    await session.text('read', { path: 's.txt' })
    expect(await session.text('write', { path: 'copy.txt', content: '[s.txt#F2E8]\n1:one' })).not.toContain('Note:')
    const tag = tagIn(await session.text('read', { path: 's.txt' }))
    expect(await session.text('write', { path: 'copy.txt', content: `[s.txt#${tag}]\n1:one\n2:two` })).toContain('Note:')
    expect(await session.file('copy.txt')).toBe('one\ntwo\n')
  })
})

describe('another kind of line ending', () => {
  const rows: readonly (readonly [before: string, content: string, says: string | undefined])[] = [
    ['a\r\nb\r\n', 'a\nb\n', 'the lines of f ended with CRLF and now end with LF.'],
    ['a\n', 'a\r\n', 'ended with LF and now end with CRLF.'],
    ['a\r', 'a\n', 'ended with CR and now end with LF.'],
    ['a\r\nb\n', 'a\n', 'ended with more than one kind of ending and now end with LF.'],
    ['a\r\nb\r\n', 'x\r\n', undefined],
    ['a\n', 'a', undefined],
    ['a', 'a\r\n', undefined],
    ['', 'a\r\n', undefined],
  ]
  it.each(rows)('%j, then %j', async (before, content, says) => {
    const session = await openToolSession({ f: before })
    const text = await session.text('write', { path: 'f', content })
    expect(/Note: .*/.exec(text)?.[0].includes(says ?? '')).toBe(says === undefined ? undefined : true)
    expect(await session.file('f')).toBe(content)
  })
})

describe('what is refused writes nothing', () => {
  const rows: readonly (readonly [name: string, args: { path: string; content: string }, code: string])[] = [
    ['a directory', { path: 'dir', content: 'x' }, 'EISDIR'],
    ['a path that ends in a slash', { path: 'new/', content: 'x' }, 'EISDIR'],
    ['a path outside the root', { path: '../x', content: 'x' }, 'path-outside-root'],
    ['a link that leads outside', { path: 'out/x', content: 'x' }, 'path-outside-root'],
    ['a dangling link that leads outside', { path: 'dangling', content: 'x' }, 'path-outside-root'],
    ['a file in the way', { path: 'f/x', content: 'x' }, 'ENOTDIR'],
    ['a null byte in the path', { path: 'a\0', content: 'x' }, 'path-invalid'],
    ['half a character', { path: 'x', content: 'a\ud800' }, 'invalid-text'],
    ['a generated file', { path: 'gen.ts', content: 'x' }, 'generated-file'],
    ['a member outside of its archive', { path: 'a.zip:../b.txt', content: 'x' }, 'archive-write'],
    ['a row of a database that is not there', { path: 'd/a.sqlite:users:1', content: '{}' }, 'not-a-database'],
    ['a resource without a router', { path: 'issue://1', content: 'x' }, 'resource-read-only'],
  ]
  it.each(rows)('%s', async (_name, args, code) => {
    const session = await openToolSession({ 'dir/': null, f: 'f', 'gen.ts': '// @generated by x\n' })
    await session.fs.symlink('/', '/workspace/out')
    await session.fs.symlink('/escaped', '/workspace/dangling')
    const before = await paths(session.fs.walk('/'))
    expect((await session.failure('write', args)).code).toBe(code)
    expect(await paths(session.fs.walk('/'))).toEqual(before)
    expect([await session.file('f'), await session.file('gen.ts')]).toEqual(['f', '// @generated by x\n'])
  })

  it('prose about generated code is no marker', async () => {
    const session = await openToolSession({ 'notes.md': 'This mentions auto-generated code.\n' })
    expect(await session.text('write', { path: 'notes.md', content: 'x' })).toContain('Wrote notes.md')
  })
})

async function paths(entries: AsyncIterable<{ readonly path: string }>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const entry of entries) found.push(entry.path)
  return found
}
