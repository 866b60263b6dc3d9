// Turns the rows below an operation into the lines to write. Rows without '+' are accepted, because they can have no other meaning there,
// and always reported.

export type BodyRow =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'bare'; readonly text: string }
  | { readonly kind: 'blank' }

export interface Body {
  readonly rows: readonly string[]
  readonly warnings: readonly string[]
}

/** Blank rows around the body are layout and removed; blank rows inside it are empty lines. `scriptLine` is the operation's. */
export function resolveBody(body: readonly BodyRow[], scriptLine: number): Body {
  const first = body.findIndex(row => row.kind !== 'blank')
  const last = body.findLastIndex(row => row.kind !== 'blank')
  if (first === -1) return { rows: [], warnings: [] }
  const kept = body.slice(first, last + 1)
  const stripped = withoutCopiedPrefixes(kept)
  const rows = kept.map((row, index) =>
    row.kind === 'blank' ? '' : row.kind === 'bare' ? (stripped?.get(index) ?? row.text) : row.text,
  )
  const bareCount = kept.filter(row => row.kind !== 'literal').length
  const warnings: string[] = []
  if (bareCount > 0) {
    warnings.push(
      `Line ${scriptLine} of the script: ${bareCount} body ${bareCount === 1 ? 'row' : 'rows'} without a leading + taken as literal text. Start every body row with +.`,
    )
  }
  if (stripped !== undefined) {
    warnings.push(
      `Line ${scriptLine} of the script: copied line-number prefixes were removed from the body. Write body rows as +TEXT without numbers; + keeps a row exactly as it is.`,
    )
  }
  return { rows, warnings }
}

/**
 * The bare rows without the `12:` of a display; `undefined` unless every bare row has one. A table of numbered constants looks the same, so
 * rows whose rest is only a literal are kept.
 */
function withoutCopiedPrefixes(body: readonly BodyRow[]): ReadonlyMap<number, string> | undefined {
  const rests = new Map<number, string>()
  let bareCount = 0
  let literalCount = 0
  for (const [index, row] of body.entries()) {
    if (row.kind !== 'bare') continue
    const rest = afterCopiedPrefix(row.text)
    if (rest === undefined) return undefined
    bareCount++
    if (isLoneLiteral(rest)) literalCount++
    rests.set(index, rest)
  }
  return bareCount === 0 || literalCount === bareCount ? undefined : rests
}

/** The text after `12:`, `*12:`, ` 12:`, `>> 12:` or `+ 12:`. Each pattern is anchored after trimming, so none can backtrack far. */
function afterCopiedPrefix(text: string): string | undefined {
  const unindented = text.trimStart()
  const marker = /^>{2,3}/.exec(unindented)?.[0] ?? ''
  const unmarked = unindented.slice(marker.length).trimStart()
  const unbulleted = /^[+*-]/.test(unmarked) ? unmarked.slice(1).trimStart() : unmarked
  const number = /^\d+:/.exec(unbulleted)?.[0]
  return number === undefined ? undefined : unbulleted.slice(number.length)
}

function isLoneLiteral(text: string): boolean {
  const trimmed = text.trim()
  const value = trimmed.endsWith(',') ? trimmed.slice(0, -1).trimEnd() : trimmed
  return /^(?:"[^"]*"|'[^']*'|[-+]?\d+(?:\.\d+)?)$/.test(value)
}
