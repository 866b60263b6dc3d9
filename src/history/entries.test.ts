// Which entries the history has.

import { describe, expect, test } from 'vitest'
import { openOn } from '../testing/history-grounds.ts'
import { agent, lines, other, person } from '../testing/history-actors.ts'
import { memory } from '../backends/memory/index.ts'
import { prepareHistory } from './prepare.ts'
import { History } from './recorder.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { actingAs, originOf } from '../vfs/origin.ts'
import { recordsInMemory } from '../testing/records-in-memory.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { show as showBackend } from '../testing/vfs-contract/context.ts'
import type { HistoryOptions } from './history.ts'
import type { VfsPath } from '../core/path.ts'

describe('entries', () => {
  test('one for each call, however it is interleaved, and one for each save', async () => {
    const { history, as } = await openOn('by snapshots', '')
    const [one, two] = [as(agent, 'c1'), as(other, 'c2')]
    await one.writeFile('/a', '1')
    await two.writeFile('/b', '1')
    await one.writeFile('/c', '1')
    await as(person).writeFile('/d', '1')
    await as(person).writeFile('/d', '2')
    const { entries } = await history.list()
    expect(entries.map(({ by }) => by?.callId ?? by?.actor.kind)).toEqual(['c1', 'c2', 'person', 'person'])
    expect((await history.changes(entries[0]?.id ?? 0)).map(({ path }) => path)).toEqual(['/a', '/c'])
    await expect(history.changes(99)).rejects.toMatchObject({ code: 'history-entry' })
    await expect(history.undo({ id: 99 })).rejects.toMatchObject({ code: 'history-entry' })
    await expect(history.redo()).rejects.toMatchObject({ code: 'history-entry' })
  })

  test('an undo is one, says what of and whose, and can be redone once', async () => {
    const { history, show, as } = await openOn('by snapshots', 'f=1')
    await as(agent, 'c1').writeFile('/f', '2')
    const { id } = await history.undo({ actor: agent }, { actor: person })
    expect((await history.list()).entries).toMatchObject([
      { kind: 'change' },
      { id, kind: 'undo', of: [1], by: { actor: person } },
    ])
    await history.redo()
    expect(await show()).toBe('f=2')
    await expect(history.redo()).rejects.toMatchObject({ code: 'history-entry' })
  })

  test('a checkpoint is come back to, whoever changed what', async () => {
    const { history, fs, show, as } = await openOn('by snapshots', 'f=1 d/g=1')
    const { id } = await history.checkpoint('before')
    await as(agent, 'c1').rm('/d', { recursive: true })
    await as(person).writeFile('/f', '2')
    await fs.writeFile('/new', '3')
    expect((await history.restore(id)).conflicts).toEqual([])
    expect(await show()).toBe('d/g=1 f=1')
    expect((await history.list()).entries.at(0)).toMatchObject({ kind: 'checkpoint', label: 'before' })
  })

  test('the oldest go when there are too many, or they hold too much', async () => {
    const backend = memory({ '/f': '0' })
    const prepared = await prepareHistory(backend, () => 1)
    const history = new History(prepared, () => 1, { maxEntries: 3 })
    const bounded = new History(prepared, () => 1, { maxBytes: 1000 })
    for (let number = 0; number < 5; number++) {
      await createVfs(actingAs(backend, originOf({ actor: agent, callId: `c${number}` }))).writeFile(
        '/f',
        `${number}`.repeat(400),
      )
    }
    expect(await history.list()).toMatchObject({ dropped: 2, entries: [{ id: 3 }, { id: 4 }, { id: 5 }] })
    expect((await bounded.list()).dropped).toBeGreaterThan(1)
  })
})

describe('entries of an earlier page', () => {
  async function pages(options: { readonly hasRoom?: () => boolean } = {}) {
    const records = recordsInMemory(options.hasRoom)
    const backend: VfsBackend = { ...memory(), records }
    let history: History | undefined
    return {
      records,
      backend,
      fs: createVfs(backend),
      main: createVfs(actingAs(backend, originOf({ actor: agent, turn: 't1' }))),
      show: () => showBackend(backend),
      turnPage: async (limits: HistoryOptions = {}): Promise<History> => {
        await history?.close()
        history = new History(await prepareHistory(backend, () => 1), () => 1, limits)
        return history
      },
    }
  }

  test('are listed, compared, redone, and their checkpoints restored', async () => {
    const { fs, main, show, turnPage } = await pages()
    const first = await turnPage()
    await fs.writeFile('/f', '1')
    const { id } = await first.checkpoint('before')
    await main.rename('/f', '/g')
    await first.undo({ turn: 't1' })
    await first.redo()
    const listed = (await first.list()).entries
    const second = await turnPage()
    expect((await second.list()).entries).toEqual(listed)
    expect(await second.checkpoints()).toMatchObject([{ label: 'before', id }])
    expect(await second.changes(id + 1)).toMatchObject([{ type: 'move', oldPath: '/f', path: '/g' }])
    await main.writeFile('/new', 'x')
    expect((await second.list()).entries.at(-1)?.id).toBeGreaterThan(listed.at(-1)?.id ?? 0)
    expect((await (await turnPage()).restore(id)).conflicts).toEqual([])
    expect(await show()).toBe('f=1')
  })

  test('stay where somebody changed files without a record', async () => {
    const { backend, fs, main, show, turnPage } = await pages()
    await turnPage()
    await fs.writeFile('/f', lines('a b c d e'))
    await main.writeFile('/f', lines('A b c d e'))
    await main.writeFile('/g', 'g')
    await main.mkdir('/d')
    await (await turnPage()).close()
    await fs.writeFile('/f', lines('A b c d E'))
    await fs.writeFile('/d/theirs', 'x')
    await backend.rename('/g' as VfsPath, '/h' as VfsPath)
    const history = await turnPage()
    const result = await history.undo({ turn: 't1' })
    expect(result).toMatchObject({ merged: ['/f'], conflicts: [{ path: '/d' }, { path: '/d/theirs' }] })
    expect(await fs.readText('/f')).toBe(lines('a b c d E'))
    expect(await show()).toContain('d/theirs=x')
  })

  test('that were torn are dropped, and the list says so', async () => {
    const { records, fs, main, turnPage } = await pages()
    await turnPage()
    await fs.writeFile('/f', '1')
    await main.writeFile('/f', '2')
    await main.writeFile('/g', '2')
    await (await turnPage()).close()
    const [, second, third] = [...records.stored.keys()]
    const torn = records.stored.get(second ?? 0)
    if (torn !== undefined) records.stored.set(second ?? 0, { ...torn, body: torn.body.slice(0, -1) })
    records.stored.set(third ?? 0, { head: '{"id":', body: new Uint8Array() })
    const history = await turnPage()
    expect(await history.list()).toMatchObject({ damaged: 1, entries: [{ id: 1 }, { id: 2 }] })
    expect(await history.undo({ turn: 't1' })).toMatchObject({ restored: [], conflicts: [] })
    expect(await history.list()).toMatchObject({ damaged: 2, entries: [{ id: 1 }] })
    expect(await (await turnPage()).list()).toMatchObject({ damaged: 0, entries: [{ id: 1 }] })
  })

  test('are bounded like the others, and a full storage is told', async () => {
    const { records, main, turnPage } = await pages()
    await turnPage({ maxEntries: 3 })
    for (let number = 0; number < 9; number++) await main.writeFile('/f', `${number}`)
    await turnPage({ maxEntries: 3 })
    expect(records.stored.size).toBe(3)
    expect((await (await turnPage({ maxEntries: 2 })).list()).dropped).toBe(1)
    const large = await pages()
    await large.turnPage()
    for (let number = 0; number < 5; number++) await large.main.writeFile('/f', `${number}`.repeat(400))
    expect((await (await large.turnPage({ maxBytes: 1_000 })).list()).dropped, 'bytes of an earlier page count').toBeGreaterThan(
      1,
    )
    const full = await pages({ hasRoom: () => false })
    const history = await full.turnPage()
    expect(await history.caps()).toMatchObject({ records: 'all', kept: 'stored', maxBytes: 256 * 1024 * 1024 })
    await full.main.writeFile('/f', '1')
    await history.flush()
    expect(await history.caps()).toMatchObject({ kept: 'session', notice: expect.stringContaining('may be full') })
    expect((await history.undo({ turn: 't1' })).restored).toEqual(['/f'])
  })
})

test('a turn has what is changed until its end, for one actor if it is asked for', async () => {
  const { history, show, as } = await openOn('by snapshots', 'f=1')
  const turn = await history.beginTurn({ label: 'Rename', actor: agent })
  await as(agent).writeFile('/f', '2')
  await as(person).writeFile('/mine', '1')
  await as(agent, 'c1', 't9').writeFile('/other', '1')
  await history.endTurn(turn)
  await history.endTurn(turn)
  await as(agent).writeFile('/later', '1')
  expect((await history.list({ turn })).entries).toMatchObject([{ turn, label: 'Rename', by: { actor: agent } }])
  await history.undo({ turn })
  expect(await show()).toBe('f=1 later=1 mine=1 other=1')
})
