// All rows of the command `python3`, beside CPython.

import { expect, it } from 'vitest'

import { inDeepRun } from '../../testing/depth.ts'
import { describeUnless } from '../../testing/suites.ts'
import { callPython } from '../../testing/python/call-python.ts'
import { comparePython, pythonWorkspace, whyNoPython } from '../../testing/python/compare-python.ts'
import { pythonCases, pythonRefusals } from '../../testing/python/python-cases.ts'

inDeepRun(() => {
  describeUnless(whyNoPython, 'python3 as CPython', () => {
    it.each(Object.entries(pythonCases))('%s', async (_name, row) => comparePython(row))
  })

  it.each(Object.entries(pythonRefusals))('python3 refuses %s', async (_name, { args, code, complaint }) => {
    const ours = await callPython(pythonWorkspace(), args)
    expect({ code: ours.code, stdout: ours.stdout }).toEqual({ code, stdout: '' })
    expect(ours.stderr).toContain(complaint)
  })

  it('programs run side by side, and one sees nothing of the others', async () => {
    const files = pythonWorkspace()
    const code =
      'import builtins, random, sys; builtins.seen = getattr(builtins, "seen", 0) + 1; print(seen); print(random.random(), file=sys.stderr)'
    const answers = await Promise.all(Array.from({ length: 3 }, () => callPython(files, ['-c', code])))
    answers.push(await callPython(files, ['-c', code]))
    expect(answers.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 4 }, () => '1\n'))
    expect(new Set(answers.map(({ stderr }) => stderr)).size).toBe(4)
  })

  it('large files and outputs arrive as a whole', async () => {
    const files = pythonWorkspace()
    await files.writeFile('/w/large.txt', new TextEncoder().encode('0123456789'.repeat(1_000_000)))
    const code =
      'import sys; t = open("large.txt").read(); open("copy.txt", "w").write(t); f = open("large.txt", "rb"); f.seek(-5, 2)\n' +
      'sys.stdout.write(t + f.read().decode() + str(len(t)))'
    const ours = await callPython(files, ['-c', code])
    expect(ours.stdout.length).toBe(10_000_000 + 5 + 8)
    expect(ours.stdout.slice(-13)).toBe('5678910000000')
    expect((await files.stat('/w/copy.txt')).sizeBytes).toBe(10_000_000)
  })

  it('a directory of the workspace with the name of an own one is merged with it', async () => {
    const files = pythonWorkspace()
    await files.mkdir('/lib')
    await files.writeFile('/lib/own.txt', new TextEncoder().encode('own'))
    await files.mkdir('/dev')
    await files.writeFile('/dev/own.txt', new TextEncoder().encode('dev'))
    const code =
      'import os, fractions; print(os.listdir("/"), os.listdir("/lib"), open("/lib/own.txt").read(), os.listdir("/dev"))'
    expect((await callPython(files, ['-c', code])).stdout).toBe("['dev', 'lib', 'w'] ['own.txt'] own ['own.txt']\n")
  })
})
