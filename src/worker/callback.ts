// A callback across the wire: a one-way port. The far side says `end` after its last call, so that the near side can wait for updates
// that are still on their way: ports of their own are not ordered with the reply.

import { deferred } from '../core/deferred.ts'
import { inTime } from './in-time.ts'
import type { WireCallbackMessage } from './wire.ts'

/** The reply is here, so `end` was sent before it; a port that does not bring it by then is broken. */
const drainTimeoutMs = 1_000

/** The near end: pass it as an argument of a remote call, and `release` it when the callback may not be called any more. */
export class SentCallback {
  readonly port: MessagePort
  readonly release: () => void
  /** Resolves when the far side's last call was delivered, or after a second. */
  readonly drain: () => Promise<void>

  constructor(callback: (value: unknown) => void) {
    const { port1, port2 } = new MessageChannel()
    this.port = port2
    const ended = deferred<void>()
    port1.addEventListener('message', (event: MessageEvent<WireCallbackMessage>) => {
      if (event.data.kind === 'end') return this.release()
      try {
        callback(event.data.value)
      } catch (error) {
        reportFault(error)
      }
    })
    port1.start()
    this.release = () => {
      port1.close()
      ended.resolve()
    }
    this.drain = () => inTime(ended.promise, drainTimeoutMs, () => undefined)
  }
}

const releases = new WeakMap<object, () => void>()

/** The far end: a function that sends its argument. */
export function receiveCallback(port: MessagePort): (value: unknown) => void {
  const call = (value: unknown): void => post(port, { kind: 'value', value })
  releases.set(call, () => post(port, { kind: 'end' }))
  return call
}

/** The far side will not call it again. */
export function releaseCallback(callback: object | undefined): void {
  if (callback === undefined) return
  releases.get(callback)?.()
  releases.delete(callback)
}

function post(port: MessagePort, message: WireCallbackMessage): void {
  port.postMessage(message)
}

/** A host's callback that throws is the host's bug: it is shown where uncaught errors are shown, and ends nothing. */
export function reportFault(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
