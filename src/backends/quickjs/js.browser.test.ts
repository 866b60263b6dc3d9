// The command `js` in a page. The expectations are those that Node meets.

import { expect, it } from 'vitest'

import { callProgram, expectAbort, expectCase, expectRefusal, workspaceOf } from '../../testing/programs/call-program.ts'
import { jsCases, jsFiles, jsRefusals } from '../../testing/programs/js-cases.ts'
import { js } from './index.ts'

const command = js()

it('js as Node', async () => {
  for (const row of Object.values(jsCases)) await expectCase(command, workspaceOf(jsFiles), row)
})

it('js refuses what it has not', async () => {
  for (const row of Object.values(jsRefusals)) await expectRefusal(command, workspaceOf({ 'a.txt': '' }), row)
})

it('a program that never ends is ended by its signal', async () => {
  const files = workspaceOf({ 'a.txt': '' })
  await expectAbort(command, files, ['-e', 'fs.writeFileSync("started", ""); for (;;);'])
  expect((await callProgram(command, files, ['-p', '1 + 1'])).stdout).toBe('2\n')
})
