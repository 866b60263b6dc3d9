// The command `python3` in a page. The expectations are those that CPython meets. A call takes seconds in Firefox, so the deep run on Node has
// all of them.

import { expect, it } from 'vitest'

import { memory } from '../memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { callPython } from '../../testing/python/call-python.ts'
import { isDeep } from '../../testing/depth.ts'
import { pythonCases, pythonFiles, pythonRefusals, quickPythonCases } from '../../testing/python/python-cases.ts'
import { python3 } from './index.ts'

const command = python3({ indexUrl: '/node_modules/pyodide/' })

function workspace(): Vfs {
  return createVfs(memory(Object.fromEntries(Object.entries(pythonFiles).map(([name, text]) => [`/w/${name}`, text]))))
}

it('python3 as CPython', async () => {
  const rows = isDeep ? Object.entries(pythonCases).filter((_row, index) => index % 8 === 0) : Object.entries(quickPythonCases)
  for (const [name, { args, input, stdout, code = 0, complaint = '' }] of rows) {
    const ours = await callPython(workspace(), args, { input, command })
    const stderr = complaint === '' ? ours.stderr : ''
    expect({ name, stdout: ours.stdout, code: ours.code, stderr }).toEqual({ name, stdout, code, stderr: '' })
    expect(ours.stderr).toContain(complaint)
  }
  for (const { args, code, complaint } of isDeep ? Object.values(pythonRefusals).slice(0, 1) : []) {
    const ours = await callPython(workspace(), args, { command })
    expect(ours.code).toBe(code)
    expect(ours.stderr).toContain(complaint)
  }
})

it('a program that never ends is ended by its signal', async () => {
  const controller = new AbortController()
  const files = workspace()
  const running = callPython(files, ['-c', 'import os; os.mkdir("started")\nwhile True: pass'], {
    signal: controller.signal,
    command,
  })
  await expect.poll(() => files.exists('/w/started')).toBe(true)
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
})

it('says how to serve Pyodide where nobody said where it is', async () => {
  const { code, stderr } = await callPython(workspace(), ['-c', '1'])
  expect(code).toBe(126)
  expect(stderr).toContain('python3({ indexUrl })')
})

it('says which file of Pyodide is missing', async () => {
  const { code, stderr } = await callPython(workspace(), ['-c', '1'], { command: python3({ indexUrl: '/nowhere' }) })
  expect(code).toBe(126)
  expect(stderr).toContain('/nowhere/pyodide.mjs')
})
