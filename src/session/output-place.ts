// The storage for the outputs of a session, which is opened on first use: that of the earlier session if there is one, otherwise
// a new one. After an error of the storage, outputs are in memory only.

import { AnchorageError } from '../core/errors.ts'
import type { KeptPlace, OpenOutputStorage, OutputStorage } from '../core/output-storage.ts'

export class OutputPlace {
  readonly #open: OpenOutputStorage | undefined
  #kept: KeptPlace | undefined
  #opening: Promise<OutputStorage | undefined> | undefined
  #hasFailed = false
  #reopenError: Error | undefined
  #isClosed = false

  /** `kept` identifies the storage of an earlier session. */
  constructor(open: OpenOutputStorage | undefined, kept?: KeptPlace) {
    this.#open = open
    this.#kept = kept
  }

  get isUsable(): boolean {
    return this.#open !== undefined && !this.#hasFailed
  }

  /** The reason why outputs of the earlier session cannot be read, after a failed attempt. */
  get whyGone(): string | undefined {
    return this.#reopenError?.message
  }

  get isOpened(): boolean {
    return this.#opening !== undefined
  }

  /** Returns `undefined` if there is no storage. Never rejects. */
  storage(): Promise<OutputStorage | undefined> {
    return (this.#opening ??= this.#openOnce())
  }

  /** Stops storing outputs. */
  failed(): void {
    this.#hasFailed = true
  }

  /** Can be called twice. Rejects if outputs to delete cannot be reached, for example because another session has the storage open. */
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
    } catch {
      this.failed()
      return undefined
    }
  }

  async #reopen(): Promise<OutputStorage | undefined> {
    if (this.#kept === undefined) return undefined
    try {
      if (this.#open === undefined)
        throw new AnchorageError('outputs-unavailable', 'They were stored, but this workspace keeps outputs in memory only.')
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
