// The command `python3` beside CPython, in a few rows: starting the engine costs seconds. All rows run in the deep run.

import { expect, it } from 'vitest'

import { describeUnless } from '../../testing/suites.ts'
import { callPython } from '../../testing/python/call-python.ts'
import { comparePython, pythonWorkspace, whyNoPython } from '../../testing/python/compare-python.ts'
import { quickPythonCases } from '../../testing/python/python-cases.ts'
import { python3 } from './index.ts'

describeUnless(whyNoPython, 'python3 as CPython', () => {
  it.each(Object.entries(quickPythonCases))('%s', async (_name, row) => comparePython(row))
})

it('says its version without loading the engine', async () => {
  expect(await callPython(pythonWorkspace(), ['-V'])).toEqual({ stdout: 'Python 3.14.2\n', stderr: '', code: 0 })
})

it('says which file of Pyodide is missing', async () => {
  const command = python3({ indexUrl: 'file:///no/such/directory' })
  const { code, stderr } = await callPython(pythonWorkspace(), ['-c', '1'], { command })
  expect(code).toBe(126)
  expect(stderr).toContain('file:///no/such/directory/pyodide.mjs does not exist')
  expect(stderr).toContain('python3({ indexUrl })')
})

it('a program that never ends is ended by its signal, and leaves nothing of a file', async () => {
  const controller = new AbortController()
  const files = pythonWorkspace()
  const code = 'f = open("a.txt", "w"); f.write("half"); f.flush()\nimport os; os.mkdir("started")\nwhile True: pass'
  const running = callPython(files, ['-c', code], { signal: controller.signal })
  await expect.poll(() => files.exists('/w/started'), { timeout: 60_000 }).toBe(true)
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  expect(await files.readText('/w/a.txt')).toBe('one\ntwo\n')
})
