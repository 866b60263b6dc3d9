// git and ripgrep on the tree of this repository: find lists the files that they list.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { openToolSession, type ToolSession } from '../../../testing/tool-session.ts'

const repository = resolve(fileURLToPath(import.meta.url), '../../../../..')
const hasBoth = ['git', 'rg'].every(command => spawnSync(command, ['--version']).status === 0)
const isCheckout = hasBoth && spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: repository }).status === 0
if (!isCheckout) console.warn('skipped: the comparison of find, because there is no `git` and `rg` on PATH, or no checkout')

/** The repository's files without their contents, which find does not look at; ignore files have theirs. */
async function openRepository(): Promise<ToolSession> {
  const files: Record<string, string> = {}
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name)) visit(path)
      else if (entry.isFile()) {
        files[relative(repository, path)] = /^\.(?:git)?ignore$/.test(basename(path)) ? readFileSync(path, 'utf8') : ''
      }
    }
  }
  visit(repository)
  return openToolSession(files, { toolset: { limits: { findMaxResults: 100_000, findTimeoutMs: 60_000 } } })
}

function run(command: string, args: readonly string[]): readonly string[] {
  const output = execFileSync(command, args, { cwd: repository, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })
  // git also lists what was deleted and is not committed yet.
  return String(output)
    .split('\0')
    .filter(path => path !== '' && existsSync(join(repository, path)))
}

describe.skipIf(!isCheckout)('lists the files of this repository', () => {
  const found = async (paths: readonly string[]): Promise<readonly string[]> => {
    const result = await (await openRepository()).call('find', { paths, limit: 100_000, timeout: 60 })
    return (result.details['paths'] as readonly string[]).filter(path => !path.endsWith('/')).toSorted()
  }
  const plain = ['-c', 'core.excludesFile=/dev/null', 'ls-files', '-co', '--exclude-standard', '-z']
  const rows: readonly (readonly [what: string, paths: readonly string[], theirs: () => readonly string[]])[] = [
    ['as git lists them', ['.'], () => run('git', plain)],
    ['as ripgrep lists them', ['.'], () => run('rg', ['--files', '--hidden', '--no-config', '-0', '-g', '!.git'])],
    ['below a directory', ['src/search'], () => run('git', [...plain, 'src/search'])],
    ['by a glob', ['**/*.test.ts'], () => run('git', [...plain, '*.test.ts'])],
    ['by a glob below a directory', ['src/*/*.ts'], () => run('git', [...plain, ':(glob)src/*/*.ts'])],
    ['by a list of extensions', ['**/*.{md,json}'], () => run('git', [...plain, '*.md', '*.json'])],
    ['by one character', ['src/**/?[a-m]*.ts'], () => run('git', [...plain, ':(glob)src/**/?[a-m]*.ts'])],
  ]
  test.each(rows)('%s', { timeout: 30_000 }, async (_what, paths, theirs) => {
    // A file that others make while this runs is in one list only, so both are asked again.
    let expected: readonly string[] = []
    let actual: readonly string[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      expected = theirs().toSorted()
      actual = await found(paths)
      if (JSON.stringify(expected) === JSON.stringify(actual)) break
    }
    expect(expected.length).toBeGreaterThan(5)
    expect(actual).toEqual(expected)
  })
})
