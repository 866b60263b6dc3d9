// The storage for a session's outputs, opened on first use: that of the earlier session if there is one, otherwise a new one. A failure of
// the storage is remembered and reported; then outputs are in memory only.

import { AnchorageError } from '../core/errors.ts'
import type { KeptPlace, OpenOutputStorage, OutputStorage } from '../core/output-storage.ts'

export class OutputPlace {
  readonly #open: OpenOutputStorage | undefined
  #kept: KeptPlace | undefined
  #opening: Promise<OutputStorage | undefined> | undefined
  #problem: string | undefined
  #reopenError: Error | undefined
  #isClosed = false

  /** `kept`: the place of an earlier session. */
  constructor(open: OpenOutputStorage | undefined, kept?: KeptPlace) {
    this.#open = open
    this.#kept = kept
  }

  /** Why outputs cannot be stored, if storing was tried and failed. */
  get problem(): string | undefined {
    return this.#problem
  }

  get isUsable(): boolean {
    return this.#open !== undefined && this.#problem === undefined
  }

  /** Why the outputs of the earlier session cannot be read, if reading was tried and failed. */
  get whyGone(): string | undefined {
    return this.#reopenError?.message
  }

  get isOpened(): boolean {
    return this.#opening !== undefined
  }

  /** `undefined` if there is none. Never rejects. */
  storage(): Promise<OutputStorage | undefined> {
    return (this.#opening ??= this.#openOnce())
  }

  /** Stops storing outputs. */
  failed(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error)
  }

  /** May be called twice. Rejects if the outputs to forget cannot be reached, for example because another session has them open. */
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
        throw new AnchorageError('outputs-unavailable', 'They were stored, but this workspace keeps outputs in memory only.')
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
