// A callback across the wire is a one-way port. The receiver sends `end` after its last call, so that the sender can wait for calls that
// are still on their way: the order of messages on different ports is not defined.

import { deferred } from '../core/deferred.ts'
import { inTime } from './in-time.ts'
import type { WireCallbackMessage } from './wire.ts'

/** `end` is sent before the reply. If it does not arrive this long after the reply, the port is broken. */
const drainTimeoutMs = 1_000

/** The sender's end: pass it as an argument of a remote call, and `release` it when the callback must not be called any more. */
export class SentCallback {
  readonly port: MessagePort
  readonly release: () => void
  /** Resolves when the receiver's last call was delivered, or after a second. */
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

/** The receiver's end: a function that sends its argument. */
export function receiveCallback(port: MessagePort): (value: unknown) => void {
  const call = (value: unknown): void => post(port, { kind: 'value', value })
  releases.set(call, () => post(port, { kind: 'end' }))
  return call
}

/** The receiver will not call it again. */
export function releaseCallback(callback: object | undefined): void {
  if (callback === undefined) return
  releases.get(callback)?.()
  releases.delete(callback)
}

function post(port: MessagePort, message: WireCallbackMessage): void {
  port.postMessage(message)
}

/** A host's callback that throws has a bug: the error is reported like an uncaught error, and nothing else stops. */
export function reportFault(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
