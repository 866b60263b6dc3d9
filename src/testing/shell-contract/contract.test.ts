import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Shell } from '../../shell/shell.ts'
import { shellCases } from './cases.ts'
import { judgeShellCase, type ShellCase, type ShellHarness } from './contract.ts'
import { createRealBash } from './real-bash.ts'
import { sample } from '../depth.ts'

async function openRealBash(): Promise<ShellHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'shell-contract-')))
  const shell = createRealBash(root)
  return {
    shell,
    root,
    write: async (name, content) => {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), content)
    },
    read: name => readFile(join(root, name)),
    close: async () => {
      await shell.dispose()
      await rm(root, { recursive: true, force: true })
    },
  }
}

describe('real bash keeps the shell contract', () => {
  // Each starts programs of the machine.
  it.each(sample(shellCases, 4))('$name', async shellCase => {
    expect(await judgeShellCase(shellCase, openRealBash)).toEqual([])
  })
})

describe('the contract can fail', () => {
  const wrong: ShellCase = {
    kind: 'command',
    name: 'wrong',
    command: 'echo a; echo b >&2; exit 3',
    expect: { exit: 0, stdout: 'b\n', contains: 'c', files: { f: 'x' } },
    files: { f: 'y' },
  }
  const right: ShellCase = { kind: 'command', name: 'right', command: 'echo a', expect: { output: 'a\n' } }
  const unclaimed: ShellCase = {
    ...right,
    name: 'unclaimed',
    needs: (capabilities: Shell['capabilities']) => capabilities.terminal,
  }

  it('reports every difference', async () => {
    expect(await judgeShellCase(wrong, openRealBash)).toHaveLength(4)
  })
  it.each([
    ['an excuse hides what is wrong', wrong, 'wrong', 0],
    ['an excuse that no longer holds is reported', right, 'right', 1],
    ['an excuse for what is not claimed is reported', unclaimed, 'unclaimed', 1],
    ['what is not claimed is not asked', unclaimed, 'another', 0],
  ])('%s', async (_name, shellCase, excused, count) => {
    expect(await judgeShellCase(shellCase, openRealBash, [{ case: excused, why: 'test' }])).toHaveLength(count)
  })
})
