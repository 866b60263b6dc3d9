import { InMemoryFs } from 'just-bash/browser'
import { describe, expect, it } from 'vitest'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase } from '../../testing/shell-contract/contract.ts'
import { harnessOver, strictFiles } from '../../testing/shell-contract/files-harness.ts'
import { justBashDeviations } from '../../testing/shell-contract/just-bash-deviations.ts'
import { createJustBash } from './shell.ts'

describe('just-bash keeps the shell contract', () => {
  it.each(shellCases)('$name', async shellCase => {
    const open = () => harnessOver(strictFiles(new InMemoryFs()), createJustBash)
    expect(await judgeShellCase(shellCase, open, justBashDeviations)).toEqual([])
  })
})
