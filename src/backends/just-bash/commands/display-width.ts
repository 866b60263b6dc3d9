// The display width of text in terminal columns: 0 for combining marks, 2 for wide East Asian characters and emoji.

const wide =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f200}-\u{1f320}\u{1f32d}-\u{1f335}\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3cf}-\u{1f3d3}\u{1f3e0}-\u{1f3f0}\u{1f3f4}\u{1f3f8}-\u{1f43e}\u{1f440}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f54b}-\u{1f54e}\u{1f550}-\u{1f567}\u{1f57a}\u{1f595}\u{1f596}\u{1f5a4}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f6cc}\u{1f6d0}-\u{1f6d2}\u{1f6d5}-\u{1f6d7}\u{1f6dd}-\u{1f6df}\u{1f6eb}\u{1f6ec}\u{1f6f4}-\u{1f6fc}\u{1f7e0}-\u{1f7eb}\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}\u{1f947}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u
const without = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u

/** The width in columns; control characters have no width. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) {
    if (character !== '\xad' && without.test(character)) continue
    width += wide.test(character) ? 2 : 1
  }
  return width
}

/** The width of the widest line of a text that arrives in parts, with a tab stop every eight columns. A carriage return starts a new line. */
export class LineWidths {
  #widest = 0
  #column = 0

  add(part: string): void {
    for (const piece of part.split(/([\t\n\r\f])/)) {
      if (piece === '\t') this.#column += 8 - (this.#column % 8)
      else if (piece === '\n' || piece === '\r' || piece === '\f') {
        this.#widest = this.widest
        this.#column = 0
      } else this.#column += displayWidth(piece)
    }
  }

  get widest(): number {
    return Math.max(this.#widest, this.#column)
  }
}
