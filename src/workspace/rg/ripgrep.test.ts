// ripgrep 15 is the oracle: for every call of the table, our rg has the same output, byte for byte, and the same exit code.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { isDeep } from '../../testing/depth.ts'
import { cases, type RgCase } from '../../testing/ripgrep/cases.ts'
import { pinnedRipgrep } from '../../testing/ripgrep/pinned-ripgrep.ts'
import { type Call, inMemory, onDisk, ours, theirs } from '../../testing/ripgrep/run-both.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'
import type { RgWorkspace } from './rg.ts'

const ripgrep = await pinnedRipgrep()

function callOf(call: RgCase['calls'][number]): Call {
  return 'words' in call ? { words: call.words, cd: call.cd ?? '', stdin: call.stdin } : { words: call, cd: '', stdin: undefined }
}

describeUnless(whyNotInstalled(ripgrep, 'ripgrep 15 of npm'), 'rg prints what ripgrep prints', () =>
  describe.each(cases)('$name', ({ tree, calls }) => {
    let root: string
    let workspace: RgWorkspace
    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'rg-'))
      onDisk(tree, root)
      workspace = await inMemory(tree, root)
    })
    afterAll(() => rmSync(root, { recursive: true, force: true }))

    // A call starts a real ripgrep, so the quick run has every third.
    const chosen = calls.filter((_call, index) => isDeep || index % 9 === 0)
    test.each(chosen.map(call => [JSON.stringify(call), call] as const))('%s', async (_name, call) => {
      const own = await ours(workspace, callOf(call))
      const other = theirs(ripgrep ?? '', root, callOf(call))
      expect(own).toEqual({ ...other, stderr: own.stderr })
    })
  }),
)
