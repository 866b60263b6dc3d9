// Databases through the tools: what addresses show, what writes do, and what stays as it was.

import { createWorkspace, textOf } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'

import { withDatabase } from '../../resources/sqlite/database.ts'
import { sourceOf } from '../../resources/sqlite/paged-file.ts'
import { bytesOfBase64, tinyDatabase } from '../../testing/documents/tiny-database.ts'

const empty = bytesOfBase64(tinyDatabase)

/** The tiny database after a script. */
async function made(script: string): Promise<Uint8Array> {
  const { changed } = await withDatabase({ main: sourceOf(empty) }, new AbortController().signal, async connection =>
    connection.execute(script),
  )
  return changed.main ?? empty
}

const people = await made(`
  ALTER TABLE users ADD COLUMN age INTEGER; UPDATE users SET age = 36 WHERE id = 1; UPDATE users SET age = 40 WHERE id = 2;
  INSERT INTO users VALUES(3, 'Cy', NULL);
  CREATE TABLE named(k TEXT PRIMARY KEY, v TEXT DEFAULT 'dv'); INSERT INTO named VALUES('x y', 'z'), ('5-16', 'range'), ('raw', 'r'), ('a:b', 'colon');
  CREATE TABLE pair(a INT, b INT, PRIMARY KEY(a, b)) WITHOUT ROWID; INSERT INTO pair VALUES(1, 2);
  CREATE TABLE loose(a, b); INSERT INTO loose VALUES(7, 'seven');
  CREATE TABLE "odd:name?x"(id INTEGER PRIMARY KEY); INSERT INTO "odd:name?x" VALUES(1);
  CREATE TABLE raw(id INTEGER PRIMARY KEY); INSERT INTO raw VALUES(42);
  CREATE VIEW adults AS SELECT name FROM users WHERE age > 36;
  CREATE TABLE many(id INTEGER PRIMARY KEY, word TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 1200) INSERT INTO many SELECT i, 'word' || i FROM n;
  CREATE TABLE checked(id INTEGER PRIMARY KEY, n INTEGER CHECK(n > 0), u INTEGER REFERENCES users(id));
`)

async function open(files: Record<string, Uint8Array | string> = {}) {
  const workspace = await createWorkspace({ fs: memory({ 'd.db': people, ...files }) })
  const tools = await workspace.toolset('atomic')
  return {
    workspace,
    call: async (name: string, args: Record<string, unknown>) => {
      const result = await tools.call(name, args)
      return { text: textOf(result), isError: result.isError, details: result.details }
    },
  }
}

describe('read of a database', () => {
  const rows: readonly (readonly [path: string, shown: string])[] = [
    ['d.db:users:2', '{"id":2,"name":"Bob","age":40}'],
    ['d.db:users?id=2', '{"id":2,"name":"Bob","age":40}'],
    ['d.db:USERS:2', '{"id":2,"name":"Bob","age":40}'],
    ['d.db:users:99', '\n\n[users has no row with the key "99"]'],
    ['d.db:named:x y', '{"k":"x y","v":"z"}'],
    ['d.db:named:x%20y', '{"k":"x y","v":"z"}'],
    ['d.db:named:5-16', '{"k":"5-16","v":"range"}'],
    ['d.db:named:raw', '{"k":"raw","v":"r"}'],
    ['d.db:named:a:b', '{"k":"a:b","v":"colon"}'],
    ['d.db:loose:1', '{"a":7,"b":"seven"}'],
    ['d.db:odd:name?x:1', '{"id":1}'],
    ['d.db:raw:42', '{"id":42}'],
    ['d.db:users?where=age > 36', '{"id":2,"name":"Bob","age":40}'],
    ['d.db:users?where=age%20%3E%2036&limit=5', '{"id":2,"name":"Bob","age":40}'],
    ["d.db:users?where=name LIKE '%ad%'", '{"id":1,"name":"Ada","age":36}'],
    ["d.db:users?where=name = 'x;--' OR id IN (SELECT 3)", '{"id":3,"name":"Cy","age":null}'],
    ['d.db:users?order=age:desc,name&limit=1', '{"id":2,"name":"Bob","age":40}\n\n[More rows follow. Continue with offset=1]'],
    ['d.db:users?limit=1&offset=2', '{"id":3,"name":"Cy","age":null}'],
    [
      'd.db:adults',
      '# adults\nSchema:\n{"cid":0,"name":"name","type":"TEXT","notnull":0,"dflt_value":null,"pk":0}\nRows:\n{"name":"Bob"}',
    ],
    ['d.db?q=select 1+1 as n', '{"n":2}'],
    ["d.db?q=select name from users where age > 36 and name <> 'x&limit=1'", '{"name":"Bob"}'],
    ['d.db:users?limit=3:2-2', '{"id":2,"name":"Bob","age":40}'],
  ]
  for (const [path, shown] of rows) {
    it(`${path}`, async () => {
      const { call } = await open()
      const { text, isError } = await call('read', { path })
      expect(isError, text).toBe(false)
      if (path.endsWith(':2-2')) expect(text).toContain(shown)
      else expect(text).toBe(shown)
    })
  }

  it('lists tables and views with their rows', async () => {
    const { call } = await open()
    const { text, details } = await call('read', { path: 'd.db' })
    expect(text).toContain('{"view":"adults"}')
    expect(text).toContain('{"table":"many","rows":1200}')
    expect(details).toMatchObject({ meta: { source: 'sqlite', sourcePath: '/workspace/d.db' } })
  })

  const refused: readonly (readonly [path: string, says: string])[] = [
    ['d.db:nope', 'no such table: nope'],
    ['d.db:users?where=1) UNION SELECT (1', 'not one expression'],
    ['d.db:users?where=id; DROP TABLE users', 'not one expression'],
    ['d.db:users?where=nope = 1', 'no such column: nope'],
    ['d.db:users?order=nope', 'no column "nope"'],
    ['d.db:users?limit=many', 'not a whole number'],
    ['d.db:users?colour=red', 'no parameter "colour"'],
    ['d.db?limit=5', 'has no parameter q'],
    ['d.db?q=delete from users', 'not authorized'],
    ['d.db:pair:1', 'no single key'],
    ['d.db:adults:1', 'no single key'],
  ]
  for (const [path, says] of refused) {
    it(`${path} says: ${says}`, async () => {
      const { call } = await open()
      const { text, isError } = await call('read', { path })
      expect(isError, text).toBe(true)
      expect(text).toContain(says)
    })
  }

  it('leaves files of such a name that are none to be plain files', async () => {
    const { call } = await open({ 'notes.db': 'just text\n' })
    expect((await call('read', { path: 'notes.db' })).text).toContain('1:just text')
    expect((await call('read', { path: 'notes.db:users' })).isError).toBe(true)
  })

  it('opens one inside of an archive', async () => {
    const { call } = await open({ 'a.zip': zipSync({ 'x/in.db': people }) })
    const { text } = await call('read', { path: 'a.zip:x/in.db' })
    expect(text).toContain('{"table":"users","rows":3}')
  })

  it('refuses a database of UTF-16 by name', async () => {
    const utf16 = people.slice()
    utf16[59] = 2
    const { call } = await open({ 'u.db': utf16 })
    const { text, isError } = await call('read', { path: 'u.db:users' })
    expect(isError, text).toBe(true)
    expect(text).toContain('UTF-16')
  })
})

describe('write to a database', () => {
  const rows: readonly (readonly [path: string, content: string, summary: string, check: string, after: string])[] = [
    ['d.db:users', "{name: 'Dee', age: 0x10,}", 'Inserted row into users', 'd.db:users:4', '{"id":4,"name":"Dee","age":16}'],
    ['d.db:named', '{}', 'Inserted row into named', "d.db:named?where=v='dv'", '{"k":null,"v":"dv"}'],
    ['d.db:named', "{id: 'new'}", 'Inserted row into named', 'd.db:named:new', '{"k":"new","v":"dv"}'],
    [
      'd.db:users:1',
      "{NAME: 'a: b, // c', age: true}",
      "Updated row '1' in users",
      'd.db:users:1',
      '{"id":1,"name":"a: b, // c","age":1}',
    ],
    [
      'd.db:users:1',
      "{age: '9007199254740993'}",
      "Updated row '1' in users",
      'd.db:users:1',
      '{"id":1,"name":"Ada","age":9007199254740993}',
    ],
    ['d.db:users:1', ' \n', "Deleted row '1' in users", 'd.db:users:1', '\n\n[users has no row with the key "1"]'],
    ['d.db:users:99', "{name: 'x'}", "No row updated for '99' in users", 'd.db:users:3', '{"id":3,"name":"Cy","age":null}'],
    ['d.db:loose:1', '{b: null}', "Updated row '1' in loose", 'd.db:loose:1', '{"a":7,"b":null}'],
  ]
  for (const [path, content, summary, check, after] of rows) {
    it(`${path} with ${JSON.stringify(content)}`, async () => {
      const { call } = await open()
      const written = await call('write', { path, content })
      expect(written.isError, written.text).toBe(false)
      expect(written.text).toContain(summary)
      expect(written.details).toMatchObject({ meta: { sourcePath: '/workspace/d.db' } })
      expect((await call('read', { path: check })).text).toBe(after)
    })
  }

  const refused: readonly (readonly [path: string, content: string, says: string])[] = [
    ['d.db:users', '', 'no row is named'],
    ['d.db:users:1', '{}', 'at least one column'],
    ['d.db:users:1', '{name: {a: 1}}', 'a string, a number'],
    ['d.db:users:1', '[1]', 'one JSON object'],
    ['d.db:users:1', 'name = x', 'not a JSON object'],
    ['d.db:users:1', '{missing: 1}', "no column named 'missing'"],
    ['d.db:users:1', '{name: 1, NAME: 2}', 'given twice'],
    ['d.db:users:1', '{age: Infinity}', 'finite'],
    ['d.db:users:1', '{age: 9007199254740993}', 'too large'],
    ['d.db:users?where=id=1', '{age: 1}', 'does not name a row'],
    ['d.db:checked', '{n: -1}', 'CHECK constraint failed'],
    ['d.db:checked', '{n: 1, u: 77}', 'FOREIGN KEY constraint failed'],
    ['d.db:users', "{id: 1, name: 'twice'}", 'UNIQUE constraint failed'],
    ['d.db:adults', "{name: 'x'}", 'is a view'],
    ['d.db:nope', '{a: 1}', 'no such table'],
    ['missing.db:users:1', '{a: 1}', 'not found'],
    ['notes.db:users', '{a: 1}', 'not SQLite'],
  ]
  for (const [path, content, says] of refused) {
    it(`${path} with ${JSON.stringify(content)} says: ${says}, and changes nothing`, async () => {
      const { call, workspace } = await open({ 'notes.db': 'just text\n' })
      const { text, isError } = await call('write', { path, content })
      expect(isError, text).toBe(true)
      expect(text).toContain(says)
      expect(await workspace.fs.readFile('/workspace/d.db')).toEqual(people)
    })
  }

  it('keeps what two writes at once do to one database', async () => {
    const { call } = await open()
    await Promise.all([1, 2, 3].map(id => call('write', { path: `d.db:users:${id}`, content: `{age: ${id * 100}}` })))
    expect((await call('read', { path: 'd.db?q=select sum(age) as s from users' })).text).toBe('{"s":600}')
  })

  it('is one change of one file', async () => {
    const { call, workspace } = await open()
    const seen: string[] = []
    await workspace.fs.watch('/workspace', ({ changes }) => void seen.push(...changes.map(({ path }) => path)))
    await call('write', { path: 'd.db:users:1', content: '{age: 1}' })
    await expect.poll(() => seen).toEqual(['/workspace/d.db'])
  })
})

describe('search of a database', () => {
  it('finds rows beyond the sample, under an address that reads the same lines', async () => {
    const { call } = await open()
    const { text } = await call('search', { pattern: 'word777"', paths: 'd.db:many' })
    expect(text).toContain('d.db:many?limit=500&offset=500:277: {"id":777,"word":"word777"}')
    const [, address = ''] = /(d\.db:many\?limit=500&offset=500)/.exec(text) ?? []
    expect((await call('read', { path: `${address}:277-277` })).text).toContain('{"id":777,"word":"word777"}')
  })

  it('goes on after a view that cannot be read', async () => {
    const broken = await made(
      "CREATE VIEW a_broken AS SELECT * FROM users WHERE id IN (SELECT x FROM gone); CREATE TABLE z(t); INSERT INTO z VALUES('needle')",
    )
    const { call } = await open({ 'b.db': broken })
    const { text, isError } = await call('search', { pattern: 'needle', paths: 'b.db' })
    expect(isError, text).toBe(false)
    expect(text).toContain('{"t":"needle"}')
    expect((await call('read', { path: 'b.db:a_broken' })).text).toContain('no such table')
  })
})
