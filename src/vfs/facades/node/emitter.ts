// The part of Node's `EventEmitter` that file watchers use. A page does not have Node's.

type Listener = (...args: readonly unknown[]) => void

/** Listeners by event name. An `error` event without a listener is thrown, as in Node. */
export class Emitter {
  readonly #listeners = new Map<string, Listener[]>()

  on(event: string, listener: (...args: never[]) => void): this {
    // Safe because the event name determines the arguments of its listeners.
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener as Listener])
    return this
  }

  addListener(event: string, listener: (...args: never[]) => void): this {
    return this.on(event, listener)
  }

  once(event: string, listener: (...args: never[]) => void): this {
    const heard: Listener = (...args) => {
      this.off(event, heard)
      const act = listener as Listener
      act(...args)
    }
    return this.on(event, heard)
  }

  off(event: string, listener: (...args: never[]) => void): this {
    const listeners = this.#listeners.get(event) ?? []
    this.#listeners.set(
      event,
      listeners.filter(one => one !== listener),
    )
    return this
  }

  removeListener(event: string, listener: (...args: never[]) => void): this {
    return this.off(event, listener)
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.#listeners.clear()
    else this.#listeners.delete(event)
    return this
  }

  listenerCount(event: string): number {
    return this.#listeners.get(event)?.length ?? 0
  }

  emit(event: string, ...args: readonly unknown[]): boolean {
    const listeners = this.#listeners.get(event) ?? []
    if (event === 'error' && listeners.length === 0) throw args[0]
    for (const listener of listeners) listener(...args)
    return listeners.length > 0
  }
}
