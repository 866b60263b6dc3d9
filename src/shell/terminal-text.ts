// What a terminal is told to do is no content: colours, cursor moves and titles cost a model tokens and tell it nothing, and of a line
// that was drawn a hundred times only the last state counts. Characters themselves are never changed, and whoever needs every byte has
// the raw output. Bytes are looked at, not characters: all that is looked for is ASCII, which in UTF-8 never is a part of anything else.

export interface TerminalText {
  /** What can be said for certain by now. The line under way waits, because it may still be drawn anew. */
  write(bytes: Uint8Array): Uint8Array
  /** The line under way as it looks now. */
  readonly line: Uint8Array
  /** The rest. An escape sequence that never ended is left out. */
  end(): Uint8Array
}

// A longer line is given on as it is, so that nothing waits without end.
const longestLineBytes = 64 * 1024
// ECMA-48 knows no bound. A lone ESC in something that is no terminal output must not swallow the rest.
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
          // "Erase the whole line" is how programs take back what they drew.
          if (byte === 0x4b && control === '2') lineBytes = 0
          endSequence(byte, byte >= 0x40 && byte <= 0x7e)
        }
        break
      case 'string':
        if (byte === bell) state = 'text'
        else if (byte === escape) state = 'string-escape'
        break
      case 'string-escape':
        // ST is ESC \; any other ESC ends the string too.
        endSequence(byte, byte === 0x5c)
        break
      case 'text':
        break
    }
  }
  /** A byte that is no part of the sequence is content. */
  const endSequence = (byte: number, belongs: boolean): void => {
    state = 'text'
    if (!belongs) text(byte)
  }
  const taken = (): Uint8Array => {
    const parts = given
    given = []
    return joined(parts)
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

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
