// A workspace whose files are not the container's. Each row: the initial files of both sides, the changes of the workspace while a command
// runs, the changes of the command, and the workspace's files afterwards.

import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { runCommand, type CommandOutcome } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { containerTree, emptyContainer } from '../../testing/webcontainer/contract-backend.ts'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import { plant, show } from '../../testing/vfs-contract/context.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { readonly } from '../../vfs/readonly.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'
import { memory } from '../memory/index.ts'
import { webcontainerShell } from './shell.ts'

const host = new ContainerHost(await (await nodeTwin({ seed: 41, off: ['failing-boots', 'restricted-shell'] })).boot())
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const at = parsePath

beforeEach(() => emptyContainer(host))
afterAll(() => host.teardown())

async function open(fs: VfsBackend, root = '/'): Promise<Shell> {
  return await webcontainerShell({ connect: () => host.connect() })({ fs: createVfs(fs), root: at(root) })
}

const run = (shell: Shell, script: string): Promise<CommandOutcome> =>
  runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 1024 * 1024, timeoutMs: 20_000 })

/** Runs `script`, and `meanwhile` on the workspace after the files were copied in and before the command does anything. */
async function beside(
  fs: VfsBackend,
  shell: Shell,
  script: string,
  meanwhile: (fs: VfsBackend) => Promise<unknown>,
): Promise<CommandOutcome> {
  const running = run(shell, `${untilTold}; ${script}`)
  await hasBegun()
  await meanwhile(fs)
  await host.container.fs.writeFile('.go', '')
  return await running
}

/** A script that says that it runs, and goes on when the test makes `.go` in the container. */
const untilTold = 'touch .begun; until [ -e .go ]; do sleep 0.01; done; rm .begun .go'

async function hasBegun(): Promise<void> {
  await expect.poll(() => host.container.fs.readdir('.'), { interval: 5 }).toContain('.begun')
}

const write = (path: string, content: string) => (fs: VfsBackend) => fs.write(at(path), bytes(content), { parents: true })
const nothing = async (): Promise<void> => {}

describe('afterwards the workspace holds', () => {
  test.each<[string, string, (fs: VfsBackend) => Promise<unknown>, string, string]>([
    ['what the command made', 'a=1', nothing, 'echo 2 > b; mkdir -p d/e; echo 3 > d/e/f', 'a=1 b=2\n d/e/f=3\n'],
    ['what the command changed', 'a=1', nothing, 'echo 2 > a', 'a=2\n'],
    ['not what the command removed', 'a=1 d/x=1 d/y=2', nothing, 'rm -r d', 'a=1'],
    ['an empty directory', '', nothing, 'mkdir d', 'd/'],
    ['a link', 'a=1', nothing, 'ln -s a l', 'a=1 l->a'],
    ['a link that points elsewhere now', 'a=1 l->a', nothing, 'rm l; ln -s b l', 'a=1 l->b'],
    ['a directory in the place of a file', 'a=1', nothing, 'rm a; mkdir a; echo 2 > a/b', 'a/b=2\n'],
    ['a file in the place of a directory', 'd/x=1', nothing, 'rm -r d; echo 2 > d', 'd=2\n'],
    ['bytes as they are', 'a=1', nothing, 'cp a b', 'a=1 b=1'],
    ['what the workspace did meanwhile', 'a=1', write('/mine', 'x'), 'echo 2 > b', 'a=1 b=2\n mine=x'],
    ['the same change of both, once', 'a=1', write('/a', '2\n'), 'echo 2 > a', 'a=2\n'],
    ['both versions of what both changed', 'a=1', write('/a', 'mine'), 'echo theirs > a', 'a=mine a.from-container=theirs\n'],
    ['both versions of what both made', '', write('/a', 'mine'), 'echo theirs > a', 'a=mine a.from-container=theirs\n'],
    ['what the workspace changed and the command removed', 'a=1', write('/a', 'mine'), 'rm a', 'a=mine'],
    [
      'what the command changed and the workspace removed, beside its place',
      'a=1',
      fs => fs.remove(at('/a'), 'file'),
      'echo theirs > a',
      'a.from-container=theirs\n',
    ],
    ['what the workspace put into a directory that the command removed', 'd/x=1', write('/d/mine', 'x'), 'rm -r d', 'd/mine=x'],
    [
      'what the workspace put into a directory that the command made a file',
      'd/x=1',
      write('/d/mine', 'x'),
      'rm -r d; echo theirs > d',
      'd/mine=x d.from-container=theirs\n',
    ],
    [
      'a directory that the command made where the workspace made a file',
      '',
      write('/p', 'mine'),
      'mkdir p; echo theirs > p/q',
      'p=mine p.from-container/q=theirs\n',
    ],
  ])('%s', async (_name, tree, meanwhile, script, expected) => {
    const fs = memory()
    await plant(fs, tree)
    await beside(fs, await open(fs), script, meanwhile)
    expect(sorted(await show(fs))).toBe(sorted(expected))
  })
})

function sorted(tree: string): string {
  return tree
    .split(/ (?=[^ ])/)
    .toSorted()
    .join(' ')
}

describe('conflicts', () => {
  test('are told by the command, and as what it changed', async () => {
    const fs = memory()
    await plant(fs, 'a=1 src/b=1 c=1')
    const shell = await open(fs)
    const { stderr } = await beside(fs, shell, 'echo theirs > a; rm src/b; echo 2 > c', async () => {
      await write('/a', 'mine')(fs)
      await write('/src/b', 'mine')(fs)
    })
    expect(stderr).toBe(
      'anchorage: src/b was changed in the workspace while a command removed it; it was kept.\n' +
        "anchorage: a was changed in the workspace and by a command; the workspace's version was kept, the command's is a.from-container.\n",
    )
  })

  test('end with the next command: both sides hold both versions', async () => {
    const fs = memory()
    await plant(fs, 'a=1')
    const shell = await open(fs)
    await beside(fs, shell, 'echo theirs > a', write('/a', 'mine'))
    expect((await run(shell, 'cat a a.from-container')).output).toBe('minetheirs\n')
    expect((await run(shell, 'true')).stderr).toBe('')
    expect(await show(fs)).toBe('a=mine a.from-container=theirs\n')
  })

  test('of the same file again get a name of their own', async () => {
    const fs = memory()
    await plant(fs, 'a=1 a.from-container=older')
    await beside(fs, await open(fs), 'echo theirs > a', write('/a', 'mine'))
    expect(await show(fs)).toBe('a=mine a.from-container=older a.from-container-2=theirs\n')
  })
})

test('a command that begins while another runs does not write over what that one changed', async () => {
  const fs = memory()
  await plant(fs, 'a=1')
  const shell = await open(fs)
  const long = run(shell, `echo theirs > a; ${untilTold}`)
  await hasBegun()
  await fs.write(at('/a'), bytes('mine'))
  const { stderr } = await run(shell, 'true')
  expect(stderr).toContain("the workspace's version was kept")
  await host.container.fs.writeFile('.go', '')
  expect((await long).stderr).toBe('')
  expect(await show(fs)).toBe('a=mine a.from-container=theirs\n')
  expect(await containerTree(host)).toEqual([`/a = ${bytes('mine').join()}`, `/a.from-container = ${bytes('theirs\n').join()}`])
})

test('a copy that fails half-way is finished by the next command', async () => {
  const fs = memory()
  await plant(fs, 'a=1 gone=1')
  const shell = await open(fs)
  await run(shell, 'true')
  await fs.mkdir(at('/d'))
  await fs.write(at('/d/f'), bytes('1'))
  await fs.remove(at('/gone'), 'file')
  const failing = vi.spyOn(host.container.fs, 'writeFile').mockRejectedValue(new Error('ENOSPC: no space left on device'))
  await expect(run(shell, 'true')).rejects.toMatchObject({ code: 'ENOSPC' })
  failing.mockRestore()
  expect((await run(shell, 'ls d; cat a')).output).toBe('f\n1')
  expect(await show(fs)).toBe('a=1 d/f=1')
  expect(await containerTree(host)).toEqual(['/a = 49', '/d/', '/d/f = 49'])
})

test('what the workspace did between commands goes in', async () => {
  const fs = memory()
  await plant(fs, 'a=1 d/x=1 l->a keep=1')
  const shell = await open(fs)
  await run(shell, 'true')
  await fs.write(at('/a'), bytes('2'))
  await fs.rename(at('/d'), at('/e'))
  await fs.remove(at('/l'), 'file')
  await fs.write(at('/e/y'), new Uint8Array([0, 255, 13, 10]))
  await run(shell, 'true')
  expect(await containerTree(host)).toEqual(['/a = 50', '/e/', '/e/x = 49', '/e/y = 0,255,13,10', '/keep = 49'])
})

test('the changes are one batch, and those of the command', async () => {
  const fs = memory()
  await plant(fs, 'a=1 b=1')
  const shell = await open(fs)
  const batches: string[][] = []
  fs.watch?.(at('/'), ({ changes }) => batches.push(changes.map(({ type, path }) => `${type} ${path}`)))
  const process = await shell.start({ kind: 'script', script: 'echo 2 > a; rm b; echo 3 > c' })
  await process.exit
  expect(await process.changes?.()).toEqual({
    isCut: false,
    changes: [
      { type: 'modify', path: '/a', kind: 'file' },
      { type: 'delete', path: '/b', kind: 'file' },
      { type: 'create', path: '/c', kind: 'file' },
    ],
  })
  expect(batches.map(batch => batch.toSorted())).toEqual([['create /c', 'delete /b', 'modify /a']])
})

test('node_modules and .git stay where they are', async () => {
  const fs = memory()
  await plant(fs, 'a=1 .git/HEAD=x node_modules/mine=1')
  await host.container.fs.mkdir('node_modules')
  await host.container.fs.writeFile('node_modules/theirs', '1')
  const shell = await open(fs)
  await run(shell, 'echo 2 > node_modules/more; mkdir -p sub/node_modules; echo 3 > sub/node_modules/deep')
  expect(await show(fs)).toBe('.git/HEAD=x a=1 node_modules/mine=1 sub/')
  expect(await containerTree(host)).toContain(`/node_modules/theirs = ${bytes('1').join()}`)
})

test('what the container held before is kept, and comes out', async () => {
  await host.container.fs.writeFile('there', 'first')
  await host.container.fs.writeFile('both', 'container')
  const fs = memory()
  await plant(fs, 'both=workspace')
  await run(await open(fs), 'true')
  expect(await show(fs)).toBe('both=workspace there=first')
})

test('below another root', async () => {
  const fs = memory()
  await plant(fs, 'workspace/a=1 outside=1')
  const shell = await open(fs, '/workspace')
  expect((await run(shell, 'ls; echo 2 > b')).output).toBe('a\n')
  expect(await show(fs)).toBe('outside=1 workspace/a=1 workspace/b=2\n')
})

test('a workspace that may not be written to says so, and the command is not called done', async () => {
  const inner = memory()
  await plant(inner, 'a=1')
  const shell = await open(readonly(inner))
  const { exit } = await run(shell, 'echo 2 > b')
  expect(exit).toMatchObject({ kind: 'lost', why: expect.stringMatching(/could not be copied.*EROFS/) })
})

test('two commands at once lose nothing', async () => {
  const fs = memory()
  await plant(fs, 'a=1')
  const shell = await open(fs)
  await Promise.all(Array.from({ length: 4 }, (_, index) => run(shell, `sleep 0.0${index}; echo ${index} > f${index}`)))
  expect(await show(fs)).toBe('a=1 f0=0\n f1=1\n f2=2\n f3=3\n')
})
