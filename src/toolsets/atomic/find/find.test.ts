import { describe, expect, it } from 'vitest'

import { openToolSession, textOf } from '../../../testing/tool-session.ts'

const project = {
  'readme.md': '',
  'src/a.ts': '',
  'src/b.tsx': '',
  'src/deep/c.ts': '',
  'src/.hidden/d.ts': '',
  'app/[id]/page.tsx': '',
  'a b, c.txt': '',
  'foo,bar/x.txt': '',
  'my docs/y.txt': '',
  'node_modules/p/i.ts': '',
  '.git/HEAD': '',
  'empty/': null,
}

describe('which paths', () => {
  const rows: readonly {
    paths: readonly string[] | string
    found: readonly string[]
    files?: Record<string, string>
    options?: Record<string, unknown>
  }[] = [
    { paths: ['*.ts'], found: ['src/.hidden/d.ts', 'src/a.ts', 'src/deep/c.ts'] },
    { paths: ['*.ts'], found: ['src/a.ts', 'src/deep/c.ts'], options: { hidden: false } },
    { paths: ['*.{ts,tsx}'], found: ['app/[id]/page.tsx', 'src/.hidden/d.ts', 'src/a.ts', 'src/b.tsx', 'src/deep/c.ts'] },
    { paths: ['src/*.ts'], found: ['a.ts'] },
    { paths: ['src/**/*.ts'], found: ['.hidden/d.ts', 'a.ts', 'deep/c.ts'] },
    { paths: ['./src'], found: ['.hidden/', '.hidden/d.ts', 'a.ts', 'b.tsx', 'deep/', 'deep/c.ts'] },
    { paths: ['src/a.ts', 'src/deep'], found: ['src/a.ts', 'src/deep/c.ts'] },
    { paths: ['app/[id]/page.tsx'], found: ['app/[id]/page.tsx'] },
    { paths: ['a b, c.txt'], found: ['a b, c.txt'] },
    { paths: ['readme.md;src/a.ts'], found: ['readme.md', 'src/a.ts'] },
    { paths: ['**/node_modules/**/*.ts'], found: ['node_modules/p/i.ts'] },
    { paths: ['node_modules'], found: ['p/', 'p/i.ts'] },
    { paths: ['empty'], found: [] },
    { paths: ['**/*.zzz'], found: [] },
    { paths: 'src/a.ts', found: ['src/a.ts'] },
    { paths: '["src/deep","src/a.ts"]', found: ['src/a.ts', 'src/deep/c.ts'] },
    { paths: ['["src/deep","src/a.ts"]'], found: ['src/a.ts', 'src/deep/c.ts'] },
    { paths: ['foo,bar/*.txt'], found: ['x.txt'] },
    { paths: ['my docs/*.txt'], found: ['y.txt'] },
    { paths: ['src/**/*.ts', '!**/c.ts'], found: ['.hidden/d.ts', 'a.ts'] },
    { paths: ['src/**/*.ts', '!c.ts', '!.hidden'], found: ['a.ts'] },
    { paths: ['src', '!src/deep'], found: ['.hidden/', '.hidden/d.ts', 'a.ts', 'b.tsx'] },
    { paths: ['src/*.ts,!src/a.ts'], found: [] },
    { paths: ['src/a.ts', '!src/a.ts'], found: [] },
    { paths: ['!src', '!app', '!*.txt', '!empty'], found: ['foo,bar/', 'my docs/', 'readme.md'] },
    { paths: ['!important.md'], found: ['!important.md'], files: { '!important.md': '' } },
  ]
  it.each(rows)('$paths', async ({ paths, found, files = {}, options = {} }) => {
    const session = await openToolSession({ ...project, ...files })
    const result = await session.call('find', { paths, ...options })
    expect({ isError: result.isError, files: [...(result.details['files'] as readonly string[])].sort() }).toEqual({
      isError: false,
      files: [...found].sort(),
    })
  })
})

describe('a directory and a glob in two arguments', () => {
  const rows: readonly (readonly [args: Record<string, unknown>, found: readonly string[]])[] = [
    [{ path: 'src', glob: '*.ts' }, ['.hidden/d.ts', 'a.ts', 'deep/c.ts']],
    [{ path: 'src/', pattern: '**/*.ts' }, ['.hidden/d.ts', 'a.ts', 'deep/c.ts']],
    [{ paths: ['src'], glob: 'src/*.ts' }, ['a.ts']],
    [{ path: 'src', glob: 'deep/*.ts' }, ['c.ts']],
    [{ path: 'src', glob: '!*.ts' }, ['.hidden/', 'b.tsx', 'deep/']],
    [{ path: '.', glob: '*.tsx' }, ['app/[id]/page.tsx', 'src/b.tsx']],
    [{ path: 'src', glob: ['*.ts', '*.tsx'] }, ['src/.hidden/d.ts', 'src/a.ts', 'src/b.tsx', 'src/deep/c.ts']],
    [{ path: 'src/a.ts', glob: '*.ts' }, ['src/a.ts']],
  ]
  it.each(rows)('%j', async (args, found) => {
    const session = await openToolSession(project)
    const result = await session.call('find', args)
    expect([...(result.details['files'] as readonly string[])].sort()).toEqual([...found].sort())
    expect(textOf(result)).toContain('were read together')
  })
})

it('prints a tree of paths that read takes as they are', async () => {
  const session = await openToolSession({ 't.txt': '', 'a/b/c/y.txt': '', 'a/b/c/x.txt': '', 'a/b/z/q.txt': '' })
  expect(await session.text('find', { paths: ['**/*.txt'] })).toBe('t.txt\n# a/b/\n## c/\nx.txt\ny.txt\n## z/\nq.txt')
  expect(await session.text('find', { paths: ['a/b/c/*.txt'] })).toBe('# a/b/c/\nx.txt\ny.txt')
})

it('keeps the newest when there are too many, and says how many there are', async () => {
  const session = await openToolSession({ 'a.txt': '', 'b.txt': '', 'c.txt': '' })
  for (const [name, time] of Object.entries({ a: 3, b: 1, c: 2 })) await session.fs.utimes(`/workspace/${name}.txt`, time * 1e11)
  const result = await session.call('find', { paths: ['*.txt'], limit: 2 })
  expect(result.details).toMatchObject({ files: ['a.txt', 'c.txt'], resultLimitReached: 2, truncated: true })
  expect(textOf(result)).toContain('[2 of 3 results shown')
})

it('obeys ignore files of every level, but not when told otherwise, and never hides what is named', async () => {
  const session = await openToolSession({
    '.gitignore': '/out/\n*.log\n!keep.log\n',
    'out/x.js': '',
    'a/x.log': '',
    'a/keep.log': '',
    'b/.gitignore': 'y.js\n',
    'b/y.js': '',
    'c/y.js': '',
  })
  const files = async (args: Record<string, unknown>): Promise<unknown> => (await session.call('find', args)).details['files']
  expect(await files({ paths: ['**/*.{js,log}'] })).toEqual(expect.arrayContaining(['a/keep.log', 'c/y.js']))
  expect(await files({ paths: ['**/*.{js,log}'] })).toHaveLength(2)
  expect(await files({ paths: ['**/*.{js,log}'], gitignore: false })).toHaveLength(5)
  expect(await files({ paths: ['out'] })).toEqual(['x.js'])
})

it('finds files that a glob names although they are ignored or hidden', async () => {
  const session = await openToolSession({
    '.gitignore': '/out/\n*.log\n.env\n',
    'out/x.log': '',
    'a/x.log': '',
    '.env': '',
    '.hidden/y.log': '',
  })
  const files = async (args: Record<string, unknown>): Promise<unknown> => (await session.call('find', args)).details['files']
  expect(await files({ paths: ['*.log'] })).toEqual(['.hidden/y.log', 'a/x.log'])
  expect(await files({ paths: ['**/*.log'] })).toEqual([])
  expect(await files({ paths: ['.env*'], hidden: false })).toEqual(['.env'])
  expect(await files({ paths: ['*.log'], hidden: false })).toEqual(['a/x.log'])
  expect(await files({ paths: ['*'], hidden: false })).toEqual(['a/'])
})

describe('what is refused', () => {
  const rows: readonly (readonly [args: Record<string, unknown>, code: string])[] = [
    [{}, 'invalid-arguments'],
    [{ paths: [] }, 'invalid-arguments'],
    [{ paths: [' '] }, 'invalid-arguments'],
    [{ paths: ['nope'] }, 'ENOENT'],
    [{ paths: ['nope/*.ts'] }, 'ENOENT'],
    [{ paths: ['../..'] }, 'path-outside-root'],
    [{ paths: ['['] }, 'invalid-glob'],
    [{ paths: ['src/[a-z'] }, 'invalid-glob'],
    [{ paths: ['src', '![a-z'] }, 'invalid-glob'],
  ]
  it.each(rows)('%j is %s', async (args, code) => {
    expect((await (await openToolSession(project)).failure('find', args)).code).toBe(code)
  })
})

it('goes on past missing paths and names them', async () => {
  const session = await openToolSession(project)
  const result = await session.call('find', { paths: ['readme.md', 'nope'] })
  expect(result.details).toMatchObject({ files: ['readme.md'], missingPaths: ['nope'] })
  expect(textOf(result)).toContain('[Skipped missing paths: nope.]')
})

it('ends at its time-out with what it has', async () => {
  let now = 0
  const session = await openToolSession(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`d${index}/f.txt`, ''])), {
    clock: () => (now += 100),
  })
  const result = await session.call('find', { paths: ['**/*.txt'], timeout: 1 })
  expect(result).toMatchObject({ isError: false, details: { timedOut: true } })
  expect(textOf(result)).toMatch(/Stopped after 1 s with \d+ results so far/)
})

it('does not follow links, and lists them', async () => {
  const session = await openToolSession({ 'a/f.txt': '' })
  await session.fs.symlink('/workspace', '/workspace/a/up')
  expect((await session.call('find', { paths: ['.'] })).details['files']).toEqual(
    expect.arrayContaining(['a/', 'a/f.txt', 'a/up']),
  )
})
