// The installed program that one of our commands is held against.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Files, FilterRun } from './run-filter.ts'

/** Why `program` cannot be asked, or an empty text. It is printed: a test that is left out must say so. */
export function whyNotAsked(program: string, versionArgs: readonly string[], wanted: RegExp): string {
  const ran = spawnSync(program, versionArgs, { encoding: 'utf8' })
  const reason =
    ran.error !== undefined
      ? `${program} is not installed`
      : wanted.test(ran.stdout + ran.stderr)
        ? ''
        : `${program} is another version than the answers were taken from`
  if (reason !== '') console.info(`${program} is not asked: ${reason}`)
  return reason
}

export function runReal(program: string, args: readonly string[], input: string, files: Files): FilterRun {
  const root = mkdtempSync(join(tmpdir(), 'filter-'))
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, name), bytes, 'latin1')
    const env = { HOME: root, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] ?? '', TZ: 'UTC' }
    const ran = spawnSync(program, args, { cwd: root, env, input: Buffer.from(input, 'latin1'), timeout: 60_000 })
    const after = Object.fromEntries(readdirSync(root).map(name => [name, readFileSync(join(root, name), 'latin1')]))
    return {
      output: ran.stdout.toString('latin1'),
      errors: ran.stderr.toString('latin1'),
      exitCode: ran.status ?? -1,
      files: after,
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
