// Draws the line that is edited. Where it stands and how wide its characters are is asked of the terminal itself, by markers, so that wide
// characters, wrapped lines and scrolling need no arithmetic of ours. The terminal answers only once it has taken in what was written
// before, so all that is written goes one after the other.

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
  #drawCount = 0
  #queue: Promise<void> = Promise.resolve()

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Writes what is no part of the line. */
  say(text: string): void {
    this.#next(() => this.#write(shown(text)))
  }

  /** Begins a prompt where the cursor is then. */
  enter(prompt: string): void {
    this.#isOpen = true
    this.#next(async () => {
      await this.#write('\x1b[?2004h')
      this.#prompt = prompt
      this.#start?.dispose()
      this.#start = this.#terminal.registerMarker(0)
    })
  }

  /** Shows the line as it is now. What comes faster than it can be shown is left out, but never the last. */
  draw(text: Text): void {
    if (!this.#isOpen) return
    const draw = ++this.#drawCount
    this.#next(async () => {
      if (draw === this.#drawCount) await this.#show(text)
    })
  }

  /** Shows the line for the last time, with the cursor at its end. */
  leave({ before, after }: Text): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#drawCount++
    this.#next(async () => {
      await this.#show({ before: before + after, after: '' })
      await this.#write('\x1b[?2004l')
    })
  }

  /** Output without a line break at its end gets one, so that what follows begins a line. */
  beginLine(): void {
    this.#next(async () => {
      if (this.#terminal.buffer.active.cursorX > 0) await this.#write('\r\n')
    })
  }

  clearScreen(): void {
    this.#next(() => this.#write('\x1b[2J\x1b[H'))
  }

  async #show({ before, after }: Text): Promise<void> {
    const { buffer } = this.#terminal
    const rowOf = (marker: IMarker | undefined): number => Math.max(0, (marker?.line ?? 0) - buffer.active.baseY) + 1
    await this.#write(`\x1b[${rowOf(this.#start)};1H\x1b[J${this.#prompt}${shown(before)}`)
    if (after === '') return
    const column = Math.min(buffer.active.cursorX, this.#terminal.cols - 1) + 1
    const cursor = this.#terminal.registerMarker(0)
    await this.#write(shown(after))
    await this.#write(`\x1b[${rowOf(cursor)};${column}H`)
    cursor.dispose()
  }

  #next(task: () => Promise<void>): void {
    this.#queue = this.#queue.then(task)
  }

  #write(text: string): Promise<void> {
    return new Promise(resolve => this.#terminal.write(text, resolve))
  }
}

const shown = (text: string): string => text.replace(/\r?\n/g, '\r\n')
