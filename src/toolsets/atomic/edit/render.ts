// The text of an edit's result: the new header of each file, warnings, the lines of each resolved block, and the changed lines with their
// new numbers.

import type { BlockResolution } from '../../../text/hashline/blocks.ts'
import { formatHeader } from '../../../text/hashline/format.ts'

export interface RenderedSection {
  readonly display: string
  readonly tag: string
  readonly warnings: readonly string[]
  readonly blocks: readonly BlockResolution[]
  /** The rows of the change. */
  readonly rows: readonly string[]
}

/** `notes` are about the whole call. */
export function renderEdit(sections: readonly RenderedSection[], warnings: readonly string[], notes: readonly string[]): string {
  const blocks = sections.map(section =>
    [
      formatHeader(section.display, section.tag),
      ...section.warnings.map(warning => `Warning: ${warning}`),
      ...section.blocks.map(describeBlock),
      ...section.rows,
    ].join('\n'),
  )
  return [...warnings.map(warning => `Warning: ${warning}`), ...notes, blocks.join('\n\n')].join('\n')
}

/** `replace block 1 → resolved lines 1-3 (3 lines)` */
function describeBlock({ kind, line, start, end, landing }: BlockResolution): string {
  const count = end - start + 1
  const resolved = `${kind.replaceAll('-', ' ')} ${line} → resolved lines ${start}-${end} (${count} ${count === 1 ? 'line' : 'lines'})`
  return kind === 'insert-after-block' ? `${resolved}; body lands after line ${landing ?? end}` : resolved
}
