// jq counts the characters before a place of a text, and JavaScript its units. The places that are asked for mostly rise, so that one
// pass over the text counts them all.

export class CodePointOffsets {
  private readonly text: string
  private readonly hasPairs: boolean
  private at = 0
  private count = 0

  constructor(text: string) {
    this.text = text
    this.hasPairs = /[\ud800-\udbff]/.test(text)
  }

  /** The number of characters before the unit `place`. */
  before(place: number): number {
    if (!this.hasPairs) return place
    while (this.at < place) {
      this.at += isPair(this.text, this.at) ? 2 : 1
      this.count += 1
    }
    while (this.at > place) {
      this.at -= this.at > 1 && isPair(this.text, this.at - 2) ? 2 : 1
      this.count -= 1
    }
    return this.count
  }
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
