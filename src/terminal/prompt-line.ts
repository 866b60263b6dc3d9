// Draws the line that is edited. The terminal's own markers give its position and the width of its characters, so that wide
// characters, wrapped lines and scrolling need no arithmetic here. The terminal answers only after it has processed everything written
// before, so all output goes through one queue.

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

  /** Writes output that does not belong to the line. */
  say(text: string): void {
    this.#next(() => this.#write(shown(text)))
  }

  /** Writes what a program sends to its own terminal. */
  raw(text: string): void {
    this.#next(() => this.#write(text))
  }

  /** Resolves when everything so far was drawn. */
  shown(): Promise<void> {
    return this.#queue
  }

  /** Takes the prompt and its line off the screen. */
  erase(): void {
    if (!this.#isOpen) return
    this.#drawCount++
    this.#next(() => this.#write(`\x1b[${this.#rowOf(this.#start)};1H\x1b[J`))
  }

  /** Shows the same prompt at the cursor. */
  again(text: Text): void {
    if (!this.#isOpen) return
    this.enter(this.#prompt)
    this.draw(text)
  }

  /** Starts a prompt at the cursor. */
  enter(prompt: string): void {
    this.#isOpen = true
    this.#next(async () => {
      await this.#write('\x1b[?2004h')
      this.#prompt = prompt
      this.#start?.dispose()
      this.#start = this.#terminal.registerMarker(0)
    })
  }

  /** Shows the line. States that follow faster than they can be drawn are skipped, except the last. */
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

  /** Adds a line break after output that has none at its end. */
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
    await this.#write(`\x1b[${this.#rowOf(this.#start)};1H\x1b[J${this.#prompt}${shown(before)}`)
    if (after === '') return
    const column = Math.min(buffer.active.cursorX, this.#terminal.cols - 1) + 1
    const cursor = this.#terminal.registerMarker(0)
    await this.#write(shown(after))
    await this.#write(`\x1b[${this.#rowOf(cursor)};${column}H`)
    cursor.dispose()
  }

  #rowOf(marker: IMarker | undefined): number {
    return Math.max(0, (marker?.line ?? 0) - this.#terminal.buffer.active.baseY) + 1
  }

  #next(task: () => Promise<void>): void {
    this.#queue = this.#queue.then(task)
  }

  #write(text: string): Promise<void> {
    return new Promise(resolve => this.#terminal.write(text, resolve))
  }
}

const shown = (text: string): string => text.replace(/\r?\n/g, '\r\n')
