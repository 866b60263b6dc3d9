// The command `js` in a page. The expectations are those that Node meets.

import { expect, it } from 'vitest'

import { memory } from '../memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { callJs } from '../../testing/js/call-js.ts'
import { jsCases, jsFiles, jsRefusals } from '../../testing/js/js-cases.ts'

it('js as Node', async () => {
  for (const [name, { args, input, stdout, code = 0, complaint }] of Object.entries(jsCases)) {
    const files = createVfs(memory(Object.fromEntries(Object.entries(jsFiles).map(([file, text]) => [`/w/${file}`, text]))))
    const ours = await callJs(files, args, input)
    expect({ name, stdout: ours.stdout, code: ours.code, stderr: complaint === undefined ? ours.stderr : '' }).toEqual({
      name,
      stdout,
      code,
      stderr: '',
    })
    if (complaint !== undefined) expect(ours.stderr).toContain(complaint)
  }
})

it('js refuses what it has not', async () => {
  for (const { args, code, complaint } of Object.values(jsRefusals)) {
    const ours = await callJs(createVfs(memory({ '/w/a.txt': '' })), args)
    expect(ours.code).toBe(code)
    expect(ours.stderr).toContain(complaint)
  }
})

it('a program that never ends is ended by its signal', async () => {
  const controller = new AbortController()
  const files = createVfs(memory({ '/w/a.txt': '' }))
  const running = callJs(files, ['-e', 'fs.writeFileSync("started", ""); for (;;);'], undefined, controller.signal)
  await expect.poll(() => files.exists('/w/started')).toBe(true)
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  expect((await callJs(files, ['-p', '1 + 1'])).stdout).toBe('2\n')
})
