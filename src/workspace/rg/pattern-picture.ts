// Shows a pattern with carets below the parts that are wrong, as ripgrep does.

/** Places in code points, 0-based. */
export interface PatternSpan {
  readonly start: number
  readonly end: number
}

const divider = '~'.repeat(79)

interface Place {
  readonly line: number
  readonly column: number
}

/** The pattern, the carets and the message below them, without a final line break. */
export function pictureOf(codePoints: readonly string[], spans: readonly PatternSpan[], message: string): string {
  const lines = codePoints.join('').split('\n')
  const ranges = spans.map(({ start, end }) => [placeOf(codePoints, start), placeOf(codePoints, end)] as const)
  const isLong = lines.length > 1
  const rows = lines.flatMap((line, index) => {
    const prefix = isLong ? `${String(index + 1).padStart(String(lines.length).length)}: ` : '    '
    const carets = caretsOf(ranges.flatMap(([from, to]) => (from.line === index && to.line === index ? [[from, to]] : [])))
    return [`${prefix}${line}`, ...(carets === '' ? [] : [`${' '.repeat(prefix.length)}${carets}`])]
  })
  const across = ranges.flatMap(([from, to]) =>
    from.line === to.line
      ? []
      : [`on line ${from.line + 1} (column ${from.column + 1}) through line ${to.line + 1} (column ${to.column})`],
  )
  const shown = isLong ? [divider, ...rows, divider] : rows
  return ['regex parse error:', ...shown, ...across, `error: ${message}`].join('\n')
}

function caretsOf(ranges: readonly (readonly Place[])[]): string {
  let carets = ''
  for (const [from, to] of ranges.toSorted(([a], [b]) => (a?.column ?? 0) - (b?.column ?? 0))) {
    if (from === undefined || to === undefined) continue
    carets = carets.padEnd(from.column) + '^'.repeat(Math.max(1, to.column - from.column))
  }
  return carets
}

function placeOf(codePoints: readonly string[], at: number): Place {
  const before = codePoints.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.filter(each => each === '\n').length, column: at - lineStart }
}
