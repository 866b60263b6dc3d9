// Removes terminal control sequences. Colours, cursor movements and titles cost a model tokens without information, and of a line
// that was redrawn many times only the last state matters. Characters are never changed, and callers that need every byte use the
// raw output. It works on bytes, because it searches only for ASCII, which in UTF-8 is never part of another character.

import { joinBytes } from '../core/bytes.ts'

export interface TerminalText {
  /** Returns the text that is final. The current line waits, because it may still be redrawn. */
  write(bytes: Uint8Array): Uint8Array
  /** The current state of the current line. */
  readonly line: Uint8Array
  /** Returns the remaining text. An unfinished escape sequence is dropped. */
  end(): Uint8Array
}

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
export function createTerminalText(): TerminalText {
  let state: State = 'text'
  let sequenceBytes = 0
  let control = ''
  let isReturned = false
  let line = new Uint8Array(256)
  let lineBytes = 0
  let given: Uint8Array[] = []

  const giveLine = (): void => {
    if (lineBytes > 0) given.push(line.slice(0, lineBytes))
    lineBytes = 0
  }
  const put = (byte: number): void => {
    if (byte === lineFeed) {
      isReturned = false
    } else if (isReturned) {
      isReturned = false
      lineBytes = 0
    }
    if (lineBytes === line.length) {
      const larger = new Uint8Array(line.length * 2)
      larger.set(line)
      line = larger
    }
    line[lineBytes++] = byte
    if (byte === lineFeed || lineBytes >= longestLineBytes) giveLine()
  }
  const text = (byte: number): void => {
    if (byte === escape) begin('escape')
    else if (byte === carriageReturn) isReturned = true
    else put(byte)
  }
  const begin = (next: State): void => {
    state = next
    sequenceBytes = 0
    control = ''
  }
  const sequence = (byte: number): void => {
    sequenceBytes += 1
    if (sequenceBytes > longestSequenceBytes || (byte === escape && state !== 'string')) {
      state = 'text'
      text(byte)
      return
    }
    switch (state) {
      case 'escape':
        if (byte === 0x5b) state = 'control'
        else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) state = 'string'
        else if (byte >= 0x20 && byte <= 0x2f) state = 'intermediate'
        else endSequence(byte, byte >= 0x30 && byte <= 0x7e)
        break
      case 'intermediate':
        if (byte < 0x20 || byte > 0x2f) endSequence(byte, byte >= 0x30 && byte <= 0x7e)
        break
      case 'control':
        if (byte >= 0x20 && byte <= 0x3f) control += String.fromCharCode(byte)
        else {
          // Programs erase the whole line to remove what they have drawn.
          if (byte === 0x4b && control === '2') lineBytes = 0
          endSequence(byte, byte >= 0x40 && byte <= 0x7e)
        }
        break
      case 'string':
        if (byte === bell) state = 'text'
        else if (byte === escape) state = 'string-escape'
        break
      case 'string-escape':
        // ST is ESC \; any other ESC also ends the string.
        endSequence(byte, byte === 0x5c)
        break
      case 'text':
        break
    }
  }
  /** A byte that is not part of the sequence is content. */
  const endSequence = (byte: number, belongs: boolean): void => {
    state = 'text'
    if (!belongs) text(byte)
  }
  const taken = (): Uint8Array => {
    const parts = given
    given = []
    return joinBytes(parts)
  }
  return {
    write: bytes => {
      for (const byte of bytes) {
        if (state === 'text') text(byte)
        else sequence(byte)
      }
      return taken()
    },
    get line() {
      return line.slice(0, lineBytes)
    },
    end: () => {
      giveLine()
      return taken()
    },
  }
}
