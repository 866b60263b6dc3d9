import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isDeep, sample } from '../../testing/depth.ts'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase, unknownDeviations } from '../../testing/shell-contract/contract.ts'
import { justBashDeviations } from '../../testing/shell-contract/just-bash-deviations.ts'
import { harnessOver } from '../../testing/shell-contract/vfs-harness.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

describe.each([
  ['in a worker', 'auto', 'signal', true],
  ['on the thread of the workspace', 'none', 'soft', true],
  ...(isDeep ? ([['in a worker that shares no memory', 'auto', 'signal', false]] as const) : []),
] as const)('just-bash keeps the shell contract %s', (_where, worker, kill, sharesMemory) => {
  // The note for a page that is not isolated.
  beforeAll(() => void (sharesMemory || vi.stubGlobal('crossOriginIsolated', false)))
  afterAll(() => void vi.unstubAllGlobals())

  // A worker takes long to start, so the quick run has every fourth case there.
  it.each(worker === 'none' ? shellCases : sample(shellCases, 4))('$name', async shellCase => {
    const open = () => harnessOver(createVfs(memory()), justBash({ worker }))
    expect(await judgeShellCase(shellCase, open, justBashDeviations)).toEqual([])
  })

  it('says how a command can be ended', async () => {
    const { shell, close } = await harnessOver(createVfs(memory()), justBash({ worker }))
    expect(shell.capabilities.kill).toBe(kill)
    await close()
  })
})

it('just-bash is excused from existing rules only', () => {
  expect(unknownDeviations(shellCases, justBashDeviations)).toEqual([])
})
