import { describe, expect, it } from 'vitest'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase } from '../../testing/shell-contract/contract.ts'
import { justBashDeviations } from '../../testing/shell-contract/just-bash-deviations.ts'
import { harnessOver } from '../../testing/shell-contract/vfs-harness.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

describe('just-bash keeps the shell contract', () => {
  it.each(shellCases)('$name', async shellCase => {
    const open = () => harnessOver(createVfs(memory()), justBash())
    expect(await judgeShellCase(shellCase, open, justBashDeviations)).toEqual([])
  })
})
