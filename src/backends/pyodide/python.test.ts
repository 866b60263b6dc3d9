// The command `python3` beside CPython, in a few rows: starting the engine costs seconds. All rows run in the deep run.

import { expect, it } from 'vitest'

import { describeUnless } from '../../testing/suites.ts'
import { callProgram, expectAbort, workspaceOf } from '../../testing/programs/call-program.ts'
import { compareProgram } from '../../testing/programs/compare-program.ts'
import { pythonFiles, quickPythonCases } from '../../testing/programs/python-cases.ts'
import { pythonCommand } from '../../testing/programs/python-command.ts'
import { realPython, whyNoPython } from '../../testing/programs/real-python.ts'
import { python3 } from './index.ts'

describeUnless(whyNoPython, 'python3 as CPython', () => {
  it.each(Object.entries(quickPythonCases))('%s', async (_name, row) =>
    compareProgram(pythonCommand, realPython, pythonFiles, row),
  )
})

it('says its version without loading the engine', async () => {
  expect(await callProgram(pythonCommand, workspaceOf(pythonFiles), ['-V'])).toEqual({
    stdout: 'Python 3.14.2\n',
    stderr: '',
    code: 0,
  })
})

it('says which file of Pyodide is missing', async () => {
  const command = python3({ indexUrl: 'file:///no/such/directory' })
  const { code, stderr } = await callProgram(command, workspaceOf(pythonFiles), ['-c', '1'])
  expect(code).toBe(126)
  expect(stderr).toContain('file:///no/such/directory/pyodide.mjs does not exist')
  expect(stderr).toContain('python3({ indexUrl })')
})

it('a program that never ends is ended by its signal, and leaves nothing of a file', async () => {
  const files = workspaceOf(pythonFiles)
  const code = 'f = open("a.txt", "w"); f.write("half"); f.flush()\nimport os; os.mkdir("started")\nwhile True: pass'
  await expectAbort(pythonCommand, files, ['-c', code])
  expect(await files.readText('/w/a.txt')).toBe('one\ntwo\n')
})
