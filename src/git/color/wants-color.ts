// Whether a command writes colors. The output here is never a terminal, so only `always` does.

import { GitFailure } from '../errors.ts'
import type { OptionRow, Options } from '../options.ts'
import type { Config } from '../store/config.ts'

export const colorOptionRow: OptionRow = { names: ['color'], argument: { name: 'when', isOptional: true } }

/** `names`: the settings that count where no option is given, the first one that is set. */
export function wantsColor(options: Options | undefined, config: Config, names: readonly string[]): boolean {
  const last = options?.given.findLast(({ key }) => key === 'color' || key === 'color-words' || key === 'word-diff')
  // To mark words by colors is to ask for colors everywhere.
  if (last?.key === 'color-words' || (last?.key === 'word-diff' && last.value === 'color')) return true
  if (options?.isNegated('color') === true) return false
  if (options?.has('color') === true) {
    const when = options.value('color')?.toLowerCase()
    if (when === undefined || when === 'always') return true
    if (!['never', 'auto', 'false'].includes(when))
      throw new GitFailure('error: option `color\' expects "always", "auto", or "never"', 129)
    return false
  }
  const name = [...names, 'color.ui'].find(candidate => config.has(candidate))
  if (name === undefined) return false
  const when = config.get(name)?.toLowerCase() ?? ''
  if (when === 'always') return true
  // Rejects what is neither a word of this setting nor a truth value.
  if (when !== 'never' && when !== 'auto') config.bool(name, false)
  return false
}
