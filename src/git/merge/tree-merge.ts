// What a merge of trees takes and returns.

import type { ObjectId } from '../store/object-format.ts'

export type Side = 'ours' | 'theirs'

/** A file of a tree. */
export interface Version {
  readonly mode: number
  readonly oid: ObjectId
}

export interface MergeLabels {
  readonly ours: string
  readonly base: string
  readonly theirs: string
}

export interface MergeTreesOptions {
  readonly labels: MergeLabels
  readonly favor?: 'ours' | 'theirs' | undefined
  readonly style?: 'merge' | 'diff3' | 'zdiff3' | undefined
  /** The depth of this merge in merges of merge bases: 0 for the requested merge. Inner merges keep conflicts as text. */
  readonly depth?: number
  /** Default `histogram`; `stash` uses `myers`. */
  readonly algorithm?: 'histogram' | 'myers' | 'minimal' | 'patience' | undefined
  /** Of its content, so much stays in a renamed file. */
  readonly renamePercent?: number
  readonly whitespace?: 'exact' | 'cr-at-end' | 'at-end' | 'change' | 'all' | undefined
}

/** Base, ours and theirs in a conflict. */
export type ConflictStages = readonly [Version | undefined, Version | undefined, Version | undefined]

export interface TreeMerge {
  /** Changes to our tree, by path: the new entry, or `undefined` for none. Files with conflicts are included. */
  readonly changes: ReadonlyMap<string, Version | undefined>
  readonly conflicts: ReadonlyMap<string, ConflictStages>
  /** Nothing is left for a person, neither a conflict nor a question without one. */
  readonly isClean: boolean
  /** Lines for stdout, in order. */
  readonly messages: readonly string[]
  /** Lines for stderr. */
  readonly errors?: readonly string[]
}

/** The versions of one path. */
export interface Entry {
  base: Version | undefined
  ours: Version | undefined
  theirs: Version | undefined
  /** Where each version is in its tree, if not here. */
  paths?: { readonly base: string; readonly ours: string; readonly theirs: string }
  /** A rename makes this a conflict, whatever the versions are. */
  isConflict?: boolean
  /** Only the stages remain. */
  isGone?: boolean
}
