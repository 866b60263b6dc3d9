// The history as a host uses it, in this thread and across a worker. The effects of an undo on files are tested beside the engine.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memfs } from '../backends/memfs/index.ts'
import { memory } from '../backends/memory/index.ts'
import { node } from '../backends/node/index.ts'
import type { Actor } from '../core/actor.ts'
import type { VfsPath } from '../core/path.ts'
import { recordsInMemory } from '../testing/records-in-memory.ts'
import { historyScenarios, projectFiles, undoScenario } from '../testing/history-scenarios.ts'
import { textOf } from '../testing/tool-session.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { mountBackends } from '../vfs/mount.ts'
import { overlay } from '../vfs/overlay.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'
import { openAcross, openHere, workspacePlaces } from '../testing/workspace-places.ts'
import { sample } from '../testing/depth.ts'

type Options = Pick<WorkspaceOptions, 'history'>

const files = { 'a.txt': 'one\ntwo\nthree\nfour\n', 'src/b.txt': 'b\n' }
const main: Actor = { kind: 'agent', name: 'main' }
const ada: Actor = { kind: 'person', name: 'Ada' }

describe.each(Object.entries(workspacePlaces))('%s', (_place, make) => {
  const open = async (options: Options = { history: true }): Promise<Workspace> => await make({ fs: memory(files), ...options })

  test('a turn of an agent is undone, and what a person typed meanwhile stays', async () => {
    const on = await open()
    const { fs, history } = on
    const tools = await on.toolset('ah', { actor: main })
    await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'ONE' }, { turn: 't1' })
    await tools.call('bash', { command: 'rm -rf src && echo made > made.txt' }, { turn: 't1', callId: 'c2' })
    await on.as(ada).fs.writeFile('/workspace/a.txt', 'ONE\ntwo\nthree\nFOUR\n')
    const { entries } = await history.list({ turn: 't1' })
    expect(entries.map(({ by, origin }) => [by?.actor, origin])).toEqual([
      [main, undefined],
      [main, 'shell'],
    ])
    const result = await history.undo({ turn: 't1' }, { actor: ada })
    expect(result).toMatchObject({ merged: ['/workspace/a.txt'], conflicts: [] })
    expect(await fs.readText('/workspace/a.txt')).toBe('one\ntwo\nthree\nFOUR\n')
    expect([await fs.readText('/workspace/src/b.txt'), await fs.exists('/workspace/made.txt')]).toEqual(['b\n', false])
    await history.redo()
    expect(await fs.readText('/workspace/a.txt')).toBe('ONE\ntwo\nthree\nFOUR\n')
  })

  test('a commit of the repository is undone with the files that it removed', async () => {
    const on = await open()
    const tools = await on.toolset('ah', { actor: main })
    const run = async (command: string, turn: string): Promise<string> =>
      textOf(await tools.call('bash', { command }, { turn, callId: turn }))
    const identity = 'git config user.email a@b && git config user.name A'
    await run(`git init -q && ${identity} && git add . && git commit -qm one`, 't1')
    await run('rm -rf src && git add -A && git commit -qm two', 't2')
    expect((await on.history.list({ turn: 't2' })).entries).toHaveLength(1)
    expect((await on.history.list()).entries.filter(({ by }) => by === undefined)).toEqual([])
    expect((await on.history.undo({ turn: 't2' })).conflicts).toEqual([])
    expect(await run('git log --format=%s; git status --short; cat src/b.txt', 't3')).toBe('one\nb\n')
    const shell = await on.shell.open({ actor: ada })
    await shell.run('git rm -q a.txt && git commit -qm three')
    await on.history.undo({ actor: ada })
    expect(await run('git log --format=%s; git status --short', 't4')).toBe('one\n')
    await shell.close()
  })

  test('a turn becomes a commit, and the rest stays as it is', async () => {
    const on = await open()
    const tools = await on.toolset('ah', { actor: main })
    const run = async (command: string): Promise<string> => textOf(await tools.call('bash', { command }))
    const identity = 'git config user.email a@b && git config user.name A'
    await run(`git init -q && ${identity} && git add . && git commit -qm one`)
    const turn = await on.history.turn({ label: 'Agent' })
    await run('rm -r src && mkdir made && echo 1 > made/new && mv a.txt b.txt')
    await turn.end()
    await on.as(ada).fs.writeFile('/workspace/b.txt', 'one\ntwo\nthree\nFOUR\n')
    await on.as(ada).fs.writeFile('/workspace/mine.txt', 'mine')
    await run('git add mine.txt')
    const commit = await on.history.toCommit({ turn: turn.id }, { message: 'Move it', author: { name: 'Main', email: 'm@x' } })
    expect(commit).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      paths: ['a.txt', 'b.txt', 'made/new', 'src/b.txt'],
      alsoChangedByOthers: ['b.txt'],
    })
    expect(await run('git log -1 --format="%s %an"; git status --short')).toBe('Move it Main\nA  mine.txt\n')
    await expect(on.history.toCommit({ turn: turn.id }, { message: 'Again' })).rejects.toMatchObject({ code: 'history-entry' })
  })

  test('a session sees what an undo changed', async () => {
    const on = await open()
    const { history } = on
    const tools = await on.toolset('agsh')
    await tools.call('read_file', { path: 'a.txt' })
    await tools.call('edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' }, { callId: 'c1' })
    await history.undo({ call: 'c1' })
    const edited = await tools.call('edit_file', { path: 'a.txt', old_string: '1', new_string: 'x' })
    expect([edited.isError, textOf(edited).length > 0]).toEqual([true, true])
  })

  test('a checkpoint, its restore and what an entry changed', async () => {
    const { fs, history } = await open({ history: { maxEntries: 50 } })
    const { id } = await history.checkpoint('before')
    await fs.rm('/workspace/src', { recursive: true })
    const changed = (await history.list()).entries.at(-1)
    expect(await history.changes(changed?.id ?? 0)).toMatchObject([{ type: 'delete', path: '/workspace/src' }])
    expect(await history.restore(id, { dryRun: true })).toMatchObject({ conflicts: [] })
    expect(await fs.exists('/workspace/src')).toBe(false)
    await history.restore(id)
    expect(await fs.readText('/workspace/src/b.txt')).toBe('b\n')
  })

  test('a turn that the host begins and ends, and what the history keeps', async () => {
    const { fs, history } = await open()
    expect(await history.caps()).toMatchObject({ records: 'all', kept: 'session', maxEntries: 10_000 })
    const turn = await history.turn({ label: 'Import' })
    await fs.writeFile('/workspace/new', '1')
    await turn.end()
    await fs.writeFile('/workspace/later', '1')
    expect((await history.list({ turn: turn.id })).entries).toMatchObject([{ label: 'Import' }])
    await history.checkpoint('here')
    expect(await history.checkpoints()).toMatchObject([{ kind: 'checkpoint', label: 'here' }])
    await history.undo({ turn: turn.id })
    expect([await fs.exists('/workspace/new'), await fs.exists('/workspace/later')]).toEqual([false, true])
  })

  test('errors keep their codes, and a workspace without a history says so', async () => {
    const { history } = await open()
    await expect(history.changes(99)).rejects.toMatchObject({ code: 'history-entry' })
    const off = (await open({})).history
    expect(await off.caps()).toMatchObject({ records: 'none', kept: 'none' })
    for (const asked of [
      off.list(),
      off.checkpoints(),
      off.turn(),
      off.toCommit({}, { message: '' }),
      off.undo({ id: 1 }),
      off.redo(),
      off.checkpoint('x'),
      off.restore(1),
      off.changes(1),
    ]) {
      await expect(asked).rejects.toMatchObject({ code: 'history-off' })
    }
  })
})

const scenarioPlaces: Readonly<Record<string, () => Promise<Workspace>>> = {
  'in this thread': () => openHere({ fs: memory(projectFiles), history: true }),
  'across a worker': () => openAcross({ fs: memory(projectFiles), history: true }),
  'where only what passes through is recorded': async () => {
    const on = await openHere({ fs: memfs(), history: true })
    for (const [path, text] of Object.entries(projectFiles)) await on.fs.writeFile(`/workspace/${path}`, text, { parents: true })
    return on
  },
}

describe.each(Object.entries(scenarioPlaces))('undo, %s', (place, make) => {
  test.each(place === 'in this thread' ? historyScenarios : sample(historyScenarios, 4))('$name', async scenario => {
    const workspace = await make()
    await scenario.play(workspace)
    const { conflicts = [], after, git } = scenario
    expect(await undoScenario(workspace, scenario)).toEqual({ conflicts, after, git, redoGivesBefore: true })
  })
})

describe('undo, after a reload', () => {
  test.each(sample(historyScenarios, 3))('$name', async scenario => {
    const fs = { ...memory(projectFiles), records: recordsInMemory() }
    const first = await createWorkspace({ fs, history: true })
    await scenario.play(first)
    await first.dispose()
    const workspace = await openHere({ fs, history: true })
    const { conflicts = [], after, git } = scenario
    expect(await undoScenario(workspace, scenario)).toEqual({ conflicts, after, git, redoGivesBefore: true })
  })
})

const withoutSnapshots: Readonly<Record<string, () => Promise<VfsBackend> | VfsBackend>> = {
  memfs: () => memfs(),
  'mounts, with an overlay at the root': () => mountBackends({ '/': overlay(memory()), '/in': memory() }),
  'a directory of the machine': async () => {
    const directory = await mkdtemp(join(tmpdir(), 'anchorage-history-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    return node(directory)
  },
}

test.each(Object.entries(withoutSnapshots))('%s: what passes through the workspace is undone', async (_name, make) => {
  const backend = await make()
  const on = await openHere({ fs: backend, root: '/workspace', history: true })
  const { fs, history } = on
  for (const [path, text] of Object.entries(files)) await fs.writeFile(`/workspace/${path}`, text, { parents: true })
  expect(await history.caps()).toMatchObject({ records: 'own', kept: 'session', notice: expect.stringContaining('unseen') })
  const tools = await on.toolset('ah', { actor: main })
  await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'ONE' }, { turn: 't1' })
  await tools.call(
    'bash',
    { command: 'rm -rf src && mkdir -p made/in && mv a.txt made/b.txt && ln -s b.txt made/link' },
    { turn: 't1' },
  )
  await on.as(ada).fs.writeFile('/workspace/made/b.txt', 'ONE\ntwo\nthree\nFOUR\n')
  // Another program writes without the workspace.
  await backend.write('/workspace/theirs' as VfsPath, new TextEncoder().encode('x'))
  expect(await history.undo({ turn: 't1' })).toMatchObject({ conflicts: [] })
  expect(await fs.readText('/workspace/a.txt')).toBe('one\ntwo\nthree\nFOUR\n')
  expect(await fs.readText('/workspace/src/b.txt')).toBe('b\n')
  expect((await fs.readdir('/workspace')).map(({ name }) => name)).toEqual(['a.txt', 'src', 'theirs'])
  await history.redo()
  expect(await fs.readText('/workspace/made/link')).toBe('ONE\ntwo\nthree\nFOUR\n')
})
