// A session of a container: an interactive jsh, over the container's files and over copies of them.

import { afterAll, expect, test } from 'vitest'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'
import { memory } from '../memory/index.ts'
import { webcontainer } from './index.ts'
import { webcontainerShell } from './shell.ts'

const hosts: ContainerHost[] = []
afterAll(() => {
  for (const host of hosts) host.teardown()
})

async function boot(): Promise<{ connect: () => ReturnType<ContainerHost['connect']> }> {
  const host = new ContainerHost(await (await nodeTwin({ seed: 41, off: ['failing-boots', 'split-characters'] })).boot())
  hosts.push(host)
  return { connect: () => host.connect() }
}

test('jsh keeps its directory and variables, shows its prompts, and tells exit codes', async () => {
  const source = await boot()
  const workspace = await createWorkspace({ fs: webcontainer(source), shell: webcontainerShell(source), root: '/' })
  await workspace.fs.writeFile('/src/a.txt', 'a\n', { parents: true })
  const shell = await workspace.shell.open({ columns: 90, rows: 20 })
  expect(shell).toMatchObject({ name: 'jsh', input: 'keys', cwd: '/' })
  let shown = ''
  void (async () => {
    for await (const { bytes } of shell.output) shown += new TextDecoder().decode(bytes)
  })()
  expect((await shell.run('cd src')).exitCode).toBe(0)
  const { output, exitCode } = await shell.run('x=1; cat a.txt; echo $x; ls none')
  expect(output).toMatch(/a\n1\n/)
  expect(exitCode).not.toBe(0)
  expect(shell.exitCode).toBe(exitCode)
  await shell.resize(40, 10)
  await shell.drained()
  expect(shown).toContain('❯ ')
  expect(shown).not.toContain(']654')
  await shell.write('echo typed\r')
  await expect.poll(() => shown).toMatch(/typed\r\n[^]*typed\r\n/)
  await workspace.dispose()
  expect((await shell.ended).kind).toBe('killed')
})

test('over copies, a command sees what was written before, and its own files come back', async () => {
  const source = await boot()
  const workspace = await createWorkspace({
    fs: memory({ 'a.txt': 'a\n' }),
    shell: webcontainerShell(source, { files: 'synced' }),
  })
  const shell = await workspace.shell.open()
  expect((await shell.run('cat a.txt')).output).toContain('a\n')
  await workspace.fs.writeFile('/workspace/later.txt', 'later\n')
  expect((await shell.run('cat later.txt; echo back > back.txt')).output).toContain('later\n')
  expect(await workspace.fs.readText('/workspace/back.txt')).toBe('back\n')
  await workspace.dispose()
})
