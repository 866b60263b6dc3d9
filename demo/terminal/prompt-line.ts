// Draws the line that is edited. Where it stands and how wide its characters are is asked of the terminal itself, by markers, so that wide
// characters, wrapped lines and scrolling need no arithmetic of ours.

import type { IMarker, Terminal } from '@xterm/xterm'

interface Text {
  readonly before: string
  readonly after: string
}

export class PromptLine {
  readonly #terminal: Terminal
  #prompt = ''
  #start: IMarker | undefined
  #isOpen = false
  #isDrawing = false
  #next: Text | undefined

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Begins a prompt where the cursor will be once all that was written before is shown. */
  enter(prompt: string): void {
    this.#prompt = prompt
    this.#isOpen = true
    this.#next = { before: '', after: '' }
    this.#isDrawing = true
    this.#terminal.write('\x1b[?2004h', () => {
      this.#start?.dispose()
      this.#start = this.#terminal.registerMarker(0)
      this.#isDrawing = false
      this.#drawNext()
    })
  }

  /** Shows the line as it is now. What comes faster than it can be shown is left out, but never the last. */
  draw({ before, after }: Text): void {
    if (!this.#isOpen) return
    this.#next = { before, after }
    this.#drawNext()
  }

  /** What is written from now on is no longer part of the line. */
  leave(): void {
    if (!this.#isOpen) return
    const last = this.#next
    this.#next = undefined
    this.#isOpen = false
    if (last !== undefined) this.#terminal.write(this.#place(last.before + last.after))
    this.#terminal.write('\x1b[?2004l')
  }

  clearScreen({ before, after }: Text): void {
    if (!this.#isOpen) return
    this.#terminal.write('\x1b[2J\x1b[H')
    this.enter(this.#prompt)
    this.draw({ before, after })
  }

  #drawNext(): void {
    const text = this.#next
    if (text === undefined || this.#isDrawing) return
    this.#next = undefined
    this.#isDrawing = true
    const done = (): void => {
      this.#isDrawing = false
      this.#drawNext()
    }
    const { buffer } = this.#terminal
    this.#terminal.write(this.#place(text.before), () => {
      if (text.after === '') return done()
      const column = Math.min(buffer.active.cursorX, this.#terminal.cols - 1)
      const cursor = this.#terminal.registerMarker(0)
      this.#terminal.write(shown(text.after), () => {
        const row = Math.max(0, cursor.line - buffer.active.baseY)
        cursor.dispose()
        this.#terminal.write(`\x1b[${row + 1};${column + 1}H`, done)
      })
    })
  }

  /** From the prompt's start: everything anew. */
  #place(text: string): string {
    const line = this.#start?.line ?? 0
    const row = Math.max(0, line - this.#terminal.buffer.active.baseY)
    return `\x1b[${row + 1};1H\x1b[J${this.#prompt}${shown(text)}`
  }
}

const shown = (text: string): string => text.replaceAll('\n', '\r\n')
