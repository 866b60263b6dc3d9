// Which of the changed files are shown, and in which order.

import type { FilePair } from './file-pair.ts'
import type { DiffSettings } from './settings.ts'
import { fatal, GitFailure } from '../errors.ts'
import { modes } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'
import { ignoredOf } from '../work/submodule-dirt.ts'
import type { FileChange } from './tree-diff.ts'

/** `--rotate-to` and `--skip-to`. */
export function startingWith(pairs: readonly FilePair[], first: DiffSettings['firstPath']): readonly FilePair[] {
  if (first === undefined) return pairs
  const at = pairs.findIndex(({ path }) => path === first.path)
  if (at === -1) throw fatal(`No such path '${first.path}' in the diff`)
  return first.skips ? pairs.slice(at) : [...pairs.slice(at), ...pairs.slice(0, at)]
}

export function withStatus(pairs: readonly FilePair[], filter: string | undefined): readonly FilePair[] {
  if (filter === undefined || filter === '') return pairs
  const unwanted = new Set([...filter].filter(letter => letter >= 'a').map(letter => letter.toUpperCase()))
  const given = [...filter].filter(letter => letter < 'a')
  const wanted = new Set(given.filter(letter => !unwanted.has(letter)))
  const isKept = ({ status }: FilePair): boolean => (given.length === 0 ? !unwanted.has(status) : wanted.has(status))
  if (wanted.has('*')) return pairs.some(isKept) ? pairs : []
  return pairs.filter(isKept)
}

/** Leaves out submodules whose changes are ignored wholly, and refuses a form of the others that is not built. */
export async function withoutSubmodules(
  repository: Repository,
  changes: readonly FileChange[],
  { submodules, submoduleIgnore }: DiffSettings,
): Promise<readonly FileChange[]> {
  const hidden = new Set<FileChange>()
  for (const change of changes) {
    const kinds = [change.before, change.after].flatMap(side => (side === undefined ? [] : [side.mode === modes.submodule]))
    if (!kinds.includes(true)) continue
    // A submodule that takes the place of a file is always shown.
    if (!kinds.includes(false) && (await ignoredOf(repository, change.path, submoduleIgnore)) === 'all') hidden.add(change)
    else if (submodules === 'refused') throw new GitFailure('error: --submodule: only short and log are built into this git', 129)
  }
  return hidden.size === 0 ? changes : changes.filter(change => !hidden.has(change))
}
