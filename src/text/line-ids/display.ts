// How an ID is shown before a line, and how it is removed if a model copied it into new content.

const prefixPattern = /^\[LID:([0-9a-f]{6})\] ?/

/** `[LID:a3f2c1] text`; with an empty line, the blank stays. */
export function formatLineId(id: string): string {
  return `[LID:${id}] `
}

/** The ID that a model meant: bare, or with `[LID:…]` around it. `undefined` if it is not an ID. */
export function parseLineId(text: string): string | undefined {
  return /^\s*\[?(?:LID:)?([0-9a-f]{6})\]?\s*$/i.exec(text)?.[1]?.toLowerCase()
}

export interface WithoutLineIds {
  readonly lines: readonly string[]
  readonly removed: number
  /** The number of lines that begin like a copied one, with an unknown ID; they were not changed. */
  readonly suspicious: number
}

/** Removes `[LID:…] ` from lines with a known ID, because a tool certainly put it there. */
export function withoutLineIds(lines: readonly string[], isKnown: (id: string) => boolean): WithoutLineIds {
  let removed = 0
  let suspicious = 0
  const bare = lines.map(line => {
    const match = prefixPattern.exec(line)
    if (match === null) return line
    if (!isKnown(match[1] ?? '')) {
      suspicious++
      return line
    }
    removed++
    return line.slice(match[0].length)
  })
  return { lines: bare, removed, suspicious }
}
