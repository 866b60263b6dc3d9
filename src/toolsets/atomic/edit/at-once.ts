// What becomes of calls that are sent side by side. A script that names no file, or none that exists, belongs to no group of calls about one
// text; its author meant it beside the others all the same, so their answers tell of each other.

import { ToolError } from '../../../core/errors.ts'
import { nextTurn } from '../../../core/pause.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'

export class CallsAtOnce {
  #running = 0
  /** Calls that ended before they could join others, while some that are running were there. */
  #refused = 0

  /** `begin` reads the call; `carryOut` does it, and tells of the others of its group by itself. */
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
      // Those that are sent in the same moment have begun then.
      await nextTurn()
      const others = this.#running - this.#refused
      if (!(error instanceof ToolError) || others <= 0) throw error
      const nextStep = `${error.nextStep ?? ''}\nThis changed nothing for ${others === 1 ? 'the other edit that was' : `the ${others} other edits that were`} sent at once: see ${others === 1 ? 'its result' : 'their results'}.`
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
