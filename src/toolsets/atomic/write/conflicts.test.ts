import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf, type ToolSession, writeBeforeCommit } from '../../../testing/tool-session.ts'

const two = 'a\n<<<<<<< HEAD\nl\n=======\nr\n>>>>>>> topic\nb\n'

describe('a conflict is resolved', () => {
  const crlf = two.replaceAll('\n', '\r\n')
  const rows: readonly (readonly [name: string, before: string, path: string, content: string, after: string])[] = [
    ['by a side', two, 'conflict://1', '@theirs', 'a\nr\nb\n'],
    ['by both sides', two, 'conflict://1', '@ours\n@theirs\n', 'a\nl\nr\nb\n'],
    ['by text', two, 'conflict://1', 'x\n', 'a\nx\nb\n'],
    ['in a CRLF file, with its endings', crlf, 'conflict://1', 'x\ny\n', 'a\r\nx\r\ny\r\nb\r\n'],
    ['one of two', two + two, 'conflict://2', '@ours', `${two}a\nl\nb\n`],
    ['all of them', two + two, 'conflict://*', '@ours', 'a\nl\nb\na\nl\nb\n'],
    ['by nothing', two, 'conflict://1', '', 'a\nb\n'],
  ]
  it.each(rows)('%s', async (_name, before, path, content, after) => {
    const session = await openToolSession({ 'c.txt': before })
    const text = await session.text('write', { path, content })
    expect(await session.file('c.txt')).toBe(after)
    expect(tagIn(text)).toBe(tagIn(await session.text('read', { path: 'c.txt' })))
  })
})

it('answers with the fresh header, what was resolved, what is left, and the diff', async () => {
  const session = await openToolSession({ 'c.txt': two + two })
  await session.text('read', { path: 'c.txt:conflicts' })
  const result = await session.call('write', { path: 'conflict://1', content: '@ours' })
  expect(textOf(result).split('\n').slice(1, 6)).toEqual([
    'Resolved conflict://1 (lines 2-6).',
    '1 conflict is left in c.txt.',
    '  1 a',
    '- 2 <<<<<<< HEAD',
    '  2 l',
  ])
  expect(result.details).toMatchObject({ resolved: [1], files: ['c.txt'], firstChangedLine: 2 })
})

it('keeps the numbers of the others, and tells of a number that is gone', async () => {
  const session = await openToolSession({ 'c.txt': two + two.replace('r', 's') })
  await session.text('write', { path: 'conflict://1', content: '@ours' })
  expect(await session.failure('write', { path: 'conflict://1', content: '@ours' })).toMatchObject({ code: 'conflict-unknown' })
  await session.text('write', { path: 'conflict://2', content: '@theirs' })
  expect(await session.file('c.txt')).toBe('a\nl\nb\na\ns\nb\n')
})

it('resolves only what was shown, once something was', async () => {
  const session = await openToolSession({ 'a.txt': two, 'b.txt': two })
  await session.text('read', { path: 'a.txt:conflicts' })
  await session.text('write', { path: 'conflict://*', content: '@ours' })
  expect([await session.file('a.txt'), await session.file('b.txt')]).toEqual(['a\nl\nb\n', two])
})

it('takes the numbers off lines that were copied from read', async () => {
  const session = await openToolSession({ 'c.txt': two })
  const tag = tagIn(await session.text('read', { path: 'c.txt' }))
  expect(await session.text('write', { path: 'conflict://1', content: `[c.txt#${tag}]\n3:l` })).toContain('Note:')
  expect(await session.file('c.txt')).toBe('a\nl\nb\n')
})

it('says where a side was cut when two lines look like the border', async () => {
  const session = await openToolSession({ 'c.txt': two.replace('r\n', 'T\n=======\n') })
  expect(await session.text('write', { path: 'conflict://1', content: '@theirs' })).toContain('check the diff')
  expect(await session.file('c.txt')).toBe('a\nT\n=======\nb\n')
})

describe('what is refused writes nothing, in any file', () => {
  const change =
    (path: string, content: string) =>
    async (session: ToolSession): Promise<void> => {
      await session.text('read', { path: 'conflict://*' })
      await session.fs.writeFile(`/workspace/${path}`, content)
    }
  const nothing = (): Promise<void> => Promise.resolve()
  const rows: readonly (readonly [
    name: string,
    prepare: (session: ToolSession) => Promise<void>,
    path: string,
    content: string,
    code: string,
  ])[] = [
    ['a side', nothing, 'conflict://1/ours', 'x', 'conflict-side-read-only'],
    ['an unknown number', nothing, 'conflict://9', 'x', 'conflict-unknown'],
    ['no address', nothing, 'conflict://all', 'x', 'conflict-address'],
    ['half a character', nothing, 'conflict://1', '\ud800', 'invalid-text'],
    ['one that changed', change('b.txt', two.replace('r', 'R')), 'conflict://*', '@ours', 'conflict-changed'],
    ['one of new twins', change('b.txt', two + two), 'conflict://*', '@ours', 'conflict-changed'],
    ['one whose file became binary', change('b.txt', `\0${two}`), 'conflict://*', '@ours', 'binary-file'],
    [
      'one whose file is gone',
      session => change('b.txt', '')(session).then(() => session.fs.rm('/workspace/b.txt')),
      'conflict://*',
      '@ours',
      'ENOENT',
    ],
  ]
  it.each(rows)('%s', async (_name, prepare, path, content, code) => {
    const session = await openToolSession({ 'a.txt': two, 'b.txt': two })
    await prepare(session)
    const before = await session.fs.stat('/workspace/a.txt')
    expect((await session.failure('write', { path, content })).code).toBe(code)
    expect((await session.fs.stat('/workspace/a.txt')).rev).toBe(before.rev)
  })

  it('none at all', async () => {
    const session = await openToolSession({ 'a.txt': 'a\n' })
    expect((await session.failure('write', { path: 'conflict://*', content: 'x' })).code).toBe('conflict-none')
  })

  it('a workspace that could not be searched whole', async () => {
    const session = await openToolSession({ 'a.txt': two, 'b.txt': two }, { limits: { walkMaxEntries: 1 } })
    expect((await session.failure('write', { path: 'conflict://*', content: '@ours' })).code).toBe('conflict-scan-incomplete')
    expect(await session.file('a.txt')).toBe(two)
  })

  it('a file that changes at the very moment of the commit', async () => {
    const session = await openToolSession({ 'a.txt': two })
    writeBeforeCommit(session, '/workspace/a.txt', 'person\n')
    expect((await session.failure('write', { path: 'conflict://1', content: '@ours' })).code).toBe('file-changed')
    expect(await session.file('a.txt')).toBe('person\n')
  })
})

it('two writes at once to one conflict: the second is told that it is resolved', async () => {
  const session = await openToolSession({ 'c.txt': two })
  await session.text('read', { path: 'c.txt:conflicts' })
  const results = await Promise.all(['@ours', '@theirs'].map(content => session.call('write', { path: 'conflict://1', content })))
  expect(results.map(result => result.details['error'])).toMatchObject([undefined, { code: 'conflict-unknown' }])
  expect(await session.file('c.txt')).toBe('a\nl\nb\n')
})
