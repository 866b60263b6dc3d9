// The command `js` beside Node: same arguments and files, same output, exit code and files.

import { expect, it } from 'vitest'

import { isDeep } from '../../testing/depth.ts'
import { callProgram, expectAbort, expectRefusal, workspaceOf } from '../../testing/programs/call-program.ts'
import { compareProgram } from '../../testing/programs/compare-program.ts'
import { jsCases, jsFiles, jsRefusals } from '../../testing/programs/js-cases.ts'
import { js } from './index.ts'

const command = js()
const realNode = { path: process.execPath, env: { NODE_NO_WARNINGS: '1' }, hasSameComplaints: false }

// A case starts a real Node, so the quick run has every third.
it.each(Object.entries(jsCases).filter((_case, index) => isDeep || index % 3 === 0))('js as Node: %s', async (_name, row) =>
  compareProgram(command, realNode, jsFiles, row),
)

it.each(Object.entries(jsRefusals))('js refuses %s', async (_name, row) => expectRefusal(command, workspaceOf(jsFiles), row))

it('a program that never ends is ended by its signal', async () => {
  const files = workspaceOf(jsFiles)
  await expectAbort(command, files, ['-e', 'fs.writeFileSync("started", ""); for (;;);'])
  expect((await callProgram(command, files, ['-p', '1 + 1'])).stdout).toBe('2\n')
})

it('programs run side by side, and one sees nothing of the others', async () => {
  const files = workspaceOf(jsFiles)
  const code = 'globalThis.seen = (globalThis.seen ?? 0) + 1; console.log(seen)'
  const answers = await Promise.all(Array.from({ length: 4 }, () => callProgram(command, files, ['-e', code])))
  answers.push(await callProgram(command, files, ['-e', code]))
  expect(answers.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 5 }, () => '1\n'))
})

it('large files and outputs arrive as a whole', async () => {
  const files = workspaceOf(jsFiles)
  await files.writeFile('/w/large.txt', new TextEncoder().encode('0123456789'.repeat(300_000)))
  const ours = await callProgram(command, files, [
    '-e',
    'const t = fs.readFileSync("large.txt", "utf8"); fs.writeFileSync("copy.txt", t); process.stdout.write(t + t.length)',
  ])
  expect(ours.stdout.length).toBe(3_000_000 + 7)
  expect((await files.stat('/w/copy.txt')).sizeBytes).toBe(3_000_000)
})
