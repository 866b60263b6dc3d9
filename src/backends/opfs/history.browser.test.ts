// The history of stored files across pages, in real browsers and both storages: a page ends with its worker, with or without notice.

import { afterEach, describe, expect, test } from 'vitest'
import { stride } from '../../testing/depth.ts'
import { historyScenarios, projectFiles, undoScenario } from '../../testing/history-scenarios.ts'
import { upperPlaces } from '../../testing/opfs/upper-places.ts'
import { connectWorkspace } from '../../worker/client.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { deleteStore, opfs } from './index.ts'
import { patient } from '../../testing/patient.ts'

const workers: Worker[] = []
afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate()
})

const agent = { kind: 'agent', name: 'main' } as const
const person = { kind: 'person' } as const

async function page(
  name: string,
  storage: 'opfs' | 'indexeddb',
  shell: 'none' | 'just-bash' = 'none',
): Promise<{ workspace: Workspace; kill: () => void }> {
  const made: Worker[] = []
  const start = (): Worker => {
    const worker = new Worker(new URL('../../worker/entry.ts', import.meta.url), { type: 'module' })
    made.push(worker)
    workers.push(worker)
    return worker
  }
  const fs = opfs({ name, storage: [storage] })
  const workspace = await connectWorkspace(start, { ...patient, fs, shell, history: true })
  return { workspace, kill: () => made.forEach(worker => worker.terminate()) }
}

test.each(upperPlaces)('%s: a turn is undone after a reload, and after a crash', async storage => {
  const name = `history-${storage}`
  const first = await page(name, storage)
  const { fs, history } = first.workspace
  expect(await history.caps()).toMatchObject({ records: 'all', kept: 'stored' })
  await fs.writeFile('/workspace/a.txt', 'a\nb\nc\nd\ne\n')
  await fs.writeFile('/workspace/src/b.txt', 'b\n', { parents: true })
  const checkpoint = await history.checkpoint('start')
  const turn = await history.turn({ label: 'Agent', actor: agent })
  const asAgent = first.workspace.as(agent).fs
  await asAgent.writeFile('/workspace/a.txt', 'A\nb\nc\nd\ne\n')
  await asAgent.rm('/workspace/src', { recursive: true })
  await turn.end()
  await first.workspace.as(person).fs.writeFile('/workspace/a.txt', 'A\nb\nc\nd\nE\n')
  await first.workspace.dispose()

  const second = await page(name, storage)
  const stored = await second.workspace.history.list({ turn: turn.id })
  expect(stored.entries).toMatchObject([{ label: 'Agent', by: { actor: agent } }, { label: 'Agent' }])
  const undone = await second.workspace.history.undo({ turn: turn.id })
  expect(undone).toMatchObject({ merged: ['/workspace/a.txt'], conflicts: [] })
  expect(await second.workspace.fs.readText('/workspace/a.txt')).toBe('a\nb\nc\nd\nE\n')
  expect(await second.workspace.fs.readText('/workspace/src/b.txt')).toBe('b\n')
  await second.workspace.idle()
  // What was not stored when the page crashed is a change that nobody recorded, or an entry: the files are right either way.
  await second.workspace.as(agent).fs.writeFile('/workspace/late.txt', 'late\n')
  second.kill()

  const third = await page(name, storage)
  const redone = await third.workspace.history.redo()
  expect(redone.conflicts).toEqual([])
  expect(await third.workspace.fs.readText('/workspace/a.txt')).toBe('A\nb\nc\nd\nE\n')
  expect(await third.workspace.fs.exists('/workspace/src')).toBe(false)
  await third.workspace.history.restore(checkpoint.id, { paths: ['/workspace/a.txt', '/workspace/src'] })
  expect(await third.workspace.fs.readText('/workspace/a.txt')).toBe('a\nb\nc\nd\ne\n')
  expect((await third.workspace.history.list()).damaged).toBe(0)
  await third.workspace.dispose()

  await deleteStore(name)
  const fourth = await page(name, storage)
  expect((await fourth.workspace.history.list()).entries).toEqual([])
  await fourth.workspace.dispose()
})

describe.each(upperPlaces)('undo after a reload, in %s', storage => {
  // Node plays all of them, and the quick run two.
  const step = stride({ quick: historyScenarios.length, deep: 1 })
  const isPlayed = (number: number): boolean => number === 2 || number % step === 0
  const played = historyScenarios.map((scenario, number) => ({ ...scenario, number })).filter(({ number }) => isPlayed(number))
  test.each(played)('$name', async ({ number, ...scenario }) => {
    const name = `history-${storage}-scenario-${number}`
    const open = async (): Promise<Workspace> => (await page(name, storage, 'just-bash')).workspace
    const first = await open()
    for (const [path, text] of Object.entries(projectFiles))
      await first.fs.writeFile(`/workspace/${path}`, text, { parents: true })
    await scenario.play(first)
    await first.dispose()
    const second = await open()
    const { conflicts = [], after, git } = scenario
    expect(await undoScenario(second, scenario)).toEqual({ conflicts, after, git, redoGivesBefore: true })
    await second.dispose()
    await deleteStore(name)
  })
})

test('another tab keeps its entries in memory, and says so', async () => {
  const first = await page('history-tabs', 'opfs')
  const second = await page('history-tabs', 'opfs')
  expect(await first.workspace.history.caps()).toMatchObject({ kept: 'stored' })
  expect(await second.workspace.history.caps()).toMatchObject({ records: 'all', kept: 'session' })
  await second.workspace.as(agent).fs.writeFile('/workspace/there', '1')
  await first.workspace.history.undo({ actor: agent })
  expect(await first.workspace.fs.exists('/workspace/there')).toBe(false)
  await second.workspace.as(agent).fs.writeFile('/workspace/here', '1')
  await second.workspace.history.undo({ actor: agent })
  expect(await second.workspace.fs.exists('/workspace/here')).toBe(false)
})
