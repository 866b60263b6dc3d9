// Reports parallel calls to each other. A script that names no file, or only missing files, joins no group of calls that edit one text, but
// the model sent it together with the others, so each answer mentions the rest.

import { ToolError } from '../../../core/errors.ts'
import { nextTurn } from '../../../core/pause.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'

export class CallsAtOnce {
  #running = 0
  /** Calls that ended before they could join others, while some of the running ones had begun. */
  #refused = 0

  /** `begin` parses the call; `carryOut` runs it, and reports the other calls of its group itself. */
  async during<Read>(begin: () => Promise<Read>, carryOut: (read: Read) => Promise<ToolOutcome>): Promise<ToolOutcome> {
    this.#running++
    try {
      return this.#withRefused(await carryOut(await this.#begun(begin)))
    } finally {
      this.#running--
      if (this.#running === 0) this.#refused = 0
    }
  }

  async #begun<Read>(begin: () => Promise<Read>): Promise<Read> {
    try {
      return await begin()
    } catch (error) {
      this.#refused++
      // By now all calls that were sent in the same moment have begun.
      await nextTurn()
      const others = this.#running - this.#refused
      if (!(error instanceof ToolError) || others <= 0) throw error
      const nextStep = `${error.nextStep ?? ''}\nThis does not affect ${others === 1 ? 'the other edit that was' : `the ${others} other edits that were`} sent at once: see ${others === 1 ? 'its result' : 'their results'}.`
      throw new ToolError(error.code, error.message, { nextStep, details: error.details, cause: error })
    }
  }

  #withRefused(outcome: ToolOutcome): ToolOutcome {
    const count = this.#refused
    if (count === 0) return outcome
    const note = `Of the edits that were sent at once, ${count === 1 ? 'one other edit was' : `${count} other edits were`} refused before it was read further, and changed nothing.`
    return { ...outcome, content: [...outcome.content, ...textContent(note)] }
  }
}
