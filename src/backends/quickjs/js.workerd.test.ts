// On Cloudflare Workers nothing compiles WebAssembly, so `js` says so instead of running a program.

import { expect, it } from 'vitest'

import { callProgram, workspaceOf } from '../../testing/programs/call-program.ts'
import { js } from './index.ts'

it('js is refused with a reason', async () => {
  const { code, stdout, stderr } = await callProgram(js(), workspaceOf({}), ['-p', '1 + 1'])
  expect({ code, stdout }).toEqual({ code: 126, stdout: '' })
  expect(stderr).toMatch(/^js: Cloudflare Workers compile no WebAssembly/)
})
