// Sessions of the shell as a host uses them, in this thread and across a worker: who made a change, undo of a command, and refusals.

import { describe, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { Actor } from '../core/actor.ts'
import type { Shell } from '../shell/shell.ts'
import { bareCapabilities } from '../testing/bare-shell.ts'
import type { Policy } from '../session/policy/policy.ts'
import type { Change } from '../vfs/backend.ts'
import type { OpenShellOptions, Workspace } from './workspace.ts'
import { openHere, workspacePlaces } from '../testing/workspace-places.ts'

interface Options {
  readonly policy?: Policy
  readonly history?: boolean
  readonly shell?: 'just-bash' | 'none'
}

const files = { 'src/a.txt': 'one\n', 'b.txt': 'two\n' }
const ada: Actor = { kind: 'person', name: 'Ada' }

describe.each(Object.entries(workspacePlaces))('%s', (_place, make) => {
  const open = async (options: Options = {}): Promise<Workspace> => await make({ fs: memory(files), ...options })

  test('a command changes files as the actor of its session, and is one entry of the history', async () => {
    const on = await open({ history: true })
    const changes: Change[] = []
    await on.fs.watch('/', batch => changes.push(...batch.changes))
    const shell = await on.shell.open({ actor: ada, cwd: '/workspace/src', env: { WHO: 'me' } })
    expect(shell).toMatchObject({ id: 't1', name: 'bash', input: 'lines', cwd: '/workspace/src', exitCode: undefined })
    const end = await shell.run('echo $WHO > who.txt; mv a.txt c.txt; cd ..')
    expect(end).toMatchObject({ exit: { kind: 'exited', code: 0 }, exitCode: 0, cwd: '/workspace', output: '' })
    await shell.run('echo more >> src/who.txt; false')
    expect(shell).toMatchObject({ cwd: '/workspace', exitCode: 1, isBusy: false })
    expect(shell.history).toEqual(['echo $WHO > who.txt; mv a.txt c.txt; cd ..', 'echo more >> src/who.txt; false'])
    await expect.poll(() => changes.length).toBe(3)
    expect(changes.map(({ type, path, by, origin }) => [type, path, by, origin])).toEqual([
      ['create', '/workspace/src/who.txt', { actor: ada, session: 't1', callId: 't1.1' }, 'shell'],
      ['move', '/workspace/src/c.txt', { actor: ada, session: 't1', callId: 't1.1' }, 'shell'],
      ['modify', '/workspace/src/who.txt', { actor: ada, session: 't1', callId: 't1.2' }, 'shell'],
    ])
    const { entries } = await on.history.list({ session: 't1' })
    expect(entries.map(({ by, origin }) => [by?.callId, origin])).toEqual([
      ['t1.1', 'shell'],
      ['t1.2', 'shell'],
    ])
    await on.history.undo({ session: 't1' })
    expect((await on.fs.readdir('/workspace/src')).map(({ name }) => name)).toEqual(['a.txt'])
  })

  test('output is streamed in order, before the end of its command', async () => {
    const on = await open()
    const shell = await on.shell.open()
    let shown = ''
    const reader = (async () => {
      for await (const { bytes } of shell.output) shown += new TextDecoder().decode(bytes)
    })()
    for (const line of ['echo one', 'echo two >&2', 'printf three']) {
      const { output } = await shell.run(line)
      await shell.drained()
      expect(shown.endsWith(output)).toBe(true)
    }
    expect(shown).toBe('one\ntwo\nthree')
    // More than the limit for output in transit.
    const { output, droppedBytes } = await shell.run('yes 0123456789 | head -c 3000000')
    expect(output.length + droppedBytes).toBe(3_000_000)
    await shell.drained()
    expect(shown.length).toBe(13 + 3_000_000)
    await shell.run('exit 7')
    expect(await shell.ended).toEqual({ kind: 'exited', code: 7 })
    await reader
    await expect(shell.run('true')).rejects.toMatchObject({ code: 'session-over' })
  })

  test('Ctrl+C by a key, by kill and by a signal; the session goes on', async () => {
    const on = await open()
    const shell = await on.shell.open()
    const typed = shell.run('kept=1; sleep 600')
    await expect.poll(() => shell.isBusy).toBe(true)
    await shell.write('\x03')
    expect((await typed).exitCode).toBe(130)
    const killed = shell.run('sleep 600')
    await expect.poll(() => shell.isBusy).toBe(true)
    expect(await shell.kill('kill')).toBe('delivered')
    expect((await killed).exit.kind).toBe('killed')
    const controller = new AbortController()
    const aborted = shell.run('sleep 600', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await expect.poll(() => shell.isBusy).toBe(false)
    expect((await shell.run('echo $kept')).output).toBe('1\n')
    expect((await shell.complete('cat sr', 6)).words).toEqual(['src/'])
    expect(await shell.isIncomplete('echo "')).toBe(true)
    await shell.close()
    await shell.close()
  })

  test('a person is not asked; protected directories stay; an agent needs the tool where it would be asked', async () => {
    const on = await open({ policy: { level: 'read', protect: ['src'] } })
    const shell = await on.shell.open({ actor: ada })
    expect((await shell.run('echo x > b.txt; cat b.txt')).output).toBe('x\n')
    const refused = await shell.run('echo x > src/a.txt')
    expect([refused.exitCode === 0, await on.fs.readText('/workspace/src/a.txt')]).toEqual([false, 'one\n'])
    await expect(on.shell.open({ actor: { kind: 'agent' } })).rejects.toMatchObject({ code: 'policy-refused' })
  })

  const refusals: readonly (readonly [what: string, options: object, code: string])[] = [
    ['a directory that is missing', { cwd: '/workspace/none' }, 'ENOENT'],
    ['a file as the directory', { cwd: '/workspace/b.txt' }, 'ENOTDIR'],
    ['a size that is none', { columns: 0 }, 'workspace-options'],
    ['an invalid actor', { actor: { kind: 'cat' } }, ''],
  ]
  test.each(refusals)('refuses %s', async (_what, options, code) => {
    const on = await open()
    await expect(on.shell.open(options as OpenShellOptions)).rejects.toMatchObject(code === '' ? {} : { code })
  })

  test('without a shell there is no session', async () => {
    const on = await open({ shell: 'none' })
    await expect(on.shell.open()).rejects.toMatchObject({ code: 'no-shell' })
  })
})

test('a shell of the host that has no sessions is refused by name', async () => {
  const shell: Shell = {
    capabilities: bareCapabilities,
    start: () => Promise.reject(new Error('unreachable: nothing is started')),
    dispose: () => Promise.resolve(),
  }
  const workspace = await openHere({ fs: memory(files), shell })
  await expect(workspace.shell.open()).rejects.toMatchObject({ code: 'no-sessions' })
})
