// Turns the updates of a call into an async iterable. Each update replaces the previous one, so only the newest is kept.

import type { ToolResult, ToolUpdate } from '../../core/tool.ts'

/** Starts one call immediately; `updates` ends when the call ends. */
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
    // A caller that awaits `result` receives the error.
    this.result.then(end, end)
  }

  async *updates(): AsyncGenerator<ToolUpdate> {
    while (!this.#isOver) {
      if (this.#newest === undefined) await new Promise<void>(resolve => (this.#wake = resolve))
      const update = this.#newest
      this.#newest = undefined
      // The result contains the last update before the end.
      if (update !== undefined && !this.#isOver) yield update
    }
  }
}
