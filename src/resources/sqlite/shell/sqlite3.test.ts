// The command compared with the machine's sqlite3: same arguments and files, same output, exit code and database.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, vi } from 'vitest'

import { collectOutput, inputOf } from '../../../shell/commands.ts'
import { installedCommand } from '../../../testing/search-oracle/installed-command.ts'
import { memory } from '../../../backends/memory/index.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import type { Vfs } from '../../../vfs/vfs.ts'
import { sqlite3 } from './index.ts'
import { describeUnless, whyNotInstalled } from '../../../testing/suites.ts'
import { sample } from '../../../testing/depth.ts'

const fill = [
  'create table t(a integer primary key, b text, c real, d blob)',
  `insert into t values(1,'hello world',1.5,x'41'),(2,NULL,0.25,NULL),(3,'it''s, "q"',1e100,'')`,
  'create index i on t(b)',
  'create view v as select a from t',
].join(';')

const inputs: Readonly<Record<string, string>> = {
  'd.csv': 'a,b\n1,"x, ""y"""\n2,z\n\n',
  'e.csv': '1,2\n3\n4,5,6\n',
  'crlf.csv': 'a,b\r\n1,"two\r\nlines"\r\n',
  'w.tsv': 'n\tm\n1\tone\n',
  's.sql': '.headers on\nselect 1 as one;\n-- a comment\nselect\n  2\n  as two;\n',
  'bad.sql': 'select 1;\nselect nope;\nselect 3;\n',
  'deep.sql': 'create table z(a);\ninsert into z values(1);\nselect * from z',
}

type Row = readonly [args: readonly string[], stdin?: string]

const rows: readonly Row[] = [
  ...['list', 'csv', 'json', 'line', 'column', 'table', 'box', 'markdown', 'tabs'].flatMap(mode =>
    [[], ['-header']].map((header): Row => [[`-${mode}`, ...header, 'x.db', `${fill};select * from t;select 7 as b`]]),
  ),
  ...['csv', 'json', 'column', 'box', 'line', 'list'].map((mode): Row => [
    ['-header', `-${mode}`, 'x.db', 'select 1 as a where 0'],
  ]),
  [['x.db', fill, '.tables', '.schema', '.indexes']],
  [['x.db', fill, '.dump']],
  [['x.db', '.show', '.mode csv', '.nullvalue N', '.separator "\\t" ";"', '.headers on', '.show', '.mode box', '.show']],
  [['x.db'], '.echo on\n.changes on\ncreate table t(a);\ninsert into t values(1),(2);\nselect a,\na from t;\n.print x\n'],
  [['x.db', fill, '.fullschema', 'analyze', '.fullschema', '.echo on', '.print x']],
  [['x.db', fill, '.schema t', '.tables t%', '.dump t']],
  [
    [
      'x.db',
      'create table z(a integer primary key autoincrement, "b c"); insert into z("b c") values(\'a\nb\'),(x\'00ff\')',
      '.dump',
      '.schema',
    ],
  ],
  [['x.db'], `${fill};\n.mode insert t2\nselect a, b from t;\n.mode insert\nselect a from t;\n`],
  [['x.db'], `${fill};\n.mode quote\nselect a, b, d from t;\n`],
  [
    ['x.db'],
    `${fill};\n.headers on\n.mode csv\nselect a, b from t;\n.separator ;\nselect a, b from t;\n.nullvalue NIL\n.mode list\nselect a, b from t;\n`,
  ],
  [['x.db'], 'select nope;\nselect 2;\n'],
  [['-bail', 'x.db'], 'select nope;\nselect 2;\n'],
  [['x.db'], 'create table k(a unique);insert into k values(1);\ninsert into k values(1);\nselect count(*) from k;\n'],
  [['x.db', 'create table k(a unique); insert into k values(1); insert into k values(1); select 5']],
  [['x.db', 'selec']],
  [['x.db', 'select 1;;select 2;', 'select 3 -- c']],
  [['x.db', "select '', NULL, 'a b', 'é', 0.1, 1e20, 1.0, 123456789012345678, -5"]],
  [['-csv', 'x.db', "select '', NULL, 'a b', 'é', 'a\"b', 'a;b', 'a-b'"]],
  [['-json', 'x.db', 'select \'é\' as "k""y", NULL as n, \'a\nb\tc\' as t, 1.5 as r, 1 as i']],
  [['-separator', ' - ', 'x.db', 'select 1,2']],
  [['-cmd', '.mode csv', 'x.db', "select 'a b'"]],
  [['-nullvalue', 'NIL', 'x.db', 'select NULL']],
  [[':memory:', 'select 1']],
  [['', 'create table m(a); select count(*) from m']],
  [['new.db', 'select 1']],
  [['no/dir.db', 'select 1']],
  [['junk.db', 'select * from t']],
  [['-bogus', 'x.db']],
  [['x.db', '.nope']],
  [['x.db', '.mode nope']],
  [['x.db', '.quit', 'select 9']],
  [['x.db'], 'select 1;\n.exit 3\nselect 2;\n'],
  [['x.db', '.read s.sql']],
  [['x.db', '.read bad.sql']],
  [['x.db', '.read deep.sql', 'select 2']],
  [['x.db', '.read none.sql']],
  [['x.db'], '.mode csv\n.import d.csv t\n.schema\nselect * from t;\n.import --skip 1 d.csv t\nselect count(*) from t;\n'],
  [['x.db', 'create table u(a,b)', '.import --csv e.csv u', 'select * from u']],
  [['x.db', '.import --csv crlf.csv u', '.mode quote', 'select * from u']],
  [['x.db'], '.mode tabs\n.import w.tsv u\nselect * from u;\n'],
  [['x.db', '.import --csv none.csv u']],
  [['x.db', '.print a b', ".print 'a  b'"]],
  [['x.db'], "create table t(a);\ninsert into t values('a\nb;\nc');\nselect a\nfrom t;\n"],
  [
    ['x.db'],
    'create table t(a);\ncreate trigger r after insert on t begin\nselect 1;\nend;\ninsert into t values(1);\nselect * from t;\n',
  ],
  [['x.db', 'begin; create table t(a); insert into t values(1)']],
  [['x.db', 'pragma journal_mode=wal; create table t(a); insert into t values(1)']],
  [['x.db', 'with recursive n(i) as (select 1 union all select i+1 from n where i<2000) select count(*), sum(i) from n']],
  [['-readonly', 'x.db', 'select 1']],
  ...['html', 'ascii', 'json', 'quote', 'insert', 'list', 'csv', 'line'].flatMap(mode =>
    ['off', 'on'].map((headers): Row => [
      ['x.db', fill, `.mode ${mode}`, `.headers ${headers}`, `select a, b, -1e20 as c, '<&"''>' as "x<y" from t`],
    ]),
  ),
  [['x.db', "select x'00ff', 'a' || char(0) || 'b', 2", '.mode csv', "select 'a' || char(0) || 'b', x'4100'"]],
  [
    [
      'x.db',
      fill,
      'explain query plan select * from t',
      '.mode json',
      'explain query plan select b from t where a in (select a from t) order by c',
    ],
  ],
  [
    ['x.db'],
    '.output o.txt\nselect 1;\n.print a\n.output\nselect 2;\n.once p.txt\nselect 3;\nselect 4;\n.read o.txt\n.read p.txt\n',
  ],
  [
    [
      'x.db',
      '.once o.sql',
      '.dump',
      '.read o.sql',
      'select 5',
      '.output o.txt',
      'select 6',
      '.output stdout',
      '.import o.txt t',
      'select * from t',
    ],
  ],
]

async function ours(
  vfs: Vfs,
  args: readonly string[],
  stdin: string | undefined,
): Promise<{ stdout: string; stderr: string; code: number }> {
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  const code = await sqlite3().run({
    args,
    cwd: '/w',
    env: {},
    stdin: inputOf(new TextEncoder().encode(stdin ?? '')),
    stdout,
    stderr,
    files: vfs,
    signal: new AbortController().signal,
  })
  const text = (output: typeof stdout): string => new TextDecoder().decode(output.bytes())
  return { stdout: text(stdout), stderr: text(stderr), code }
}

const program = installedCommand('sqlite3')

describeUnless(whyNotInstalled(program, 'sqlite3'), 'sqlite3 beside the real one', () => {
  // Each starts a program of the machine several times.
  it.each(sample(rows, 6).map(row => [JSON.stringify(row), row] as const))('%s', async (_title, [args, stdin]) => {
    const directory = mkdtempSync(join(tmpdir(), 'sqlite3-'))
    try {
      const files = { ...inputs, 'junk.db': 'junk '.repeat(100) }
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
      const vfs = createVfs(memory(Object.fromEntries(Object.entries(files).map(([name, text]) => [`/w/${name}`, text]))))
      const real = spawnSync('sqlite3', args, { cwd: directory, input: stdin ?? '', encoding: 'utf8' })
      const got = await ours(vfs, args, stdin)
      expect({ stdout: got.stdout, isFailed: got.code !== 0, complains: got.stderr !== '' }).toEqual({
        stdout: real.stdout,
        isFailed: real.status !== 0,
        complains: real.stderr !== '',
      })
      for (const name of ['x.db', 'new.db']) {
        const isThere = existsSync(join(directory, name))
        expect([name, await vfs.exists(`/w/${name}`)]).toEqual([name, isThere])
        if (!isThere) continue
        const content = (): string => spawnSync('sqlite3', [join(directory, name), '.dump'], { encoding: 'utf8' }).stdout
        const theirs = content()
        writeFileSync(join(directory, name), await vfs.readFile(`/w/${name}`))
        expect(content()).toBe(theirs)
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('reads what the real one wrote, and leaves a file alone that it only read', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sqlite3-'))
    try {
      spawnSync('sqlite3', [join(directory, 'x.db'), fill])
      const vfs = createVfs(memory({ '/w/x.db': new Uint8Array(readFileSync(join(directory, 'x.db'))) }))
      const { rev } = await vfs.stat('/w/x.db')
      expect((await ours(vfs, ['x.db', 'select a from t order by a'], '')).stdout).toBe('1\n2\n3\n')
      expect((await vfs.stat('/w/x.db')).rev).toBe(rev)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

it('does not count the time that a reader takes', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  try {
    let text = ''
    const code = await sqlite3().run({
      args: ['', "select 'a' union all select 'b'"],
      cwd: '/w',
      env: {},
      stdin: inputOf(new Uint8Array()),
      stdout: {
        write: async part => {
          text += String(part)
          nowMs += 60_000
        },
      },
      stderr: collectOutput(),
      files: createVfs(memory({ '/w/f': '' })),
      signal: new AbortController().signal,
    })
    expect([code, text]).toEqual([0, 'a\nb\n'])
  } finally {
    clock.mockRestore()
  }
})

it('copies a database as it is at that moment', async () => {
  const vfs = createVfs(memory({ '/w/f': '' }))
  await ours(vfs, ['x.db', `${fill};pragma user_version=7`, '.backup y.db', '.save main z.db', 'delete from t'], '')
  for (const name of ['y.db', 'z.db'])
    expect(await ours(vfs, [name, 'select count(*) from t; pragma user_version'], '')).toMatchObject({ stdout: '3\n7\n' })
  expect(await ours(vfs, ['x.db', '.backup'], '')).toMatchObject({ code: 1 })
})

it('refuses what it does not have', async () => {
  const vfs = createVfs(memory({ '/w/f': '' }))
  expect(await ours(vfs, ['x.db', "attach 'y.db' as y"], '')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('attached'),
  })
  expect(await ours(vfs, ['-readonly', 'x.db', 'create table t(a)'], '')).toMatchObject({ code: 1 })
})
