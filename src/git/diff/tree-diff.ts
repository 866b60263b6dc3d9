// How two trees differ, file by file, sorted by path. Trees with the same ID are not read.

import type { SubmoduleDirt } from '../work/submodule-dirt.ts'
import { compareText, compareTreeEntries, modes, type ObjectId, type TreeEntry } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'

/** One side of a change. */
export interface FileSide {
  readonly mode: number
  readonly oid: ObjectId
  /** The content is in the work tree, and the repository does not know its ID. */
  readonly isWorkTree?: boolean
  /** The content, where neither the repository nor its work tree has it. */
  readonly bytes?: Uint8Array
  /** Changes inside of a submodule, where they are looked at. */
  readonly dirt?: SubmoduleDirt
}

export interface FileChange {
  readonly path: string
  /** Of two contents with different names. */
  readonly beforePath?: string
  readonly before: FileSide | undefined
  readonly after: FileSide | undefined
  /** For a conflict, which has no sides: the content of the raw format. */
  readonly unmerged?: { readonly before: FileSide | undefined; readonly after: FileSide | undefined }
}

export interface TreeDiffOptions {
  /** Whether to include a path, or anything in a directory. */
  readonly isWanted?: ((path: string, isDirectory: boolean) => boolean) | undefined
  /** False: a subtree is one row. */
  readonly recursive?: boolean
  /** With `recursive`: includes a row for each subtree before its entries. */
  readonly showTrees?: boolean
}

/** `undefined` for the empty tree. */
export async function diffTrees(
  repository: Repository,
  before: ObjectId | undefined,
  after: ObjectId | undefined,
  options: TreeDiffOptions = {},
): Promise<readonly FileChange[]> {
  const found: FileChange[] = []
  await diffLevel(repository, before, after, '', options, found)
  return found
}

async function diffLevel(
  repository: Repository,
  before: ObjectId | undefined,
  after: ObjectId | undefined,
  prefix: string,
  options: TreeDiffOptions,
  found: FileChange[],
): Promise<void> {
  if (before === after) return
  const old = before === undefined ? [] : await repository.objects.readTree(before)
  const now = after === undefined ? [] : await repository.objects.readTree(after)
  let left = 0
  let right = 0
  while (left < old.length || right < now.length) {
    const a = old[left]
    const b = now[right]
    const order = a === undefined ? 1 : b === undefined ? -1 : compareTreeEntries(a, b)
    if (order <= 0) left++
    if (order >= 0) right++
    await diffEntry(repository, order <= 0 ? a : undefined, order >= 0 ? b : undefined, prefix, options, found)
  }
}

async function diffEntry(
  repository: Repository,
  a: TreeEntry | undefined,
  b: TreeEntry | undefined,
  prefix: string,
  options: TreeDiffOptions,
  found: FileChange[],
): Promise<void> {
  if (a !== undefined && b !== undefined && a.oid === b.oid && a.mode === b.mode) return
  const path = prefix + (a?.name ?? b?.name ?? '')
  const isTree = (entry: TreeEntry | undefined): boolean => entry?.mode === modes.tree
  const { isWanted, recursive = true, showTrees = false } = options
  if (isWanted !== undefined && !isWanted(path, isTree(a) || isTree(b))) return
  if (!recursive) {
    found.push({ path, before: sideOf(a), after: sideOf(b) })
    return
  }
  if (isTree(a) || isTree(b)) {
    if (showTrees) found.push({ path, before: sideOf(isTree(a) ? a : undefined), after: sideOf(isTree(b) ? b : undefined) })
    await diffLevel(repository, isTree(a) ? a?.oid : undefined, isTree(b) ? b?.oid : undefined, `${path}/`, options, found)
  } else found.push({ path, before: sideOf(a), after: sideOf(b) })
}

function sideOf(entry: TreeEntry | undefined): FileSide | undefined {
  return entry === undefined ? undefined : { mode: entry.mode, oid: entry.oid }
}

/** Every file of a tree by path. */
export async function listTree(
  repository: Repository,
  tree: ObjectId | undefined,
  options: TreeDiffOptions = {},
): Promise<readonly { readonly path: string; readonly mode: number; readonly oid: ObjectId }[]> {
  const changes = await diffTrees(repository, undefined, tree, options)
  return changes.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, ...after }]))
}

/** By path as git orders diffs, which is that of the index. */
export function sortChanges<T extends { readonly path: string }>(changes: readonly T[]): readonly T[] {
  return changes.toSorted((a, b) => compareText(a.path, b.path))
}
