// just-bash makes an AbortController for each command that it runs, and aborts it when the command is over. The platform's own costs a
// tenth of a small command's time, for events that nobody listens to; the bundle binds the name to this one, which has what is used of it.

type Listener = (event: { readonly type: 'abort' }) => void

class Signal {
  aborted = false
  reason: unknown
  onabort: Listener | null = null
  readonly #listeners = new Set<Listener>()

  addEventListener(_type: 'abort', listener: Listener): void {
    // As with the platform's own, one that comes too late is never called.
    if (!this.aborted) this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener)
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  /** The controller's own: what the event is told to is told once, whether or not `once` was asked for. */
  end(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.onabort?.({ type: 'abort' })
    for (const listener of this.#listeners) listener({ type: 'abort' })
    this.#listeners.clear()
  }
}

export class AbortController {
  readonly signal: Signal = new Signal()

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    this.signal.end(reason)
  }
}
