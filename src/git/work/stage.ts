// Adds files of the work tree to the index.

import type { Stat } from '../../vfs/backend.ts'
import { failure, fatal } from '../errors.ts'
import { type GitIndex, newEntry } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { boolOf } from '../store/config.ts'
import { modes } from '../store/object-format.ts'
import { submoduleHead } from './submodule-head.ts'
import { indexStat, isSafePath } from './work-tree.ts'

export interface Staged {
  readonly kind: 'same' | 'added' | 'removed'
  readonly warning?: 'crlf-to-lf' | 'lf-to-crlf'
}

/** Stages the current content of a file; a missing file is removed from the index. */
export async function stagePath(repository: Repository, index: GitIndex, path: string, stat: Stat | undefined): Promise<Staged> {
  const tree = await repository.workTree()
  const before = index.get(path)
  if (stat === undefined || (stat.kind === 'directory' && before?.mode !== modes.submodule)) {
    return index.remove(path) ? { kind: 'removed' } : { kind: 'same' }
  }
  if (stat.kind === 'directory') {
    const head = await submoduleHead(repository, path)
    if (head === undefined || head === before?.oid) return { kind: 'same' }
    index.set(newEntry(path, modes.submodule, head))
    return { kind: 'added' }
  }
  if (!isSafePath(path)) throw failure(`invalid path '${path}'`, 128)
  if (before !== undefined && !before.isIntentToAdd && tree.isUnchanged(before, stat, index.writtenMs)) return { kind: 'same' }
  const content = await tree.readForRepository(path, stat, index)
  if (content === undefined) return index.remove(path) ? { kind: 'removed' } : { kind: 'same' }
  const safe = content.warning === undefined ? undefined : repository.config().get('core.safecrlf')
  if (safe !== undefined && safe !== 'warn' && boolOf(safe) !== false)
    throw fatal(
      `${content.warning === 'crlf-to-lf' ? 'CRLF would be replaced by LF' : 'LF would be replaced by CRLF'} in ${path}`,
    )
  const oid = await repository.objects.write('blob', content.bytes)
  const mode = tree.modeOf(stat, before?.mode ?? index.stages(path)?.[1]?.mode)
  const entry = newEntry(path, mode, oid, indexStat(stat))
  if (before !== undefined && before.oid === oid && before.mode === mode && !before.isIntentToAdd) {
    index.refresh({ ...before, stat: entry.stat })
    return { kind: 'same' }
  }
  index.set(entry)
  return content.warning === undefined ? { kind: 'added' } : { kind: 'added', warning: content.warning }
}
