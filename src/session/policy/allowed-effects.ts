// Effects that a user has allowed for a whole session, so that the same question is not asked again.

import { parsePath } from '../../core/path.ts'
import type { PolicyRule, RuleSet } from './rule.ts'
import type { RulePlace } from './rules.ts'

export class AllowedEffects {
  readonly #place: RulePlace
  readonly #tools = new Set<string>()
  readonly #rules: RuleSet[] = []

  constructor(place: RulePlace) {
    this.#place = place
  }

  /**
   * Whether all of `paths` (absolute; without paths, the call as a whole) have been allowed for `tool`, which is the name that
   * the model uses.
   */
  covers(tool: string, paths: readonly string[] | undefined): boolean {
    if (this.#tools.has(tool)) return true
    if (this.#rules.length === 0) return false
    const places = paths === undefined || paths.length === 0 ? [undefined] : paths.map(path => parsePath(path))
    return places.every(place => this.#rules.some(rules => rules.find(tool, place) !== undefined))
  }

  /** Throws `AnchorageError` `workspace-options` for an invalid rule. */
  async add(tool: string, allow: 'call' | 'session' | Omit<PolicyRule, 'action'>): Promise<void> {
    if (allow === 'call') return
    if (allow === 'session') {
      this.#tools.add(tool)
      return
    }
    const { compileRules } = await import('./rules.ts')
    this.#rules.push(compileRules([{ ...allow, action: 'allow' }], this.#place))
  }
}
