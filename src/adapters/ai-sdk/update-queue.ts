// Turns the listener of a call into something to iterate over. Each update replaces the one before it, so only the newest waits.

import type { ToolResult, ToolUpdate } from '../../core/tool.ts'

/** Runs one call at once; `updates` ends when the call does. */
export class UpdateQueue {
  readonly result: Promise<ToolResult>
  #newest: ToolUpdate | undefined
  #isOver = false
  #wake = (): void => {}

  constructor(run: (onUpdate: (update: ToolUpdate) => void) => Promise<ToolResult>) {
    const end = (): void => {
      this.#isOver = true
      this.#wake()
    }
    this.result = run(update => {
      this.#newest = update
      this.#wake()
    })
    // A caller that awaits `result` receives the failure.
    this.result.then(end, end)
  }

  async *updates(): AsyncGenerator<ToolUpdate> {
    while (!this.#isOver) {
      if (this.#newest === undefined) await new Promise<void>(resolve => (this.#wake = resolve))
      const update = this.#newest
      this.#newest = undefined
      // What was said last before the end is in the result.
      if (update !== undefined && !this.#isOver) yield update
    }
  }
}
