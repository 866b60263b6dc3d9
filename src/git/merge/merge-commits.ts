// Merges two commits into one tree. If there are several merge bases, they are merged first, and the result, with its conflicts, is the base.

import { mergeBases } from '../revs/merge-base.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { mergeTrees } from './merge-trees.ts'
import type { MergeTreesOptions, TreeMerge } from './tree-merge.ts'
import { treeWithChanges } from './tree-with-changes.ts'

export interface CommitMergeOptions extends Omit<MergeTreesOptions, 'labels' | 'depth'> {
  readonly labels: { readonly ours: string; readonly theirs: string }
}

const maxDepth = 50

export async function mergeCommits(
  repository: Repository,
  ours: ObjectId,
  theirs: ObjectId,
  options: CommitMergeOptions,
): Promise<TreeMerge> {
  const bases = await mergeBases(repository, ours, [theirs])
  const base = await baseName(repository, bases)
  return mergeTrees(
    repository,
    {
      base: await baseTree(repository, bases, options, 1),
      ours: await treeOf(repository, ours),
      theirs: await treeOf(repository, theirs),
    },
    { ...options, labels: { ...options.labels, base } },
  )
}

async function baseName(repository: Repository, [only, ...more]: readonly ObjectId[]): Promise<string> {
  return only === undefined ? 'empty tree' : more.length > 0 ? 'merged common ancestors' : new ShortIds(repository).of(only)
}

async function treeOf(repository: Repository, commit: ObjectId): Promise<ObjectId> {
  return (await repository.objects.readCommit(commit)).tree
}

/** The oldest base comes first: git's order affects how conflicts between bases look. */
async function baseTree(
  repository: Repository,
  bases: readonly ObjectId[],
  options: CommitMergeOptions,
  depth: number,
): Promise<ObjectId | undefined> {
  const [first, ...rest] = bases.toReversed()
  if (first === undefined) return undefined
  let tree = await treeOf(repository, first)
  let merged: readonly ObjectId[] = [first]
  for (const next of depth > maxDepth ? [] : rest) {
    const inner = await commonBases(repository, merged, next)
    const result = await mergeTrees(
      repository,
      { base: await baseTree(repository, inner, options, depth + 1), ours: tree, theirs: await treeOf(repository, next) },
      {
        ...options,
        depth,
        labels: { ours: 'Temporary merge branch 1', base: await baseName(repository, inner), theirs: 'Temporary merge branch 2' },
      },
    )
    tree = await treeWithChanges(repository, tree, result.changes)
    merged = [...merged, next]
  }
  return tree
}

/** The bases of a commit and of the result of earlier merges. */
async function commonBases(repository: Repository, merged: readonly ObjectId[], next: ObjectId): Promise<readonly ObjectId[]> {
  return mergeBases(repository, next, merged)
}
