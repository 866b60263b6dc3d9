// Directories whose files are rarely useful as results. One list for glob and grep; ls shows build outputs.

import { words } from '../../core/words.ts'
import { isToolDirectory } from '../../session/tool-directories.ts'

const notListed = words(`
  node_modules __pycache__ .git .venv venv .tox .pytest_cache .mypy_cache .ruff_cache .eggs .nox .hg .svn
`)
const built = ['dist', 'build']

export const ignoredDirectoryNames: readonly string[] = [...notListed, ...built, '*.egg-info']

const listedNever: ReadonlySet<string> = new Set(notListed)
const searchedNever: ReadonlySet<string> = new Set([...notListed, ...built])

/** The list for ls. */
export function isListedNever(name: string): boolean {
  return listedNever.has(name) || name.endsWith('.egg-info')
}

/** The list for glob and grep; `fromRoot` is the directory's path. The directory of line IDs is not source code. */
export function isSearchedNever(fromRoot: string, name: string): boolean {
  return searchedNever.has(name) || name.endsWith('.egg-info') || isToolDirectory(fromRoot)
}

/** The first ignored directory on a path from the root, or the path itself. */
export function ignoredPartOf(directory: string): string | undefined {
  const names = directory.split('/')
  return names.find((name, index) => isSearchedNever(names.slice(0, index + 1).join('/'), name))
}
