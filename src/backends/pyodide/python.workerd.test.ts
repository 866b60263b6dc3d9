// On Cloudflare Workers nothing compiles WebAssembly, so `python3` says so instead of running a program.

import { expect, it } from 'vitest'

import { callProgram, workspaceOf } from '../../testing/programs/call-program.ts'
import { python3 } from './index.ts'

it('python3 is refused with a reason', async () => {
  const { code, stdout, stderr } = await callProgram(python3(), workspaceOf({}), ['-c', 'print(1)'])
  expect({ code, stdout }).toEqual({ code: 126, stdout: '' })
  expect(stderr).toMatch(/^python3: Cloudflare Workers compile no WebAssembly/)
})
