// What models put around a whole script: a code fence, or one indentation for all lines. Both are removed, because the rest is unambiguous
// and every line keeps its number.

export interface BareScript {
  readonly text: string
  readonly warnings: readonly string[]
}

export function withoutDecoration(input: string): BareScript {
  const fenced = withoutFence(input.split('\n'))
  const dedented = withoutIndent(fenced ?? input.split('\n'))
  const warnings = [
    ...(fenced === undefined ? [] : ['The code fence around the script was left out.']),
    ...(dedented === undefined ? [] : ['The indentation that all lines of the script share was left out.']),
  ]
  return warnings.length === 0 ? { text: input, warnings } : { text: (dedented ?? fenced ?? []).join('\n'), warnings }
}

function withoutFence(lines: readonly string[]): readonly string[] | undefined {
  const first = lines.findIndex(line => line.trim() !== '')
  const last = lines.findLastIndex(line => line.trim() !== '')
  if (first >= last || !/^\s*`{3,}\w*\s*$/.test(lines[first] ?? '') || !/^\s*`{3,}\s*$/.test(lines[last] ?? '')) return undefined
  return lines.map((line, index) => (index === first || index === last ? '' : line))
}

function withoutIndent(lines: readonly string[]): readonly string[] | undefined {
  const written = lines.filter(line => line.trim() !== '')
  const indent = /^[ \t]+(?=\[)/.exec(written[0] ?? '')?.[0]
  if (indent === undefined || !written.every(line => line.startsWith(indent))) return undefined
  return lines.map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
}
