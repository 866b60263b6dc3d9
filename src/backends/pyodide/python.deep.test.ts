// All rows of the command `python3`, beside CPython.

import { expect, it } from 'vitest'

import { inDeepRun } from '../../testing/depth.ts'
import { describeUnless } from '../../testing/suites.ts'
import { callProgram, expectRefusal, workspaceOf } from '../../testing/programs/call-program.ts'
import { compareProgram } from '../../testing/programs/compare-program.ts'
import { pythonCases, pythonFiles, pythonRefusals } from '../../testing/programs/python-cases.ts'
import { pythonCommand } from '../../testing/programs/python-command.ts'
import { realPython, whyNoPython } from '../../testing/programs/real-python.ts'

inDeepRun(() => {
  describeUnless(whyNoPython, 'python3 as CPython', () => {
    it.each(Object.entries(pythonCases))('%s', async (_name, row) => compareProgram(pythonCommand, realPython, pythonFiles, row))
  })

  it.each(Object.entries(pythonRefusals))('python3 refuses %s', async (_name, row) =>
    expectRefusal(pythonCommand, workspaceOf(pythonFiles), row),
  )

  it('programs run side by side, and one sees nothing of the others', async () => {
    const files = workspaceOf(pythonFiles)
    const code =
      'import builtins, random, sys; builtins.seen = getattr(builtins, "seen", 0) + 1; print(seen); print(random.random(), file=sys.stderr)'
    const answers = await Promise.all(Array.from({ length: 3 }, () => callProgram(pythonCommand, files, ['-c', code])))
    answers.push(await callProgram(pythonCommand, files, ['-c', code]))
    expect(answers.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 4 }, () => '1\n'))
    expect(new Set(answers.map(({ stderr }) => stderr)).size).toBe(4)
  })

  it('large files and outputs arrive as a whole', async () => {
    const files = workspaceOf(pythonFiles)
    await files.writeFile('/w/large.txt', new TextEncoder().encode('0123456789'.repeat(1_000_000)))
    const code =
      'import sys; t = open("large.txt").read(); open("copy.txt", "w").write(t); f = open("large.txt", "rb"); f.seek(-5, 2)\n' +
      'sys.stdout.write(t + f.read().decode() + str(len(t)))'
    const ours = await callProgram(pythonCommand, files, ['-c', code])
    expect(ours.stdout.length).toBe(10_000_000 + 5 + 8)
    expect(ours.stdout.slice(-13)).toBe('5678910000000')
    expect((await files.stat('/w/copy.txt')).sizeBytes).toBe(10_000_000)
  })

  it('a directory of the workspace with the name of an own one is merged with it', async () => {
    const files = workspaceOf(pythonFiles)
    await files.mkdir('/lib')
    await files.writeFile('/lib/own.txt', new TextEncoder().encode('own'))
    await files.mkdir('/dev')
    await files.writeFile('/dev/own.txt', new TextEncoder().encode('dev'))
    const code =
      'import os, fractions; print(os.listdir("/"), os.listdir("/lib"), open("/lib/own.txt").read(), os.listdir("/dev"))'
    expect((await callProgram(pythonCommand, files, ['-c', code])).stdout).toBe(
      "['dev', 'lib', 'w'] ['own.txt'] own ['own.txt']\n",
    )
  })
})
