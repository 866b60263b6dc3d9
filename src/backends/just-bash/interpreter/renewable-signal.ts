/** An abort signal that follows an outer one. After an abort of its own, it can be renewed. */
export class RenewableSignal {
  #controller: AbortController | undefined
  #unlink: (() => void) | undefined

  /** `outer` is called if there is no signal yet. */
  get(outer: () => AbortSignal, isAborted: boolean): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal
    const controller = new AbortController()
    this.#controller = controller
    const followed = outer()
    const abort = (): void => controller.abort()
    if (followed.aborted || isAborted) abort()
    else followed.addEventListener('abort', abort, { once: true })
    this.#unlink = () => followed.removeEventListener('abort', abort)
    return controller.signal
  }

  abort(): void {
    this.#controller?.abort()
  }

  /** Lets go of the outer signal. The next `get` gives another signal. */
  renew(): void {
    this.#unlink?.()
    this.#unlink = undefined
    this.#controller = undefined
  }
}
