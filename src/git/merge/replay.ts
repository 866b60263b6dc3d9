// Applies the changes of one commit to another tree, or reverts them there.

import { ownValue } from '../../core/record.ts'
import { titleOf } from '../revs/subject.ts'
import { fatal, GitFailure, notBuilt } from '../errors.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { parentsOf } from '../revs/parents.ts'
import { percent } from '../diff/renames.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'

import { mergeTrees } from './merge-trees.ts'
import type { MergeTreesOptions, TreeMerge } from './tree-merge.ts'

export type ReplayKind = 'cherry-pick' | 'revert'

export interface ReplayOptions extends Pick<MergeTreesOptions, 'favor' | 'style' | 'algorithm' | 'whitespace'> {
  /** For a merge: the parent to compare it with, from 1. */
  readonly mainline?: number | undefined
}

/** The parent to compare a commit with; `undefined` for a root. */
export async function replayedParent(
  repository: Repository,
  oid: ObjectId,
  kind: ReplayKind,
  mainline: number | undefined,
): Promise<ObjectId | undefined> {
  const parents = await parentsOf(repository, oid)
  if (parents.length > 1) {
    if (mainline === undefined)
      throw new GitFailure(`error: commit ${oid} is a merge but no -m option was given.\nfatal: ${kind} failed`, 128)
    const parent = parents[mainline - 1]
    if (parent === undefined)
      throw new GitFailure(`error: commit ${oid} does not have parent ${mainline}\nfatal: ${kind} failed`, 128)
    return parent
  }
  if (mainline !== undefined && mainline > 1)
    throw new GitFailure(`error: commit ${oid} does not have parent ${mainline}\nfatal: ${kind} failed`, 128)
  return parents[0]
}

/** Merges the changes of `oid` into `tree`. */
export async function replay(
  repository: Repository,
  oid: ObjectId,
  kind: ReplayKind,
  tree: ObjectId,
  { mainline, ...options }: ReplayOptions = {},
): Promise<TreeMerge> {
  const commit = await repository.objects.readCommit(oid)
  const parent = await replayedParent(repository, oid, kind, mainline)
  const name = `${await new ShortIds(repository).of(oid)} (${titleOf(commit.message)})`
  const parentTree = parent === undefined ? undefined : (await repository.objects.readCommit(parent)).tree
  if (kind === 'cherry-pick') {
    const labels = { ours: 'HEAD', base: `parent of ${name}`, theirs: name }
    return mergeTrees(repository, { base: parentTree, ours: tree, theirs: commit.tree }, { ...options, labels })
  }
  const labels = { ours: 'HEAD', base: name, theirs: parentTree === undefined ? '(empty tree)' : `parent of ${name}` }
  const empty = await repository.treeOf(undefined)
  return mergeTrees(repository, { base: commit.tree, ours: tree, theirs: parentTree ?? empty }, { ...options, labels })
}

/** `-X` of merge, cherry-pick, revert and rebase. */
export function strategyOptions(
  values: readonly string[],
): Pick<MergeTreesOptions, 'favor' | 'algorithm' | 'whitespace' | 'renamePercent'> {
  let result: Pick<MergeTreesOptions, 'favor' | 'algorithm' | 'whitespace' | 'renamePercent'> = {}
  for (const value of values) {
    switch (value) {
      case 'ours':
      case 'theirs':
        result = { ...result, favor: value }
        break
      case 'patience':
      case 'histogram':
        result = { ...result, algorithm: value }
        break
      case 'diff-algorithm=myers':
      case 'diff-algorithm=minimal':
      case 'diff-algorithm=patience':
      case 'diff-algorithm=histogram':
        result = { ...result, algorithm: ownValue(algorithms, value.slice('diff-algorithm='.length)) }
        break
      case 'ignore-space-change':
        result = { ...result, whitespace: 'change' }
        break
      case 'ignore-all-space':
        result = { ...result, whitespace: 'all' }
        break
      case 'ignore-space-at-eol':
        result = { ...result, whitespace: 'at-end' }
        break
      case 'ignore-cr-at-eol':
        result = { ...result, whitespace: 'cr-at-end' }
        break
      // Merging by `ort` always finds renames.
      case 'no-renormalize':
      case 'no-renames':
      case 'find-renames':
        break
      default: {
        const [, share] = /^(?:find-renames|rename-threshold)=(\d.*)$/.exec(value) ?? []
        if (share === undefined && /^(?:renormalize|subtree(?:=.*)?)$/.test(value)) throw notBuilt(`the strategy option ${value}`)
        if (share === undefined) throw fatal(`unknown strategy option: -X${value}`)
        result = { ...result, renamePercent: percent(share, 50) }
      }
    }
  }
  return result
}

const algorithms: Readonly<Record<string, 'myers' | 'minimal' | 'patience' | 'histogram'>> = {
  myers: 'myers',
  minimal: 'minimal',
  patience: 'patience',
  histogram: 'histogram',
}

/** How conflicts are shown: `merge.conflictStyle`. */
export function conflictStyle(repository: Repository): 'merge' | 'diff3' | 'zdiff3' {
  const style = repository.config().get('merge.conflictstyle') ?? 'merge'
  if (style !== 'merge' && style !== 'diff3' && style !== 'zdiff3')
    throw fatal(`unknown style '${style}' given for 'merge.conflictstyle'`)
  return style
}
