// How many columns of a terminal a text takes, as git counts them: marks that combine take none, wide characters two.

const noColumn = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** First and last code point of the blocks whose characters are two columns wide. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]

export function columnCount(text: string): number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.length
  let count = 0
  for (const character of text) count += columnsOf(character)
  return count
}

function columnsOf(character: string): number {
  if (noColumn.test(character)) return 0
  const code = character.codePointAt(0) ?? 0
  return wideBlocks.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}

/** Without as many characters at the beginning as it takes to need no more than `columns`. */
export function lastColumns(text: string, columns: number): string {
  const characters = [...text]
  let count = columnCount(text)
  let at = 0
  for (; at < characters.length && count > columns; at++) count -= columnsOf(characters[at] ?? '')
  return characters.slice(at).join('')
}
