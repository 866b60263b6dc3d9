// A command that runs programs beside the real program: same arguments and files, same output, exit code and files.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, lstatSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect } from 'vitest'

import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { expectCase, programDirectory, workspaceOf } from './call-program.ts'
import type { ProgramCase, ProgramFiles } from './program-case.ts'

export interface RealProgram {
  readonly path: string
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whether what it complains of is compared too. */
  readonly hasSameComplaints: boolean
}

/** path → content, in hexadecimal digits. */
async function contents(vfs: Vfs): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { path, kind } of vfs.walk(programDirectory))
    if (kind === 'file') found[path.slice(programDirectory.length + 1)] = Buffer.from(await vfs.readFile(path)).toString('hex')
  return found
}

function contentsOnDisk(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => lstatSync(join(directory, name)).isFile())
  return Object.fromEntries(files.map(name => [name, readFileSync(join(directory, name)).toString('hex')]))
}

export async function compareProgram(
  command: ShellCommandDefinition,
  real: RealProgram,
  files: ProgramFiles,
  row: ProgramCase,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'program-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true })
      writeFileSync(join(directory, name), text, { mode: 0o644 })
    }
    const env = { HOME: directory, GREETING: 'hi', ...real.env }
    const { args, input = '', stdout, code = 0, complaint = '' } = row
    const answer = spawnSync(real.path, args, { cwd: directory, input, encoding: 'utf8', env })
    expect({ stdout: answer.stdout, code: answer.status }, `the expectation is not what ${real.path} does`).toEqual({
      stdout,
      code,
    })
    if (real.hasSameComplaints) expect(answer.stderr).toContain(complaint)
    const vfs = workspaceOf(files)
    await expectCase(command, vfs, row)
    expect(await contents(vfs)).toEqual(contentsOnDisk(directory))
  } finally {
    rmSync(directory, { recursive: true })
  }
}
