// The answers to questions of a command.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'

/** Stdin line by line; the rest stays unread. Without input all answers are at an end. */
export class Answers {
  readonly #call: GitCall
  #text = ''
  #isOver: boolean

  constructor(call: GitCall) {
    this.#call = call
    this.#isOver = !call.stdin.isGiven
  }

  async yes(question: string): Promise<boolean> {
    for (;;) {
      await this.#call.out.write(question)
      const letter = (await this.next())?.charAt(0).toLowerCase()
      if (letter === undefined || letter === 'n') return false
      if (letter === 'y') return true
    }
  }

  async next(): Promise<string | undefined> {
    await this.#call.out.flush()
    for (;;) {
      const end = this.#text.indexOf('\n')
      if (end !== -1) {
        const line = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 1)
        return line.replace(/\r$/, '')
      }
      const bytes = this.#isOver ? undefined : await this.#call.stdin.read()
      if (bytes !== undefined) {
        this.#text += decodeText(bytes)
        continue
      }
      this.#isOver = true
      const last = this.#text
      this.#text = ''
      return last === '' ? undefined : last
    }
  }
}
