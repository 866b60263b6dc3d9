// The command `python3` beside CPython: same arguments and files, same output, exit code and files.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { callPython } from './call-python.ts'
import { pythonFiles, type PythonCase } from './python-cases.ts'

const python = '/usr/bin/python3'

/** Empty if CPython is there. */
export const whyNoPython: string = spawnSync(python, ['--version']).status === 0 ? '' : `${python} is not installed`

export function pythonWorkspace(): Vfs {
  return createVfs(memory(Object.fromEntries(Object.entries(pythonFiles).map(([name, text]) => [`/w/${name}`, text]))))
}

/** path → content, in hexadecimal digits. */
async function contents(vfs: Vfs): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { path, kind } of vfs.walk('/w'))
    if (kind === 'file') found[path.slice(3)] = Buffer.from(await vfs.readFile(path)).toString('hex')
  return found
}

function contentsOnDisk(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => statSync(join(directory, name)).isFile())
  return Object.fromEntries(files.map(name => [name, readFileSync(join(directory, name)).toString('hex')]))
}

export async function comparePython({ args, input, stdout, code = 0, complaint = '' }: PythonCase): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'python-'))
  try {
    for (const [name, text] of Object.entries(pythonFiles)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true })
      writeFileSync(join(directory, name), text, { mode: 0o644 })
    }
    const env = { HOME: directory, GREETING: 'hi', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' }
    const real = spawnSync(python, args, { cwd: directory, input: input ?? '', encoding: 'utf8', env })
    expect({ stdout: real.stdout, code: real.status }, 'the expectation is not what CPython does').toEqual({ stdout, code })
    expect(real.stderr).toContain(complaint)
    const vfs = pythonWorkspace()
    const ours = await callPython(vfs, args, { input })
    expect({ stdout: ours.stdout, code: ours.code, stderr: complaint === '' ? ours.stderr : '' }).toEqual({
      stdout,
      code,
      stderr: '',
    })
    expect(ours.stderr).toContain(complaint)
    expect(await contents(vfs)).toEqual(contentsOnDisk(directory))
  } finally {
    rmSync(directory, { recursive: true })
  }
}
