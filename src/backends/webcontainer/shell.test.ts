// Not covered by the shell contract: terminals, processes that cannot be killed, and a container in which the runner does not work.

import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../../core/deferred.ts'
import { parsePath } from '../../core/path.ts'
import { runCommand, type CommandOutcome, type RunOptions } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { emptyContainer } from '../../testing/webcontainer/contract-backend.ts'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import type { QuirkSettings } from '../../testing/webcontainer/quirks.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'
import { memory } from '../memory/index.ts'
import { webcontainer } from './index.ts'
import { webcontainerShell, type WebContainerShellOptions } from './shell.ts'

const hosts: ContainerHost[] = []
const root = parsePath('/')

async function boot(settings: QuirkSettings): Promise<ContainerHost> {
  const host = new ContainerHost(
    await (await nodeTwin({ seed: 31, ...settings, off: ['failing-boots', ...(settings.off ?? [])] })).boot(),
  )
  hosts.push(host)
  return host
}

const common = await boot({})
beforeEach(() => emptyContainer(common))
afterAll(() => {
  for (const host of hosts) host.teardown()
})

async function open(host: ContainerHost = common, options: WebContainerShellOptions = {}): Promise<Shell> {
  const source = { connect: () => host.connect() }
  const fs = createVfs(webcontainer(source))
  await fs.stat('/')
  return await webcontainerShell(source, options)({ fs, root })
}

const run = (shell: Shell, script: string, more: Partial<RunOptions> = {}): Promise<CommandOutcome> =>
  runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 8 * 1024 * 1024, timeoutMs: 20_000, ...more })

const terminal = { columns: 80, rows: 24 }

describe('at a terminal', () => {
  test('both streams are one, and lines end as everywhere', async () => {
    const outcome = await run(await open(), 'echo a; echo b >&2; echo c', { terminal })
    expect(outcome).toMatchObject({ output: 'a\nb\nc\n', stdout: 'a\nb\nc\n', stderr: '', exit: { kind: 'exited', code: 0 } })
  })

  test('a character that is cut in two is lost, which the runner prevents', async () => {
    const shell = await open()
    await common.container.fs.writeFile('f', 'é€😀')
    expect((await run(shell, 'cat f', { terminal })).output).toContain('\ufffd')
    expect((await run(shell, 'cat f')).output).toBe('é€😀')
  })

  test('a shell can be typed to', async () => {
    const shell = await open()
    const process = await shell.start({ kind: 'file', file: 'jsh', args: [] }, { terminal })
    const output: string[] = []
    const reading = (async () => {
      for await (const { bytes } of process.output) output.push(new TextDecoder().decode(bytes))
    })()
    const type = (text: string): Promise<void> => process.write(new TextEncoder().encode(text))
    await type('echo typed\r')
    // What is typed while a command runs is input of the command.
    await expect.poll(() => output.join('')).toMatch(/\ntyped\n[^]+ $/)
    await type('exit\r')
    expect(await process.exit).toEqual({ kind: 'exited', code: 0 })
    await reading
    expect(output.join('')).toContain('\ntyped\n')
  })

  test('a command without one takes no input later', async () => {
    const process = await (await open()).start({ kind: 'script', script: 'true' })
    await expect(process.write(new Uint8Array())).rejects.toMatchObject({ code: 'stdin-closed' })
    await process.exit
  })
})

describe('what cannot be ended', () => {
  const loop = 'while true; do :; done'

  test('is lost, and the cure is named', async () => {
    const { exit } = await run(await open(), loop, { timeoutMs: 5_000 })
    expect(exit).toMatchObject({ kind: 'lost' })
    expect(JSON.stringify(exit)).toContain('tearing the container down')
  })

  test('at a terminal too', async () => {
    const { exit } = await run(await open(), loop, { timeoutMs: 5_000, terminal })
    expect(exit).toMatchObject({ kind: 'lost' })
    expect(JSON.stringify(exit)).toContain('tearing the container down')
  })

  test('does not hold up what comes after it, nor the end of the shell', async () => {
    const shell = await open()
    const stuck = await shell.start({ kind: 'script', script: loop })
    expect((await run(shell, 'echo next')).output).toBe('next\n')
    await shell.dispose()
    expect(await stuck.exit).not.toMatchObject({ kind: 'exited' })
  })
})

describe('what it says of itself', () => {
  test('the gaps that were found', async () => {
    const { capabilities } = await open()
    expect(capabilities).toMatchObject({ dialect: 'jsh', splitStreams: true, exactBytes: true, sharesVfs: true, kill: 'soft' })
    const notes = capabilities.notes.join('\n')
    for (const gap of ['here-documents', 'functions', '`!`', '`set -o pipefail`', 'grep', 'sed', '/home/project'])
      expect(notes).toContain(gap)
    for (const there of ['`a && b || c`', 'variables', '`if`']) expect(notes).not.toContain(there)
  })

  test('nothing that is there is called missing', async () => {
    const { capabilities } = await open(await boot({ seed: 32, off: ['restricted-shell', 'unkillable-loops'] }))
    expect(capabilities.notes.join('\n')).not.toMatch(/does not have/)
  })

  test('they are asked for once', async () => {
    const host = await boot({ seed: 33 })
    await open(host)
    const spawn = vi.spyOn(host.container, 'spawn')
    await open(host)
    expect(spawn).not.toHaveBeenCalled()
  })

  test('without a runner it is a terminal, and says so', async () => {
    const shell = await open(await boot({ seed: 34, on: ['no-runner'] }))
    expect(shell.capabilities).toMatchObject({ splitStreams: false, exactBytes: false, ordered: true, stdin: 'tty' })
    expect(shell.capabilities.notes.join('\n')).toContain('come as one stream')
    expect(await run(shell, 'echo a; echo b >&2; exit 3')).toMatchObject({ output: 'a\nb\n', exit: { kind: 'exited', code: 3 } })
    const missing = await runCommand(shell, { kind: 'file', file: 'no-such-command', args: [] }, { maxCaptureBytes: 1024 })
    expect(missing).toMatchObject({ exit: { kind: 'exited', code: 127 }, output: expect.stringContaining('no-such-command') })
  })
})

test('a script that is too long for an argument goes in a file, which is gone afterwards', async () => {
  const shell = await open()
  const word = 'x'.repeat(60_000)
  expect((await run(shell, `echo ${word}`)).output).toBe(`${word}\n`)
  const jobFiles = async (): Promise<string[]> =>
    (await common.container.fs.readdir('.anchorage-runtime')).filter(name => name.startsWith('job-'))
  await expect.poll(jobFiles).toEqual([])
})

test('a directory outside of the container is refused', async () => {
  const source = { connect: () => common.connect() }
  const shell = await webcontainerShell(source, { files: 'shared', mountedAt: '/workspace' })({
    fs: createVfs(memory()),
    root: parsePath('/workspace'),
  })
  await expect(run(shell, 'true', { cwd: parsePath('/elsewhere') })).rejects.toMatchObject({ code: 'ENOENT' })
  expect((await run(shell, 'pwd', { cwd: parsePath('/workspace') })).output).toBe('/home/project\n')
})

test('mounted beside other files, commands run where the workspace is', async () => {
  const source = { connect: () => common.connect() }
  const workspace = await createWorkspace({
    fs: { '/workspace': webcontainer(source) },
    shell: webcontainerShell(source, { mountedAt: '/workspace' }),
  })
  const tools = await workspace.toolset('atomic')
  await tools.call('write', { path: 'src/a.txt', content: 'a\n' })
  const { content } = await tools.call('bash', { command: 'cat a.txt; echo b > b.txt', cwd: 'src' })
  expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('a\n') })
  expect(await workspace.fs.readText('/workspace/src/b.txt')).toBe('b\n')
  await workspace.dispose()
})

test('no policy can hold back what shares its files with the container', async () => {
  const source = { connect: () => common.connect() }
  const options = { fs: webcontainer(source), root: '/', shell: webcontainerShell(source), policy: { protect: ['/secret'] } }
  await expect(createWorkspace(options)).rejects.toMatchObject({ code: 'workspace-options' })
})

test('a container that goes takes its commands along', async () => {
  const host = await boot({ seed: 35 })
  const shell = await open(host)
  const begun = deferred<void>()
  const running = run(shell, 'echo begun; sleep 20', { progressIntervalMs: 0, onOutput: () => begun.resolve() })
  await begun.promise
  host.teardown()
  expect((await running).exit).toMatchObject({ kind: 'lost', why: expect.stringContaining('torn down') })
  await expect(shell.start({ kind: 'script', script: 'true' })).rejects.toMatchObject({ code: 'container-lost' })
})

test('a shell that is disposed of while a command starts leaves nothing running', async () => {
  const host = await boot({ seed: 37 })
  const shell = await open(host)
  const starting = shell.start({ kind: 'script', script: 'sleep 20' })
  await shell.dispose()
  await expect(starting).rejects.toMatchObject({ code: 'shell-disposed' })
  await expect.poll(() => host.generation.runningProcesses).toBe(0)
})
