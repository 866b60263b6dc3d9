// Changes inside of a submodule that are not committed there.

import { readConfigFile } from '../store/config.ts'
import { modes } from '../store/object-format.ts'
import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import type { SubmoduleDirt, SubmoduleIgnore } from './submodule-dirt.ts'
import { openSubmodule } from './submodule-head.ts'
import { readStatus, type StatusRow } from './status.ts'

/** What `--ignore-submodules`, the configuration and `.gitmodules` leave to be seen of the submodule at `path`. */
export async function ignoredOf(repository: Repository, path: string, asked: SubmoduleIgnore): Promise<string> {
  if (asked.given !== undefined) return known(asked.given)
  const config = repository.config()
  const where = { home: undefined, gitDir: repository.gitDir, branch: undefined }
  const entries = await readConfigFile(repository.files, `${repository.root}/.gitmodules`, 'local', where)
  const name = entries.find(({ name: key, value }) => key.endsWith('.path') && value?.replace(/\/$/, '') === path)?.name
  const key = name?.replace(/path$/, 'ignore')
  const own = key === undefined ? undefined : (config.get(key) ?? entries.findLast(entry => entry.name === key)?.value)
  return known(own ?? config.get('diff.ignoresubmodules') ?? asked.otherwise)
}

function known(ignored: string): string {
  if (['all', 'dirty', 'untracked', 'none'].includes(ignored)) return ignored
  throw fatal(`bad --ignore-submodules argument: ${ignored}`)
}

/** Nothing if the submodule is as it was committed. */
export async function dirtOf(repository: Repository, path: string, ignored: string): Promise<SubmoduleDirt | undefined> {
  const inside = await openSubmodule(repository, path)
  if (inside === undefined) return undefined
  const untracked = ignored === 'untracked' ? 'no' : 'normal'
  const { rows, untracked: others } = await readStatus(inside, await inside.readIndex(), (await inside.head()).oid, { untracked })
  const isModified = rows.some(row => !hasOnlyUntracked(row))
  const hasUntracked = others.length > 0 || rows.some(row => row.unstaged?.after?.dirt?.hasUntracked === true)
  return isModified || hasUntracked ? { isModified, hasUntracked } : undefined
}

/** A submodule of the submodule in which there are new files and nothing else. */
function hasOnlyUntracked({ unstaged, conflict }: StatusRow): boolean {
  if (conflict !== undefined || unstaged?.status !== 'M' || unstaged.after?.mode !== modes.submodule) return false
  return unstaged.after.dirt?.isModified === false && unstaged.before?.oid === unstaged.after.oid
}
