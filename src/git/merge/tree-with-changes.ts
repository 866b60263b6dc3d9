// A tree with some files replaced, added or removed. Writes only the trees above changes.

import { diffTrees } from '../diff/tree-diff.ts'
import type { Repository } from '../repository.ts'
import { compareTreeEntries, encodeTree, emptyTreeId, modes, type ObjectId, type TreeEntry } from '../store/object-format.ts'
import type { Version } from './tree-merge.ts'

export type FileChanges = ReadonlyMap<string, Version | undefined>

/** The ID of the new tree, whose objects are not written yet. `changes` are by path; `undefined` removes a file. */
export async function treeWithChanges(repository: Repository, tree: ObjectId, changes: FileChanges): Promise<ObjectId> {
  return (await changedTree(repository, tree, changes)) ?? repository.objects.write('tree', encodeTree([]))
}

async function changedTree(
  repository: Repository,
  tree: ObjectId | undefined,
  changes: FileChanges,
): Promise<ObjectId | undefined> {
  if (changes.size === 0) return tree === emptyTreeId ? undefined : tree
  const rows = new Map<string, TreeEntry>()
  for (const entry of tree === undefined ? [] : await repository.objects.readTree(tree)) rows.set(entry.name, entry)
  const below = new Map<string, Map<string, Version | undefined>>()
  // Removes first, so that a file can take the name of a directory.
  for (const [path, version] of [...changes].sort(
    ([, one], [, other]) => Number(one !== undefined) - Number(other !== undefined),
  )) {
    const slash = path.indexOf('/')
    if (slash !== -1) {
      const name = path.slice(0, slash)
      const inside = below.get(name) ?? new Map<string, Version | undefined>()
      below.set(name, inside.set(path.slice(slash + 1), version))
    } else if (version === undefined) {
      if (rows.get(path)?.mode !== modes.tree) rows.delete(path)
    }
  }
  for (const [name, inside] of below) {
    const before = rows.get(name)
    const oid = await changedTree(repository, before?.mode === modes.tree ? before.oid : undefined, inside)
    if (oid !== undefined) rows.set(name, { name, mode: modes.tree, oid })
    else if (before?.mode === modes.tree) rows.delete(name)
  }
  for (const [path, version] of changes)
    if (version !== undefined && !path.includes('/')) rows.set(path, { name: path, ...version })
  if (rows.size === 0) return undefined
  return repository.objects.write('tree', encodeTree([...rows.values()].sort(compareTreeEntries)))
}

/** The changes from one tree to the other. */
export async function changesBetween(
  repository: Repository,
  before: ObjectId | undefined,
  after: ObjectId | undefined,
): Promise<Map<string, Version | undefined>> {
  const changes = new Map<string, Version | undefined>()
  for (const change of await diffTrees(repository, before, after)) changes.set(change.path, change.after)
  return changes
}
