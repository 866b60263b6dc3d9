// What a rule is. Reading rules takes the glob engine, which a workspace without rules never loads (rules.ts).

import type { VfsPath } from '../../core/path.ts'

/** One rule of a policy. The first rule that fits a call and its paths decides. */
export interface PolicyRule {
  /** Globs of tools by their own names, whatever a toolset calls them; default every tool. */
  readonly tool?: string | readonly string[] | undefined
  /**
   * Globs of paths, from the workspace's root, or absolute with a '/' in front; `*` stays within a name, `**` crosses directories. What
   * matches takes along what lies below it: `secrets` and `secrets/**` are the same. Without it the rule is about whole calls.
   */
  readonly path?: string | readonly string[] | undefined
  readonly action: 'allow' | 'ask' | 'deny'
  /** Told to the model, in the tool's description and when a call is refused. */
  readonly reason?: string | undefined
}

export interface RuleSet {
  readonly rules: readonly PolicyRule[]
  /** The first rule for a call of `tool` that touches `place`; without a place, the first that is not about paths. */
  find(tool: string, place?: VfsPath): PolicyRule | undefined
  /** Every rule that may decide about some call of `tool`. The last is the only one that can be without paths. */
  reachable(tool: string): readonly PolicyRule[]
}

export const noRules: RuleSet = { rules: [], find: () => undefined, reachable: () => [] }
