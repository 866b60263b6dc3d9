// The functions that a page can call: one for each row of the protocol's table, and nothing else.

import { AnchorageError } from '../core/errors.ts'
import { releaseCallback } from './callback.ts'
import { wireVerbs, type Live, type Verb, type WireHost } from './protocol.ts'
import { releaseSignal } from './signal.ts'

/** An object without a prototype, so that only the functions of the table can be found. */
export function facadeOf(host: WireHost): object {
  const facade: object = Object.create(null)
  for (const [name, verb] of wireVerbs) Object.defineProperty(facade, name, { value: served(host, name, verb), enumerable: true })
  return Object.freeze(facade)
}

/** A function of the façade: reads its arguments, calls the host's method of the same name, and releases the live arguments of the call. */
function served(
  host: WireHost,
  name: string,
  { read, live }: Verb<readonly unknown[], unknown, Live>,
): (...args: unknown[]) => unknown {
  const method: (...args: readonly unknown[]) => Promise<unknown> = Reflect.get(host, name)
  return async (...sent) => {
    const [first, second] = sent.slice(read.length)
    const signal = live === 'updates' && first instanceof AbortSignal ? first : undefined
    const callback = live === 'updates' ? second : live === 'listener' ? first : undefined
    const called = typeof callback === 'function' ? callback : undefined
    try {
      const plain = read.map((reader, index) => reader(sent[index]))
      if (live === 'none') return await method.apply(host, plain)
      if (live === 'updates') return await method.apply(host, [...plain, signal, called])
      if (called === undefined) throw new AnchorageError('wire-refused', `${name} needs a listener. Next: pass a callback.`)
      return await method.apply(host, [...plain, called])
    } catch (error) {
      if (live === 'listener') releaseCallback(called)
      throw error
    } finally {
      if (live === 'updates') {
        releaseSignal(signal)
        releaseCallback(called)
      }
    }
  }
}
