// The type of a rule. It is separate because reading rules needs the glob engine, which a workspace without rules does not load (rules.ts).

import type { VfsPath } from '../../core/path.ts'

/** One rule of a policy. The first rule that matches a call and its paths decides. */
export interface PolicyRule {
  /** Globs of tools by their original names, even if a toolset renames them; default every tool. */
  readonly tool?: string | readonly string[] | undefined
  /**
   * Globs of paths, from the workspace's root, or absolute if they start with '/'; `*` does not match '/', `**` crosses directories. A
   * match includes everything below it: `secrets` and `secrets/**` are the same. Without it the rule is about whole calls.
   */
  readonly path?: string | readonly string[] | undefined
  readonly action: 'allow' | 'ask' | 'deny'
  /** Shown to the model, in the tool's description and when a call is refused. */
  readonly reason?: string | undefined
}

export interface RuleSet {
  readonly rules: readonly PolicyRule[]
  /** The first rule for a call of `tool` that accesses `place`; without a place, the first rule that is not about paths. */
  find(tool: string, place?: VfsPath): PolicyRule | undefined
  /** Every rule that can decide about a call of `tool`. Only the last can be without paths. */
  reachable(tool: string): readonly PolicyRule[]
}

export const noRules: RuleSet = { rules: [], find: () => undefined, reachable: () => [] }
