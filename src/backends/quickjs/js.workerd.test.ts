// On Cloudflare Workers nothing compiles WebAssembly, so `js` says so instead of running a program.

import { expect, it } from 'vitest'

import { memory } from '../memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { callJs } from '../../testing/js/call-js.ts'

it('js is refused with a reason', async () => {
  const { code, stdout, stderr } = await callJs(createVfs(memory()), ['-p', '1 + 1'])
  expect({ code, stdout }).toEqual({ code: 126, stdout: '' })
  expect(stderr).toMatch(/^js: Cloudflare Workers compile no WebAssembly/)
})
