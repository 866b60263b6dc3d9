// The engine compared with the sqlite3 program: databases that it creates are read here, and changed here and checked by it.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { isDeep, seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { SqlError } from './connection.ts'
import { withDatabase, type ChangedFiles, type DatabaseFiles } from './database.ts'
import { sourceOf, type RangeSource } from './paged-file.ts'
import { jsonRow } from './rows.ts'
import { tablesOf } from './tables.ts'
import { applyRowChange, parseRowChange } from './write.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'anchorage-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { signal } = new AbortController()

/** Runs a script of the sqlite3 program on a new or an existing file. */
function sqlite(file: string, script: string): string {
  return execFileSync('sqlite3', ['-bail', join(folder, file)], { input: script, encoding: 'utf8', maxBuffer: 1 << 28 })
}

function filesOf(file: string, wrap: (bytes: Uint8Array) => RangeSource = sourceOf): DatabaseFiles {
  const source = (ending: string): RangeSource | undefined =>
    existsSync(join(folder, file + ending)) ? wrap(new Uint8Array(readFileSync(join(folder, file + ending)))) : undefined
  const main = source('')
  if (main === undefined) throw new Error(`${file} is missing`)
  return { main, wal: source('-wal'), journal: source('-journal') }
}

/** Bytes that arrive later, as from a filesystem without a fast path. */
function slowSourceOf(bytes: Uint8Array): RangeSource {
  return { sizeBytes: bytes.length, read: (start, end) => Promise.resolve(bytes.slice(start, end)) }
}

function put(file: string, changed: ChangedFiles): void {
  for (const [role, ending] of [
    ['main', ''],
    ['wal', '-wal'],
    ['journal', '-journal'],
  ] as const) {
    const bytes = changed[role]
    if (bytes !== undefined) writeFileSync(join(folder, file + ending), bytes)
  }
}

async function query(files: DatabaseFiles, sql: string, isForeign = true): Promise<readonly string[]> {
  const { result } = await withDatabase(files, signal, connection => connection.query(sql, { isForeign, maxRows: 100_000 }))
  return result.rows.map(values => jsonRow(result.columns, values))
}

const someTexts = ["it's", 'two\nlines', 'ä€𝄞', '', '0x10', '"quoted"', 'NULL', 'a,b', 'tab\there', '12', "x'00'"]

function literal(random: Random): string {
  const pick = random.below(6)
  if (pick === 0) return 'NULL'
  if (pick === 1) return String(random.below(2 ** 31) * (random.chance(0.5) ? 1 : -1))
  if (pick === 2) return random.pick(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])
  if (pick === 3) return String(random.below(1_000_000) / 8)
  if (pick === 4 && random.chance(0.1)) return `printf('%.*c', ${random.below(9_000)}, 'x')`
  return `'${random.pick(someTexts).replaceAll("'", "''")}'`
}

/** A script that makes a database of any shape. */
function databaseScript(random: Random): string {
  const lines = [`PRAGMA page_size=${512 << random.below(8)};`, `PRAGMA auto_vacuum=${random.below(3)};`]
  if (random.chance(0.4)) lines.push('PRAGMA journal_mode=WAL;', '.dbconfig no_ckpt_on_close on')
  lines.push(
    random.pick([
      'CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b REAL, c);',
      'CREATE TABLE t(id TEXT PRIMARY KEY, a, b INT, c BLOB) WITHOUT ROWID;',
      'CREATE TABLE t(id INT PRIMARY KEY, a, b NUMERIC, c);',
    ]),
  )
  if (random.chance(0.5)) lines.push('CREATE INDEX i ON t(a, b);')
  if (random.chance(0.3)) lines.push('CREATE VIEW v AS SELECT a, count(*) AS n FROM t GROUP BY a;')
  const rows = random.below(4) === 0 ? random.below(3_000) : random.below(40)
  lines.push('BEGIN;')
  for (let id = 1; id <= rows; id++) {
    lines.push(`INSERT OR IGNORE INTO t VALUES(${id}, ${literal(random)}, ${literal(random)}, ${literal(random)});`)
    if (random.chance(0.05)) lines.push('COMMIT; BEGIN;')
  }
  lines.push('COMMIT;')
  if (random.chance(0.3)) lines.push(`DELETE FROM t WHERE rowid_or_id % 3 = 0;`.replace('rowid_or_id', 'CAST(id AS INT)'))
  return lines.join('\n')
}

/** The output that both programs write in the same way: types, exact integers, and text unchanged. */
const comparable = (table: string): string =>
  `SELECT json_array(${['id', 'a', 'b', 'c'].map(column => `typeof(${column}), iif(typeof(${column}) = 'real', printf('%.15g', ${column}), quote(${column}))`).join(', ')}) AS line FROM ${table} ORDER BY id`

function linesOf(rows: readonly string[]): readonly unknown[] {
  return rows.map(row => (JSON.parse(row) as { line: unknown }).line)
}

describeUnless(whyNotInstalled(hasSqlite, 'sqlite3'), 'a database made by sqlite3', () => {
  it('reads the same, with the bytes at once or later, and with its write-ahead log', async () => {
    await forSeeds(seeds({ quick: 2, deep: 250 }), async (random, seed) => {
      const file = `read-${seed}.db`
      sqlite(file, databaseScript(random))
      const files = filesOf(file)
      const slow = filesOf(file, slowSourceOf)
      // The program itself would move the log into the database.
      const ours = linesOf(await query(files, comparable('t')))
      expect(linesOf(await query(slow, comparable('t')))).toEqual(ours)
      expect(ours).toEqual(
        sqlite(file, `${comparable('t')};`)
          .trimEnd()
          .split('\n')
          .filter(Boolean),
      )
    })
  })

  it('is sound after a row was written, and holds what sqlite3 would have written', async () => {
    await forSeeds(seeds({ quick: 1, deep: 250 }), async (random, seed) => {
      const file = `write-${seed}.db`
      const twin = `twin-${seed}.db`
      const script = databaseScript(random)
      sqlite(file, script)
      sqlite(twin, script)
      for (let step = 0; step < 4; step++) {
        const key = random.below(45)
        const text = random.pick(someTexts)
        const quoted = `'${text.replaceAll("'", "''")}'`
        const change = random.pick(['insert', 'update', 'delete'] as const)
        const content =
          change === 'delete'
            ? ''
            : JSON.stringify({ ...(change === 'insert' ? { id: 50_000 + step } : {}), a: text, b: key / 4 })
        sqlite(
          twin,
          {
            insert: `INSERT INTO t(id, a, b) VALUES(${50_000 + step}, ${quoted}, ${key / 4});`,
            update: `UPDATE t SET a=${quoted}, b=${key / 4} WHERE id='${key}';`,
            delete: `DELETE FROM t WHERE id='${key}';`,
          }[change],
        )
        const { changed } = await withDatabase(
          filesOf(file, random.chance(0.3) ? slowSourceOf : sourceOf),
          signal,
          async connection => {
            const [table] = (await tablesOf(connection)).filter(({ name }) => name === 't')
            if (table === undefined) throw new Error('no table')
            const row = await parseRowChange(content, change === 'insert' ? undefined : String(key))
            return applyRowChange(connection, table, row)
          },
        )
        put(file, changed)
      }
      expect(sqlite(file, 'PRAGMA integrity_check;').trim()).toBe('ok')
      expect(sqlite(file, `${comparable('t')};`)).toBe(sqlite(twin, `${comparable('t')};`))
    })
  })

  it('shows a half-done transaction as sqlite3 does: taken back', async () => {
    sqlite('hot.db', "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c); INSERT INTO t VALUES(1, 'kept', 0, 0);")
    // A crash after the pages were written and before the journal was removed, simulated by a copy.
    sqlite(
      'hot.db',
      [
        'PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN;',
        "UPDATE t SET a='lost';",
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<4000) INSERT INTO t SELECT i, printf('%.200c','x'), 0, 0 FROM n;",
        `.shell cp ${join(folder, 'hot.db')} ${join(folder, 'crash.db')}; cp ${join(folder, 'hot.db-journal')} ${join(folder, 'crash.db-journal')}`,
        'ROLLBACK;',
      ].join('\n'),
    )
    const files = filesOf('crash.db')
    expect(files.journal?.sizeBytes).toBeGreaterThan(0)
    expect(await query(files, 'SELECT id, a FROM t')).toEqual(['{"id":1,"a":"kept"}'])
  })

  it(`of ${isDeep ? 105 : 30} MB is read in parts: a row by its key costs a few pages`, async () => {
    sqlite(
      'large.db',
      `CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<${isDeep ? 200_000 : 60_000}) INSERT INTO t SELECT i, printf('%.500c', 'x') || i FROM n;`,
    )
    const bytes = new Uint8Array(readFileSync(join(folder, 'large.db')))
    // Reading all of it may take longer than a query may take.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    let readBytes = 0
    const counted = (isSlow: boolean): RangeSource => ({
      sizeBytes: bytes.length,
      read(start, end) {
        readBytes += end - start
        return isSlow ? Promise.resolve(bytes.slice(start, end)) : bytes.subarray(start, end)
      },
    })
    for (const isSlow of [false, true]) {
      readBytes = 0
      expect(await query({ main: counted(isSlow) }, 'SELECT id FROM t WHERE id = 43210')).toEqual(['{"id":43210}'])
      expect(readBytes).toBeLessThan(bytes.length / 10)
      expect(await query({ main: counted(isSlow) }, "SELECT count(*) AS n FROM t WHERE a > 'y'")).toEqual(['{"n":0}'])
    }
  })
})

/** A small database without the program: the engine creates it from an empty page. */
const emptyDatabase = new Uint8Array(
  Buffer.from(
    `U1FMaXRlIGZvcm1hdCAzAAIAAQEAQCAgAAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAA=`,
    'base64',
  ),
)
async function made(script: string): Promise<Uint8Array> {
  const page = new Uint8Array(512)
  page.set(emptyDatabase.subarray(0, 100))
  page.set([0x0d, 0, 0, 0, 0, 2, 0, 0], 100)
  const { changed } = await withDatabase({ main: sourceOf(page) }, signal, async connection => connection.execute(script))
  if (changed.main === undefined) throw new Error('nothing was made')
  return changed.main
}

describe('a query from outside', () => {
  const refused = [
    ["ATTACH 'x' AS x", 'opening another file'],
    ['DELETE FROM t', 'deleting'],
    ['INSERT INTO t VALUES(9, 9) RETURNING *', 'a write that gives rows'],
    ['DROP TABLE t', 'dropping'],
    ['PRAGMA user_version', 'a pragma'],
    ['PRAGMA writable_schema=1', 'a pragma that writes'],
    ["SELECT * FROM pragma_table_info('t')", 'a pragma as a function'],
    ['SELECT * FROM sqlite_master', "SQLite's own tables"],
    ['SELECT (SELECT sql FROM "SQLITE_SCHEMA" LIMIT 1)', 'the same below'],
    ['WITH x AS (SELECT * FROM sqlite_master) SELECT count(*) FROM x', 'the same behind a name'],
    ['SELECT 1; SELECT 2', 'two statements'],
    ['SELECT 1; DELETE FROM t', 'a write behind'],
    ['EXPLAIN SELECT 1', 'an explanation'],
    ['BEGIN', 'a transaction'],
    ["VACUUM INTO 'x'", 'a copy'],
    ["SELECT load_extension('x')", 'loading code'],
    ['SELECT ?', 'a parameter without a value'],
    ['', 'nothing'],
    ['-- only a comment', 'a comment'],
    ['SELECT', 'half of a statement'],
    ['SELECT zeroblob(500000000)', 'a value that is too large'],
  ] as const
  for (const [sql, what] of refused) {
    it(`may not be: ${what}`, async () => {
      const main = sourceOf(await made('CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2)'))
      await expect(query({ main }, sql)).rejects.toBeInstanceOf(SqlError)
      expect(await query({ main }, 'SELECT count(*) AS n FROM t')).toEqual(['{"n":1}'])
    })
  }

  const allowed = [
    ['SELECT 1 -- with a comment', '{"1 -- with a comment":1}'],
    ['SELECT 1 AS a;', '{"a":1}'],
    ['WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<5) SELECT sum(i) AS s FROM n', '{"s":15}'],
    ["SELECT 'delete; -- drop' AS word", '{"word":"delete; -- drop"}'],
    ['SELECT a, a FROM t', '{"a":1,"a:1":1}'],
    ['SELECT a FROM t UNION SELECT b FROM t ORDER BY 1', '{"a":1}\n{"a":2}'],
    ['SELECT * FROM v', '{"a":1}'],
    ["SELECT rowid FROM f WHERE f MATCH 'word'", '{"rowid":1}'],
    ['SELECT id FROM r WHERE x0 > 0', '{"id":7}'],
    ['SELECT 9007199254740993 AS n', '{"n":9007199254740993}'],
    ['SELECT 1e999 AS n, -1e999 AS m', '{"n":9e999,"m":-9e999}'],
    ["SELECT x'00ff' AS b", '{"b":{"blobBytes":2,"hex":"00ff"}}'],
    ["SELECT json_extract('{\"a\":[1]}', '$.a') AS j", '{"j":"[1]"}'],
  ] as const
  for (const [sql, expected] of allowed) {
    it(`may be: ${sql}`, async () => {
      const main = sourceOf(
        await made(
          `CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2); CREATE VIEW v AS SELECT a FROM t;
           CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES('a word here');
           CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES(7, 1, 2);`,
        ),
      )
      const { result } = await withDatabase({ main }, signal, async connection => {
        const { openVirtualTables } = await import('./read.ts')
        await openVirtualTables(connection, await tablesOf(connection))
        return connection.query(sql, { isForeign: true })
      })
      expect(result.rows.map(values => jsonRow(result.columns, values)).join('\n')).toBe(expected)
    })
  }

  it('that never ends is stopped, and the next one runs', async () => {
    const main = sourceOf(await made('CREATE TABLE t(a)'))
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n'
    await expect(query({ main }, endless)).rejects.toMatchObject({ isInterrupted: true })
    expect(await query({ main }, 'SELECT 1 AS a')).toEqual(['{"a":1}'])
  })

  it('is not stopped for the time that others took between two rows', async () => {
    const main = sourceOf(await made('CREATE TABLE t(a)'))
    const now = performance.now.bind(performance)
    let othersMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + othersMs)
    onTestFinished(() => clock.mockRestore())
    const pause = async (): Promise<void> => void (othersMs += 2_000)
    const { result } = await withDatabase({ main }, signal, connection =>
      connection.query('SELECT 1 AS a UNION ALL SELECT 2', { pause }),
    )
    expect(result.rows.length).toBe(2)
  })

  it('that gives rows without end hears an abort between them', async () => {
    const main = sourceOf(await made('CREATE TABLE t(a)'))
    const controller = new AbortController()
    let rows = 0
    const work = withDatabase({ main }, controller.signal, connection =>
      connection.query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n', {
        isForeign: true,
        pause: async () => {
          if (++rows === 100) controller.abort(new Error('enough'))
          controller.signal.throwIfAborted()
        },
      }),
    )
    await expect(work).rejects.toThrow('enough')
    expect(rows).toBe(100)
  })
})

describe('a damaged database', () => {
  it('is refused or read, never waited for, whatever its bytes are', async () => {
    const whole = await made(
      `CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t(a);
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<300) INSERT INTO t SELECT i, printf('%.50c', 'x') || i FROM n;`,
    )
    await forSeeds(seeds({ quick: 5, deep: 4_000 }), async (random, seed) => {
      const bytes = whole.slice(0, random.chance(0.3) ? random.below(whole.length) : whole.length)
      for (let count = random.below(20); count >= 0; count--) bytes[16 + random.below(bytes.length)] = random.below(256)
      const files = { main: sourceOf(bytes), ...(seed % 4 === 0 ? { wal: sourceOf(bytes.slice(100)) } : {}) }
      await query(files, 'SELECT * FROM t ORDER BY a').catch((error: unknown) => expect(error).toBeInstanceOf(SqlError))
      await withDatabase(files, signal, async connection => {
        const [table] = await tablesOf(connection)
        if (table !== undefined) await applyRowChange(connection, table, await parseRowChange("{a: 'y'}", '7'))
      }).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
    })
    expect(await query({ main: sourceOf(whole) }, 'SELECT count(*) AS n FROM t')).toEqual(['{"n":300}'])
  })
})
