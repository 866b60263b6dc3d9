// Patches that do not fit the current files, but the versions that they were made from: those are merged with the current ones.

import type { GitCall } from '../call.ts'
import { listTree } from '../diff/tree-diff.ts'
import { failure, GitFailure } from '../errors.ts'
import { GitIndex, newEntry } from '../index/git-index.ts'
import { mergeTrees } from '../merge/merge-trees.ts'
import { checkOutMerge } from '../merge/outcome.ts'
import { conflictStyle } from '../merge/replay.ts'
import { stagedPaths } from '../merge/update-work-tree.ts'
import { Changes, type Repository } from '../repository.ts'
import { resolveRevision } from '../revs/revision.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import type { FilePatch } from './parse-patch.ts'
import { Patcher, type PatcherOptions } from './patcher.ts'

interface PatchMerge {
  readonly headTree: ObjectId
  readonly settings: Omit<PatcherOptions, 'target'>
  readonly isQuiet: boolean
  /** Names the patch in conflicts. */
  readonly theirs: string
}

/** Merges with the versions that the patch was made from. False if nothing is left to change. */
export async function mergePatches(
  call: GitCall,
  repository: Repository,
  patches: readonly FilePatch[],
  { headTree, settings, isQuiet, theirs }: PatchMerge,
): Promise<boolean> {
  const base = await baseIndex(repository, patches)
  if (!isQuiet) await call.print('Using index info to reconstruct a base tree...')
  const baseTree = await repository.writeTree(base)
  if (!isQuiet) await tellChanged(call, repository, base, headTree)
  try {
    await new Patcher(call, repository, base, patches, { ...settings, rejects: false, target: 'cached' }).stage()
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    if (error.message !== '') await call.warn(error.message)
    throw failure('Did you hand edit your patch?\nIt does not apply to blobs recorded in its index.')
  }
  if (!isQuiet) await call.print('Falling back to patching base and 3-way merge...')
  const merge = await mergeTrees(
    repository,
    { base: baseTree, ours: headTree, theirs: await repository.writeTree(base) },
    { labels: { ours: 'HEAD', base: 'constructed merge base', theirs }, style: conflictStyle(repository) },
  )
  const index = await repository.readIndex()
  const changes = new Changes()
  await checkOutMerge(repository, index, changes, { from: headTree, into: headTree, merge, operation: 'merge' })
  await repository.commit(changes, index)
  for (const message of merge.messages)
    await (message.startsWith('warning:') ? call.warn(message) : call.print(message.replace('.  Version ', '. Version ')))
  if (merge.conflicts.size > 0) throw failure('Failed to merge in the changes.')
  const isChanged = (await stagedPaths(repository, index, headTree)).length > 0
  if (!isChanged && !isQuiet) await call.print('No changes -- Patch already applied.')
  return isChanged
}

/** An index with the files that the patches change, as they were before. */
async function baseIndex(repository: Repository, patches: readonly FilePatch[]): Promise<GitIndex> {
  const index = new GitIndex()
  for (const { kind, oldPath, newPath, oldOid, oldMode } of patches) {
    if (oldPath === undefined || kind === 'new') continue
    const isSame = oldOid === '' && newPath !== undefined
    const found = isSame
      ? (await repository.readIndex()).get(oldPath)
      : await resolveRevision(repository, oldOid).catch(() => undefined)
    const isBlob = found !== undefined && (await repository.objects.read(found.oid))?.type === 'blob'
    if (!isBlob) throw failure(`sha1 information is lacking or useless (${oldPath}).\nerror: could not build fake ancestor`)
    index.set(newEntry(oldPath, oldMode ?? (await repository.readIndex()).get(oldPath)?.mode ?? modes.file, found.oid))
  }
  return index
}

async function tellChanged(call: GitCall, repository: Repository, base: GitIndex, headTree: ObjectId): Promise<void> {
  const head = new Map((await listTree(repository, headTree)).map(file => [file.path, file] as const))
  for (const { path, mode, oid } of base.sorted()) {
    const now = head.get(path)
    if (now === undefined) await call.print(`A\t${path}`)
    else if (now.oid !== oid || now.mode !== mode) await call.print(`M\t${path}`)
  }
}
