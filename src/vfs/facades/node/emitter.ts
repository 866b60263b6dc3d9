// The part of Node's `EventEmitter` that handles and watchers of files use. A page does not have Node's.

type Listener = (...args: readonly unknown[]) => void

interface Entry {
  readonly listener: Listener
  readonly isOnce: boolean
}

/** Listeners by event name. An `error` event without a listener is thrown, as in Node. */
export class Emitter {
  readonly #entries = new Map<string | symbol, readonly Entry[]>()
  #maxListeners = 10

  on(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.#add(event, listener, false, false)
  }

  addListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.on(event, listener)
  }

  once(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.#add(event, listener, true, false)
  }

  prependListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.#add(event, listener, false, true)
  }

  prependOnceListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.#add(event, listener, true, true)
  }

  /** Removes the listener that was added last, if it was added several times. */
  off(event: string | symbol, listener: (...args: never[]) => void): this {
    const entries = this.#of(event)
    const index = entries.findLastIndex(entry => entry.listener === listener)
    if (index !== -1) this.#set(event, entries.toSpliced(index, 1))
    return this
  }

  removeListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.off(event, listener)
  }

  removeAllListeners(event?: string | symbol): this {
    if (event === undefined) this.#entries.clear()
    else this.#entries.delete(event)
    return this
  }

  listeners(event: string | symbol): Listener[] {
    return this.#of(event).map(({ listener }) => listener)
  }

  rawListeners(event: string | symbol): Listener[] {
    return this.listeners(event)
  }

  listenerCount(event: string | symbol): number {
    return this.#of(event).length
  }

  eventNames(): (string | symbol)[] {
    return [...this.#entries.keys()]
  }

  /** Kept for callers; nothing warns here. */
  setMaxListeners(count: number): this {
    this.#maxListeners = count
    return this
  }

  getMaxListeners(): number {
    return this.#maxListeners
  }

  emit(event: string | symbol, ...args: readonly unknown[]): boolean {
    const entries = this.#of(event)
    if (event === 'error' && entries.length === 0) throw args[0]
    for (const entry of entries) {
      const { listener, isOnce } = entry
      if (isOnce) this.#remove(event, entry)
      Reflect.apply(listener, this, args)
    }
    return entries.length > 0
  }

  #add(event: string | symbol, listener: (...args: never[]) => void, isOnce: boolean, isFirst: boolean): this {
    // Safe because the event name determines the arguments of its listeners.
    const entry = { listener: listener as Listener, isOnce }
    const entries = this.#of(event)
    this.#set(event, isFirst ? [entry, ...entries] : [...entries, entry])
    return this
  }

  #remove(event: string | symbol, entry: Entry): void {
    this.#set(
      event,
      this.#of(event).filter(other => other !== entry),
    )
  }

  #of(event: string | symbol): readonly Entry[] {
    return this.#entries.get(event) ?? []
  }

  #set(event: string | symbol, entries: readonly Entry[]): void {
    if (entries.length === 0) this.#entries.delete(event)
    else this.#entries.set(event, entries)
  }
}
