// Promises of the toolset that no other test is about: what joined paths mean, the caps of databases, and the details of results.

import { zipSync, strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'

import { withDatabase } from '../../resources/sqlite/database.ts'
import { sourceOf } from '../../resources/sqlite/paged-file.ts'
import { bytesOfBase64, tinyDatabase } from '../../testing/documents/tiny-database.ts'
import { openToolSession, textOf } from '../../testing/tool-session.ts'
import { inDeepRun } from '../../testing/depth.ts'

const files = { 'a.txt': 'needle\n', 'b c.txt': 'Needle\n', 'd,e.txt': 'needle\n', 'sub/f.txt': 'needle\n' }

describe('joined and quoted paths', () => {
  const rows: readonly (readonly [
    what: string,
    paths: string | readonly string[] | undefined,
    found: readonly string[] | string,
  ])[] = [
    ['no paths are the whole workspace', undefined, ['a.txt', 'd,e.txt', 'sub/f.txt']],
    ['an empty path is the whole workspace', '', ['a.txt', 'd,e.txt', 'sub/f.txt']],
    ['an empty list is the whole workspace', [], ['a.txt', 'd,e.txt', 'sub/f.txt']],
    ['quotes around a path are taken off', '"d,e.txt"', ['d,e.txt']],
    ['a name with a comma is itself', 'd,e.txt', ['d,e.txt']],
    ['a comma joins where one part is there', 'a.txt,nowhere.txt', ['a.txt']],
    ['a semicolon joins', 'a.txt;sub/f.txt', ['a.txt', 'sub/f.txt']],
    ['blanks join where every part is there', 'a.txt sub', ['a.txt', 'sub/f.txt']],
    ['blanks do not join otherwise', 'a.txt nowhere.txt', 'ENOENT'],
  ]
  it.each(rows)('%s', async (_what, paths, found) => {
    const session = await openToolSession(files)
    const result = await session.call('search', { pattern: 'needle', ...(paths !== undefined && { paths }) })
    if (typeof found === 'string') expect(result.details['error']).toMatchObject({ code: found })
    else expect([...(result.details['files'] as readonly string[])].sort()).toEqual(found)
  })

  it('find splits and quotes alike', async () => {
    const session = await openToolSession(files)
    const found = async (path: string): Promise<unknown> => (await session.call('find', { paths: [path] })).details['files']
    expect(await found('"b c.txt"')).toEqual(['b c.txt'])
    expect(await found('a.txt,nowhere.txt')).toEqual(['a.txt'])
    expect((await session.call('find', { paths: ['a.txt nowhere.txt'] })).isError).toBe(true)
    expect((await session.call('find', { paths: ['local://sub'] })).details['files']).toEqual(['f.txt'])
  })
})

it('six tools are there from the start', async () => {
  const { tools } = await openToolSession({}, { shell: 'just-bash' })
  expect(tools.tools.map(({ name }) => name)).toEqual(['read', 'write', 'edit', 'bash', 'find', 'search'])
})

it('a terminal that the shell does not have is noted', async () => {
  const session = await openToolSession({}, { shell: 'just-bash' })
  const schema = JSON.stringify(session.tools.tools.find(({ name }) => name === 'bash')?.inputSchema)
  for (const argument of ['cwd', 'env', 'timeout', 'pty', 'async']) expect(schema).toContain(`"${argument}":`)
  expect(await session.text('bash', { command: 'echo hi', pty: true })).toMatch(/^hi\n[^]*through pipes/)
})

describe('find', () => {
  it('gives at most 200 results unless less is asked for', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}.txt`, '']))
    const session = await openToolSession(many)
    const result = await session.call('find', { paths: ['*.txt'], limit: 1_000 })
    expect(result.details).toMatchObject({ fileCount: 200, resultLimitReached: 200, truncated: true, scopePath: '*.txt' })
  })

  it('waits 5 seconds by default, and reports while it goes', async () => {
    const session = await openToolSession(files)
    const definition = session.tools.tools.find(({ name }) => name === 'find')
    expect(JSON.stringify(definition?.inputSchema)).toContain('(default 5)')
    const updates: unknown[] = []
    await session.call('find', { paths: ['*.txt'] }, { onUpdate: ({ details }) => void updates.push(details?.['files']) })
    expect(updates.at(-1)).toContain('a.txt')
  })
})

describe('search', () => {
  it('of one file has no pages', async () => {
    const session = await openToolSession(files)
    const text = await session.text('search', { pattern: 'needle', paths: 'a.txt', skip: 20 })
    expect(text).toMatch(/\*1:needle\n\n\["skip" has no meaning for a single file/)
  })

  it.each(['(?i)NEEDLE', '(?m)^needle$', '(?x) need le # why'])('takes the flags of %s in members too', async pattern => {
    const session = await openToolSession({ 'a.zip': zipSync({ 'm.txt': strToU8('x\nneedle\n') }), 'a.txt': 'x\nneedle\n' })
    expect(await session.text('search', { pattern, paths: 'a.zip' })).toContain('a.zip:m.txt:2: needle')
    expect(await session.text('search', { pattern, paths: 'a.txt' })).toContain('*2:needle')
  })
})

describe('details', () => {
  const long = `${'x'.repeat(99)}\n`.repeat(1_000)
  const served = (): Promise<Response> => Promise.resolve(new Response(long, { headers: { 'content-type': 'text/plain' } }))

  it.each([
    ['a.txt', 'file'],
    ['a.zip', 'archive'],
    ['a.zip:m.txt', 'archive'],
    ['n.rtf', 'document'],
    ['.', 'directory'],
    ['skill://s', undefined],
    ['https://e.org/', 'url'],
  ])('of a read of %s say where it comes from', async (path, source) => {
    const session = await openToolSession(
      { ...files, 'a.zip': zipSync({ 'm.txt': strToU8('m') }), 'n.rtf': '{\\rtf1 x}', '.agents/skills/s/SKILL.md': 's\n' },
      { fetch: served },
    )
    const { meta } = (await session.call('read', { path })).details as { meta: Readonly<Record<string, unknown>> }
    expect(meta).toMatchObject({ source: source ?? expect.any(String), sourcePath: expect.any(String) })
  })

  it.each(['long.txt', 'long.rtf', 'https://e.org/', 'a.zip:long.txt'])(
    'of a selection of %s that is too large say so',
    async path => {
      const rtf = `{\\rtf1 ${`${'x'.repeat(99)}\\par `.repeat(1_000)}}`
      const session = await openToolSession(
        { 'long.txt': long, 'long.rtf': rtf, 'a.zip': zipSync({ 'long.txt': strToU8(long) }) },
        { fetch: served },
      )
      const result = await session.call('read', { path: `${path}:1-1999` })
      expect(result.details).toMatchObject({ oversizedRead: { blocked: true, path, maxChars: 50_000 } })
      expect(textOf(result)).toContain('Read only what is needed')
    },
  )

  it('of a write to an archive have the path of the archive', async () => {
    const session = await openToolSession({})
    const result = await session.call('write', { path: 'a.zip:m.txt', content: 'm' })
    expect(result.details).toMatchObject({ resolvedPath: '/workspace/a.zip' })
  })
})

describe('caps of databases', () => {
  const made = async (script: string): Promise<Uint8Array> => {
    const main = sourceOf(bytesOfBase64(tinyDatabase))
    const { changed } = await withDatabase({ main }, new AbortController().signal, async connection => connection.execute(script))
    return changed.main ?? new Uint8Array()
  }
  const numbers = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ${count}) INSERT INTO t SELECT i FROM n;`

  it('500 tables are listed, those of SQLite not', async () => {
    const tables = Array.from({ length: 501 }, (_, index) => `CREATE TABLE t${index}(a);`).join('')
    const session = await openToolSession({ 'd.db': await made(`CREATE TABLE k(a INTEGER PRIMARY KEY AUTOINCREMENT);${tables}`) })
    const text = await session.text('read', { path: 'd.db' })
    expect(text.match(/^\{"table":/gm)).toHaveLength(500)
    expect(text).not.toContain('sqlite_')
  })

  inDeepRun(() =>
    it('50,001 rows are counted as more than 50,000, and rows come 5, 20, 500 or 1,000 at a time', async () => {
      const session = await openToolSession({ 'd.db': await made(`CREATE TABLE t(a);${numbers(50_001)}`) })
      expect(await session.text('read', { path: 'd.db' })).toContain('{"table":"t","rows":"50000+"}')
      const count = async (path: string): Promise<number> =>
        (await session.text('read', { path })).match(/^\{"a":/gm)?.length ?? 0
      expect(await count('d.db:t')).toBe(5)
      expect(await count('d.db:t?sampleRows=7')).toBe(7)
      expect(await session.text('read', { path: 'd.db:t?schema=1' })).toMatch(/^\{"cid":0,"name":"a"/)
      expect(await count('d.db:t?offset=3')).toBe(20)
      expect(await count('d.db:t?limit=500')).toBe(500)
      expect(await count('d.db?q=select a from t')).toBe(1_000)
      expect((await session.call('read', { path: 'd.db:t?limit=501' })).isError || (await count('d.db:t?limit=501'))).toBe(500)
    }),
  )
})
