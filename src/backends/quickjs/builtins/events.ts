// The module `events`.

export const eventsModule: string = String.raw`(function (exports, require, module) {
'use strict'
class EventEmitter {
  #listeners = new Map()
  #add(name, listener, isOnce, isFirst) {
    if (typeof listener !== 'function') throw new TypeError('The "listener" argument must be of type function')
    if (!this.#listeners.has(name)) this.#listeners.set(name, [])
    this.#listeners.get(name)[isFirst ? 'unshift' : 'push']({ listener, isOnce })
    return this
  }
  on(name, listener) { return this.#add(name, listener, false, false) }
  addListener(name, listener) { return this.on(name, listener) }
  once(name, listener) { return this.#add(name, listener, true, false) }
  prependListener(name, listener) { return this.#add(name, listener, false, true) }
  off(name, listener) {
    const found = this.#listeners.get(name) ?? []
    const at = found.findLastIndex(entry => entry.listener === listener)
    if (at !== -1) this.#listeners.set(name, found.toSpliced(at, 1))
    return this
  }
  removeListener(name, listener) { return this.off(name, listener) }
  removeAllListeners(name) { if (name === undefined) this.#listeners.clear(); else this.#listeners.delete(name); return this }
  emit(name, ...args) {
    const found = this.#listeners.get(name) ?? []
    if (found.length === 0 && name === 'error') throw args[0] instanceof Error ? args[0] : new Error('Unhandled error. (' + String(args[0]) + ')')
    for (const entry of [...found]) {
      if (entry.isOnce) this.off(name, entry.listener)
      entry.listener.apply(this, args)
    }
    return found.length > 0
  }
  listeners(name) { return (this.#listeners.get(name) ?? []).map(entry => entry.listener) }
  listenerCount(name) { return (this.#listeners.get(name) ?? []).length }
  eventNames() { return [...this.#listeners.keys()].filter(name => this.listenerCount(name) > 0) }
  setMaxListeners() { return this }
  getMaxListeners() { return 10 }
}
module.exports = Object.assign(EventEmitter, {
  EventEmitter,
  once: (emitter, name) => new Promise((resolve, reject) => {
    const fail = error => { emitter.off(name, done); reject(error) }
    const done = (...args) => { emitter.off('error', fail); resolve(args) }
    emitter.once(name, done)
    if (name !== 'error') emitter.once('error', fail)
  }),
})
})`
