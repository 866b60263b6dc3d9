// git, ripgrep and fd on the tree of this repository: find lists what they list.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { installedCommand } from '../../../testing/search-oracle/installed-command.ts'
import { openToolSession, type ToolSession } from '../../../testing/tool-session.ts'
import { describeUnless } from '../../../testing/suites.ts'

const repository = resolve(fileURLToPath(import.meta.url), '../../../../..')
const git = installedCommand('git') ?? ''
const rg = installedCommand('rg') ?? ''
const fd = installedCommand('fd', 'fdfind') ?? ''
const isCheckout = git !== '' && spawnSync(git, ['rev-parse', '--is-inside-work-tree'], { cwd: repository }).status === 0
if (!isCheckout) console.warn('skipped: the comparison of find, because there is no `git` on PATH, or no checkout')
else {
  if (rg === '') console.warn('skipped: the comparison of find with ripgrep, because there is no `rg` on PATH')
  if (fd === '') console.warn('skipped: the comparison of find with fd, because there is no `fd` or `fdfind` on PATH')
}

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

/** Directories in which there is no file at all, which the copy in memory does not have. */
function isWithoutFiles(directory: string): boolean {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).every(entry => entry.isDirectory())
}

describeUnless(isCheckout ? '' : 'this is not a checkout of git', 'lists the files of this repository', () => {
  const found = async (paths: readonly string[], isWanted: (path: string) => boolean): Promise<readonly string[]> => {
    const result = await (await openRepository()).call('find', { paths, limit: 100_000, timeout: 60 })
    return (result.details['paths'] as readonly string[]).filter(isWanted).toSorted()
  }
  const isFile = (path: string): boolean => !path.endsWith('/')
  const isDirectory = (path: string): boolean => path.endsWith('/')
  const gitFiles = ['-c', 'core.excludesFile=/dev/null', 'ls-files', '-co', '--exclude-standard', '-z']
  const fdAll = ['--hidden', '--no-global-ignore-file', '--exclude', '.git', '-0', '--strip-cwd-prefix']
  const fdDirectories = (args: readonly string[]): readonly string[] =>
    run(fd, [...fdAll, '-t', 'd', ...args])
      .filter(path => !isWithoutFiles(join(repository, path)))
      .map(path => `${path.replace(/\/$/, '')}/`)
  const rows: readonly (readonly [
    what: string,
    command: string,
    paths: readonly string[],
    isWanted: (path: string) => boolean,
    theirs: () => readonly string[],
  ])[] = [
    ['as git lists them', git, ['.'], isFile, () => run(git, gitFiles)],
    ['as ripgrep lists them', rg, ['.'], isFile, () => run(rg, ['--files', '--hidden', '--no-config', '-0', '-g', '!.git'])],
    ['as fd lists them', fd, ['.'], isFile, () => run(fd, [...fdAll, '-t', 'f'])],
    ['directories, as fd lists them', fd, ['.'], isDirectory, () => fdDirectories([])],
    ['directories by a glob', fd, ['**/s*/'], isDirectory, () => fdDirectories(['--case-sensitive', '--glob', 's*'])],
    ['below a directory', git, ['src/search'], isFile, () => run(git, [...gitFiles, 'src/search'])],
    ['by a glob', git, ['**/*.test.ts'], isFile, () => run(git, [...gitFiles, '*.test.ts'])],
    [
      'by a glob, as fd',
      fd,
      ['**/*.test.ts'],
      isFile,
      () => run(fd, [...fdAll, '-t', 'f', '--case-sensitive', '--glob', '*.test.ts']),
    ],
    ['by a glob below a directory', git, ['src/*/*.ts'], isFile, () => run(git, [...gitFiles, ':(glob)src/*/*.ts'])],
    ['by a list of extensions', git, ['**/*.{md,json}'], isFile, () => run(git, [...gitFiles, '*.md', '*.json'])],
    [
      'by a list, as fd',
      fd,
      ['**/*.{md,json}'],
      isFile,
      () => run(fd, [...fdAll, '-t', 'f', '--case-sensitive', '--glob', '*.{md,json}']),
    ],
    ['by one character', git, ['src/**/?[a-m]*.ts'], isFile, () => run(git, [...gitFiles, ':(glob)src/**/?[a-m]*.ts'])],
  ]
  test.each(rows.filter(([, command]) => command !== ''))(
    '%s',
    { timeout: 60_000 },
    async (_what, _command, paths, isWanted, theirs) => {
      // A file that others make while this runs is in one list only, so both are asked again.
      let expected: readonly string[] = []
      let actual: readonly string[] = []
      for (let attempt = 0; attempt < 3; attempt++) {
        expected = theirs().toSorted()
        actual = await found(paths, isWanted)
        if (JSON.stringify(expected) === JSON.stringify(actual)) break
      }
      expect(expected.length).toBeGreaterThan(5)
      expect(actual).toEqual(expected)
    },
  )
})
