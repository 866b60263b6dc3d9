// Separators are written with escapes, because a shell cannot pass every byte.

const encoder = new TextEncoder()
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, '0': 0, '\\': 92 }

/** The bytes of `text`: `\n`, `\r`, `\t`, `\0`, `\\` and `\xFF` are one byte each; any other escape is taken literally. */
export function unescaped(text: string): Uint8Array {
  const bytes: number[] = []
  for (let rest = text; rest !== '';) {
    const escape = /^\\(?:x([0-9A-Fa-f]{2})|([nrt0\\]))/.exec(rest)
    if (escape !== null) {
      bytes.push(escape[1] === undefined ? (controls[escape[2] ?? ''] ?? 0) : Number.parseInt(escape[1], 16))
      rest = rest.slice(escape[0].length)
      continue
    }
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    bytes.push(...encoder.encode(character))
    rest = rest.slice(character.length)
  }
  return Uint8Array.from(bytes)
}
