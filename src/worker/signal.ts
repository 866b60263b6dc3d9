// An AbortSignal across the wire: a port that sends the reason once. The side that created a port closes it when the call has ended,
// because an open port keeps its listener and everything that the listener references in memory.

import { decodeThrown, encodeThrown, isWireThrown } from './thrown.ts'
import type { WireSignal } from './wire.ts'

/** The sender's end: pass it as an argument of a remote call, and `release` it when the call has ended. */
export class SentSignal {
  readonly wire: WireSignal
  readonly release: () => void

  constructor(signal: AbortSignal) {
    if (signal.aborted) {
      this.wire = { kind: 'aborted', reason: encodeThrown(signal.reason) }
      this.release = () => {}
      return
    }
    const { port1, port2 } = new MessageChannel()
    const abort = (): void => port1.postMessage(encodeThrown(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    this.wire = { kind: 'live', port: port2 }
    this.release = () => {
      signal.removeEventListener('abort', abort)
      port1.close()
    }
  }
}

const releases = new WeakMap<AbortSignal, () => void>()

/** The receiver's end: a signal that aborts with the same reason. */
export function receiveSignal(wire: WireSignal): AbortSignal {
  const controller = new AbortController()
  if (wire.kind === 'aborted') {
    controller.abort(decodeThrown(wire.reason))
    return controller.signal
  }
  const { port } = wire
  port.addEventListener('message', (event: MessageEvent<unknown>) => {
    port.close()
    if (isWireThrown(event.data)) controller.abort(decodeThrown(event.data))
    else controller.abort()
  })
  port.start()
  releases.set(controller.signal, () => port.close())
  return controller.signal
}

/** The call that `signal` belongs to has ended. */
export function releaseSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined) releases.get(signal)?.()
}
