import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mountBackends } from '../../../vfs/mount.ts'
import { parsePath } from '../../../core/path.ts'
import { shellCases } from '../../../testing/shell-contract/cases.ts'
import { judgeShellCase, type ShellHarness } from '../../../testing/shell-contract/contract.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { memory } from '../../memory/index.ts'
import { node } from '../index.ts'
import { nodeShell } from './index.ts'
import { sample } from '../../../testing/depth.ts'

async function open(): Promise<ShellHarness> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'node-shell-')))
  const root = parsePath(directory)
  const fs = createVfs(mountBackends({ '/': memory(), [directory]: node(directory) }))
  const shell = await nodeShell({ directory, mountedAt: directory })({ fs, root })
  return {
    shell,
    root,
    write: async (name, content) => {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), content)
    },
    read: name => readFile(join(directory, name)),
    close: async () => {
      await shell.dispose()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describe('the Node shell keeps the shell contract', () => {
  // Each starts programs of the machine.
  it.each(sample(shellCases, 3))('$name', async shellCase => {
    expect(await judgeShellCase(shellCase, open)).toEqual([])
  })
})
