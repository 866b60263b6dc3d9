// A conflict whose file is made again from the versions in the index.

import { mergeFiles } from '../../text/git-merge/merge-files.ts'
import type { Changes } from '../changes.ts'
import { looksBinary } from '../diff/file-pair.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { failure } from '../errors.ts'
import type { IndexEntry } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { modes } from '../store/object-format.ts'
import type { ConflictMaker } from '../work/file-restore.ts'
import { operationsOf } from '../work/operation.ts'

export type ConflictStyle = 'merge' | 'diff3' | 'zdiff3'

/** The paths that both sides of a merge under way changed: they may have been in conflict. `undefined`: any path may have been. */
async function changedOnBothSides(repository: Repository): Promise<ReadonlySet<string> | undefined> {
  const [ours, theirs] = [await repository.refs.idOf('HEAD'), await repository.refs.idOf('MERGE_HEAD')]
  if (ours === undefined || theirs === undefined)
    return (await operationsOf(repository)).every(({ kind }) => kind === 'bisect') ? new Set() : undefined
  const [base] = await mergeBases(repository, ours, [theirs])
  const before = base === undefined ? undefined : await repository.treeOf(base)
  const others = new Map(
    (await diffTrees(repository, before, await repository.treeOf(theirs))).map(({ path, after }) => [path, after]),
  )
  const mine = await diffTrees(repository, before, await repository.treeOf(ours))
  return new Set(
    mine.filter(({ path, after }) => others.has(path) && others.get(path)?.oid !== after?.oid).map(({ path }) => path),
  )
}

async function writeConflict(
  repository: Repository,
  changes: Changes,
  path: string,
  [base, ours, theirs]: readonly (IndexEntry | undefined)[],
  style: ConflictStyle,
): Promise<void> {
  if (ours === undefined || theirs === undefined) throw failure(`path '${path}' does not have necessary versions`)
  const read = (entry: IndexEntry): Promise<Uint8Array> => repository.objects.readBlob(entry.oid)
  const isFile = ({ mode }: IndexEntry): boolean => mode === modes.file || mode === modes.executable
  if (!isFile(ours) || !isFile(theirs)) throw failure(`path '${path}': cannot merge`)
  const [before, mine, others] = [base === undefined ? new Uint8Array() : await read(base), await read(ours), await read(theirs)]
  if ([before, mine, others].some(looksBinary)) throw failure(`path '${path}': cannot merge`)
  const labels = { ours: 'ours', base: 'base', theirs: 'theirs' }
  const { bytes } = mergeFiles(before, mine, others, { labels, style })
  const tree = await repository.workTree()
  const mode = ours.mode === modes.executable ? 0o755 : 0o644
  changes.writeWorkFile(tree.pathOf(path), await tree.smudge(path, bytes, ours.oid), mode, () => undefined)
}

export async function conflictMaker(repository: Repository, changes: Changes, style: ConflictStyle): Promise<ConflictMaker> {
  const changed = await changedOnBothSides(repository)
  return {
    isResolved: path => changed?.has(path) ?? true,
    write: (path, stages) => writeConflict(repository, changes, path, stages, style),
  }
}
