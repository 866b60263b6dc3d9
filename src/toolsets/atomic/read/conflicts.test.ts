import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn } from '../../../testing/tool-session.ts'

const two = 'a\n<<<<<<< HEAD\nl\n=======\nr\n>>>>>>> topic\nb\n'
const three = 'a\n<<<<<<< HEAD\nl\n||||||| 1a2b\nm\n=======\nr\n>>>>>>> topic\nb\n'

describe('path:conflicts', () => {
  it('shows the conflicts alone, with their lines and numbers', async () => {
    const session = await openToolSession({ 'c.txt': two + three })
    const tag = tagIn(await session.text('read', { path: 'c.txt' }))
    const result = await session.text('read', { path: 'c.txt:conflicts' })
    expect(result.split('\n')).toEqual([
      `[c.txt#${tag}]`,
      ...['2:<<<<<<< HEAD', '3:l', '4:=======', '5:r', '6:>>>>>>> topic', '...'],
      ...['9:<<<<<<< HEAD', '10:l', '11:||||||| 1a2b', '12:m', '13:=======', '14:r', '15:>>>>>>> topic'],
      '',
      '[conflict://1 is lines 2-6. Resolve it with write: the new lines, or @ours, @theirs.]',
      '[conflict://2 is lines 9-15. Resolve it with write: the new lines, or @ours, @base, @theirs.]',
    ])
  })

  const rows: readonly (readonly [path: string, shown: string])[] = [
    ['c.txt:conflicts:raw', '<<<<<<< HEAD\nl\n=======\nr\n>>>>>>> topic\n'],
    ['c.txt:5-7:conflicts:raw', '<<<<<<< HEAD\nl\n=======\nr\n>>>>>>> topic\n'],
    ['c.txt:7-:conflicts', 'c.txt has no conflicts in these lines; the file has 1 conflict elsewhere.'],
    ['none.txt:conflicts', 'none.txt has no conflicts.'],
    ['half.txt:conflicts', 'half.txt has no conflicts.'],
    ['empty.txt:conflicts', 'empty.txt has no conflicts.'],
    ['odd:conflicts', '[odd:conflicts#5BF9]\n1:hello'],
  ]
  it.each(rows)('%s', async (path, shown) => {
    const files = { 'c.txt': two, 'none.txt': 'a\n', 'half.txt': two.slice(0, 30), 'empty.txt': '', 'odd:conflicts': 'hello\n' }
    const session = await openToolSession(files)
    expect(await session.text('read', { path })).toBe(shown)
  })

  it('says how to go on when it is cut', async () => {
    const session = await openToolSession({ 'c.txt': two + two }, { limits: { readMaxLines: 7 } })
    const text = await session.text('read', { path: 'c.txt:conflicts' })
    expect(text).toContain('Continue with path selector :11-:conflicts.]')
    expect(await session.text('read', { path: 'c.txt:11-:conflicts' })).toContain('9:<<<<<<< HEAD')
  })

  it('authorises an edit, as every reading does', async () => {
    const session = await openToolSession({ 'c.txt': two })
    const tag = tagIn(await session.text('read', { path: 'c.txt:conflicts' }))
    await session.text('edit', { input: `[c.txt#${tag}]\nreplace 2..6:\n+both` })
    expect(await session.file('c.txt')).toBe('a\nboth\nb\n')
  })

  it('is refused for a directory and for what is not text', async () => {
    const session = await openToolSession({ 'd/': null, bin: new Uint8Array([0, 1]) })
    expect((await session.failure('read', { path: 'd:conflicts' })).code).toBe('EISDIR')
    expect((await session.failure('read', { path: 'bin:conflicts' })).code).toBe('binary-file')
  })
})

describe('conflict://', () => {
  it('lists every conflict of the workspace, not those of ignored files', async () => {
    const session = await openToolSession({
      'b.txt': two,
      'a/c.txt': two + three,
      'dist/x.js': two,
      'node_modules/x.js': two,
      '.gitignore': 'dist\n',
      'bin.dat': new Uint8Array([0, ...new TextEncoder().encode(two)]),
      'heading.md': 'T\n=======\n',
    })
    const result = await session.call('read', { path: 'conflict://*' })
    expect(result.content).toEqual([
      {
        type: 'text',
        text: 'conflict://1  b.txt:2-6\nconflict://2  a/c.txt:2-6\nconflict://3  a/c.txt:9-15',
      },
    ])
    expect(result.details).toMatchObject({
      conflicts: [{ id: 1, path: 'b.txt', ours: 'HEAD', theirs: 'topic' }, {}, { hasBase: true }],
    })
    expect(await session.text('read', { path: 'conflict://3' })).toMatch(/^\[a\/c\.txt#[0-9A-F]{4}\]\n9:<<<<<<< HEAD\n/)
  })

  const sides: readonly (readonly [path: string, shown: string])[] = [
    ['conflict://1/ours', 'l'],
    ['conflict://1/theirs', 'r'],
    ['conflict://1/base', 'This conflict records no base.'],
    ['conflict://2/base', 'm'],
    ['conflict://2/theirs:raw', 'r\n'],
    ['conflict://3/ours', 'The side conflict://3/ours is empty.'],
  ]
  it.each(sides)('%s', async (path, shown) => {
    const session = await openToolSession({ 'c.txt': two + three, 'd.txt': '<<<<<<< a\n=======\n>>>>>>> b\n' })
    await session.text('read', { path: 'conflict://*' })
    expect(await session.text('read', { path })).toBe(shown)
  })

  const refused: readonly (readonly [path: string, code: string])[] = [
    ['conflict://1', 'conflict-unknown'],
    ['conflict://x', 'conflict-address'],
    ['conflict://', 'conflict-address'],
  ]
  it.each(refused)('%s, before any conflict was shown, is %s', async (path, code) => {
    const session = await openToolSession({ 'c.txt': two })
    expect((await session.failure('read', { path })).code).toBe(code)
  })

  it('knows no number of another session', async () => {
    const session = await openToolSession({ 'c.txt': two })
    await session.text('read', { path: 'c.txt:conflicts' })
    const other = await session.workspace.toolset('atomic')
    expect((await other.call('read', { path: 'conflict://1' })).isError).toBe(true)
  })

  it('says so when there are none', async () => {
    const session = await openToolSession({ 'c.txt': 'a\n' })
    expect(await session.text('read', { path: 'conflict://*' })).toBe('There are no conflicts in the workspace.')
  })
})
