// On Cloudflare Workers nothing compiles WebAssembly, so `python3` says so instead of running a program.

import { expect, it } from 'vitest'

import { memory } from '../memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { callPython } from '../../testing/python/call-python.ts'

it('python3 is refused with a reason', async () => {
  const { code, stdout, stderr } = await callPython(createVfs(memory()), ['-c', 'print(1)'])
  expect({ code, stdout }).toEqual({ code: 126, stdout: '' })
  expect(stderr).toMatch(/^python3: Cloudflare Workers compile no WebAssembly/)
})
