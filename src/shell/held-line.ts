// A line of a session that must wait before it starts, for example until open files are saved. It can be refused.

import { joinBytes } from '../core/bytes.ts'
import { AnchorageError, ToolError } from '../core/errors.ts'
import type { LineEnd, RunningLine } from './line-session.ts'

export interface Holding {
  /** Resolves with a note for the user, or rejects if the line must not run. */
  readonly ready: Promise<string | undefined>
  readonly begin: () => RunningLine
  readonly show: (text: string) => Promise<void> | undefined
  readonly cwd: string
}

export class HeldLine implements RunningLine {
  readonly ended: Promise<LineEnd>
  #line: RunningLine | undefined
  #isGivenUp = false
  readonly #typed: (Uint8Array | undefined)[] = []

  constructor(holding: Holding) {
    this.ended = this.#run(holding)
  }

  input(bytes: Uint8Array | undefined): void {
    if (this.#line === undefined) this.#typed.push(bytes)
    else this.#line.input(bytes)
  }

  interrupt(): void {
    if (this.#line === undefined) this.#isGivenUp = true
    else this.#line.interrupt()
  }

  kill(): void {
    if (this.#line === undefined) this.#isGivenUp = true
    else this.#line.kill()
  }

  async #run({ ready, begin, show, cwd }: Holding): Promise<LineEnd> {
    try {
      const note = await ready
      if (note !== undefined) await show(`${note}\n`)
    } catch (error) {
      await show(`${reasonOf(error)}\n`)
      return this.#notRun({ kind: 'exited', code: 1 }, 1, cwd)
    }
    if (this.#isGivenUp) return this.#notRun({ kind: 'killed', signal: 'SIGINT' }, 130, cwd)
    const line = (this.#line = begin())
    for (const bytes of this.#typed) line.input(bytes)
    return await line.ended
  }

  #notRun(exit: LineEnd['exit'], code: number, cwd: string): LineEnd {
    const unread = joinBytes(this.#typed.filter(bytes => bytes !== undefined))
    return { exit, code, cwd, isOver: false, unread }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ToolError && error.nextStep !== undefined) return `${error.message} ${error.nextStep}`
  return error instanceof AnchorageError || error instanceof Error ? error.message : String(error)
}
