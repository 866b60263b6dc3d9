// What an edit is between its script and its commit.

import type { LoadedText } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { DocumentDiff } from '../../../text/diff.ts'
import type { AppliedEdit } from '../../../text/hashline/apply.ts'
import type { Section } from '../../../text/hashline/parse.ts'

/** Where one section goes. */
export interface Target {
  readonly section: Section
  readonly file: ResolvedPath
}

/** One section, checked and applied in memory. */
export interface PlannedEdit extends Target {
  readonly loaded: LoadedText
  readonly applied: AppliedEdit
  readonly diff: DocumentDiff
}

/** How often a session has sent the same edit that changes nothing. */
export type NoOpCounts = Map<string, number>
