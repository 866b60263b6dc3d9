// How an ID stands before a line, and how it is taken off again where a model copied it into new content.

const prefixPattern = /^\[LID:([0-9a-f]{6})\] ?/

/** `[LID:a3f2c1] text`; an empty line keeps the blank. */
export function formatLineId(id: string): string {
  return `[LID:${id}] `
}

/** The ID that a model meant: bare, or with the `[LID:…]` around it. `undefined` when it is none. */
export function parseLineId(text: string): string | undefined {
  return /^\s*\[?(?:LID:)?([0-9a-f]{6})\]?\s*$/i.exec(text)?.[1]?.toLowerCase()
}

export interface WithoutLineIds {
  readonly lines: readonly string[]
  readonly removed: number
  /** Lines that begin like a copied one, with an ID that is not known: they are as they were. */
  readonly suspicious: number
}

/** Takes `[LID:…] ` off the lines where the ID is known, which makes it certain that a tool put it there. */
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
