// The storage behind a session's outputs, opened when it is first needed: the one of the session before, where there is one, else a new one.
// What goes wrong with it is remembered and told, and memory is all there is then.

import { AnchorageError } from '../core/errors.ts'
import type { KeptPlace, OpenOutputStorage, OutputStorage } from '../core/output-storage.ts'

export class OutputPlace {
  readonly #open: OpenOutputStorage | undefined
  #kept: KeptPlace | undefined
  #opening: Promise<OutputStorage | undefined> | undefined
  #problem: string | undefined
  #reopenError: Error | undefined
  #isClosed = false

  /** `kept`: of a session before this one. */
  constructor(open: OpenOutputStorage | undefined, kept?: KeptPlace) {
    this.#open = open
    this.#kept = kept
  }

  /** Why outputs cannot be put away, when that was tried and failed. */
  get problem(): string | undefined {
    return this.#problem
  }

  get isUsable(): boolean {
    return this.#open !== undefined && this.#problem === undefined
  }

  /** Why the outputs of the session before cannot be read, when that was tried and failed. */
  get whyGone(): string | undefined {
    return this.#reopenError?.message
  }

  get isOpened(): boolean {
    return this.#opening !== undefined
  }

  /** `undefined` where there is none. Never rejects. */
  storage(): Promise<OutputStorage | undefined> {
    return (this.#opening ??= this.#openOnce())
  }

  /** Nothing more is put away. */
  failed(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error)
  }

  /** Calling it twice is fine. Rejects where what is to be forgotten cannot be reached, for example because another session has it open. */
  async close(forget: boolean): Promise<void> {
    const isFirst = !this.#isClosed
    this.#isClosed = true
    const storage = await (this.#opening ?? (forget && isFirst ? this.#reopen() : undefined))
    await storage?.close({ forget })
    const error = this.#reopenError
    this.#reopenError = undefined
    if (forget && error !== undefined && !isGone(error)) throw error
  }

  async #openOnce(): Promise<OutputStorage | undefined> {
    if (this.#isClosed) return undefined
    try {
      return (await this.#reopen()) ?? (await this.#open?.())
    } catch (error) {
      this.failed(error)
      return undefined
    }
  }

  async #reopen(): Promise<OutputStorage | undefined> {
    if (this.#kept === undefined) return undefined
    try {
      if (this.#open === undefined) {
        throw new AnchorageError('outputs-unavailable', 'They were put away, and this workspace keeps outputs in memory only.')
      }
      return await this.#open(this.#kept)
    } catch (error) {
      this.#reopenError = error instanceof Error ? error : new Error(String(error))
      return undefined
    }
  }
}

function isGone(error: Error): boolean {
  return error instanceof AnchorageError && error.code === 'outputs-gone'
}
