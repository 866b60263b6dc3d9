// Removes terminal control sequences. Colours, cursor movements and titles cost a model tokens without information, and of a line
// that was redrawn many times only the last state matters. Characters are never changed, and callers that need every byte use the
// raw output. It works on bytes, because it searches only for ASCII, which in UTF-8 is never part of another character.

import { joinBytes } from '../core/bytes.ts'

// A longer line is passed on unchanged, so that the buffer stays small.
const longestLineBytes = 64 * 1024
// ECMA-48 has no limit. A lone ESC in other content must not remove the rest.
const longestSequenceBytes = 4096

const escape = 0x1b
const bell = 0x07
const carriageReturn = 0x0d
const lineFeed = 0x0a

type State = 'text' | 'escape' | 'intermediate' | 'control' | 'string' | 'string-escape'

/** Source: ECMA-48, sections 5.4, 5.6 and 8.3; xterm's control sequences. */
export class TerminalText {
  #state: State = 'text'
  #sequenceBytes = 0
  #control = ''
  #isReturned = false
  #line = new Uint8Array(256)
  #lineBytes = 0
  #given: Uint8Array[] = []

  /** Returns the text that is final. The current line waits, because it may still be redrawn. */
  write(bytes: Uint8Array): Uint8Array {
    for (const byte of bytes) {
      if (this.#state === 'text') this.#text(byte)
      else this.#sequence(byte)
    }
    return this.#taken()
  }

  /** The current state of the current line. */
  get line(): Uint8Array {
    return this.#line.slice(0, this.#lineBytes)
  }

  /** Returns the remaining text. An unfinished escape sequence is dropped. */
  end(): Uint8Array {
    this.#giveLine()
    return this.#taken()
  }

  #giveLine(): void {
    if (this.#lineBytes > 0) this.#given.push(this.line)
    this.#lineBytes = 0
  }

  #put(byte: number): void {
    if (byte !== lineFeed && this.#isReturned) this.#lineBytes = 0
    this.#isReturned = false
    if (this.#lineBytes === this.#line.length) {
      const larger = new Uint8Array(this.#line.length * 2)
      larger.set(this.#line)
      this.#line = larger
    }
    this.#line[this.#lineBytes++] = byte
    if (byte === lineFeed || this.#lineBytes >= longestLineBytes) this.#giveLine()
  }

  #text(byte: number): void {
    if (byte === escape) {
      this.#state = 'escape'
      this.#sequenceBytes = 0
      this.#control = ''
    } else if (byte === carriageReturn) this.#isReturned = true
    else this.#put(byte)
  }

  #sequence(byte: number): void {
    this.#sequenceBytes += 1
    if (this.#sequenceBytes > longestSequenceBytes || (byte === escape && this.#state !== 'string')) {
      this.#endSequence(byte, false)
      return
    }
    switch (this.#state) {
      case 'escape':
        if (byte === 0x5b) this.#state = 'control'
        else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#state = 'string'
        else if (byte >= 0x20 && byte <= 0x2f) this.#state = 'intermediate'
        else this.#endSequence(byte, byte >= 0x30 && byte <= 0x7e)
        break
      case 'intermediate':
        if (byte < 0x20 || byte > 0x2f) this.#endSequence(byte, byte >= 0x30 && byte <= 0x7e)
        break
      case 'control':
        if (byte >= 0x20 && byte <= 0x3f) this.#control += String.fromCharCode(byte)
        else {
          // Programs erase the whole line to remove what they have drawn.
          if (byte === 0x4b && this.#control === '2') this.#lineBytes = 0
          this.#endSequence(byte, byte >= 0x40 && byte <= 0x7e)
        }
        break
      case 'string':
        if (byte === bell) this.#state = 'text'
        else if (byte === escape) this.#state = 'string-escape'
        break
      case 'string-escape':
        // ST is ESC \; any other ESC also ends the string.
        this.#endSequence(byte, byte === 0x5c)
        break
      case 'text':
        break
    }
  }

  /** A byte that is not part of the sequence is content. */
  #endSequence(byte: number, belongs: boolean): void {
    this.#state = 'text'
    if (!belongs) this.#text(byte)
  }

  #taken(): Uint8Array {
    const parts = this.#given
    this.#given = []
    return joinBytes(parts)
  }
}
