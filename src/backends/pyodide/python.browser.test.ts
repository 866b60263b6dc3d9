// The command `python3` in a page. The expectations are those that CPython meets. Node runs all rows; `npm run test:deep` runs
// them here too, which are more programs than one worker runs.

import { expect, it } from 'vitest'

import { isDeep, stride } from '../../testing/depth.ts'
import { callProgram, expectAbort, expectCase, expectRefusal, workspaceOf } from '../../testing/programs/call-program.ts'
import { pythonCases, pythonFiles, pythonRefusals, quickPythonCases } from '../../testing/programs/python-cases.ts'
import { python3 } from './index.ts'

const command = python3({ indexUrl: '/node_modules/pyodide/' })

const step = stride({ quick: Object.keys(pythonCases).length, deep: 1 })
const chosen = Object.entries(pythonCases).filter(([name], index) => name in quickPythonCases || index % step === 0)

it.each(chosen)('python3 as CPython: %s', async (_name, row) => {
  await expectCase(command, workspaceOf(pythonFiles), row)
})

it.each(Object.entries(pythonRefusals).slice(0, isDeep ? undefined : 0))('python3 refuses %s', async (_name, row) => {
  await expectRefusal(command, workspaceOf(pythonFiles), row)
})

it('a program that never ends is ended by its signal', async () => {
  await expectAbort(command, workspaceOf(pythonFiles), ['-c', 'import os; os.mkdir("started")\nwhile True: pass'])
})

it('says how to serve Pyodide where nobody said where it is', async () => {
  const { code, stderr } = await callProgram(python3(), workspaceOf(pythonFiles), ['-c', '1'])
  expect(code).toBe(126)
  expect(stderr).toContain('python3({ indexUrl })')
})

it('says which file of Pyodide is missing', async () => {
  const { code, stderr } = await callProgram(python3({ indexUrl: '/nowhere' }), workspaceOf(pythonFiles), ['-c', '1'])
  expect(code).toBe(126)
  expect(stderr).toContain('/nowhere/pyodide.mjs')
})
