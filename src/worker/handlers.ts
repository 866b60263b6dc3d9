// Comlink clones arguments, and a signal, a callback or a whole error cannot be cloned. Each gets a transfer handler here. The handlers
// apply only to our own wrappers (and to thrown errors, in a form that plain Comlink can read), because all code in the page shares
// Comlink's registry.

import { transferHandlers, type TransferHandler } from 'comlink'
import { SentCallback, receiveCallback } from './callback.ts'
import { SentSignal, receiveSignal } from './signal.ts'
import { decodeThrown, encodeThrown } from './thrown.ts'
import type { WireSignal, WireThrown } from './wire.ts'

export const signalHandlerName = 'anchorage.signal'
export const callbackHandlerName = 'anchorage.callback'

const signalHandler: TransferHandler<unknown, WireSignal> = {
  canHandle: (value): value is unknown => value instanceof SentSignal,
  serialize(value) {
    if (!(value instanceof SentSignal)) throw new Error('unreachable: canHandle let something else through')
    return [value.wire, value.wire.kind === 'live' ? [value.wire.port] : []]
  },
  deserialize: receiveSignal,
}

const callbackHandler: TransferHandler<unknown, MessagePort> = {
  canHandle: (value): value is unknown => value instanceof SentCallback,
  serialize(value) {
    if (!(value instanceof SentCallback)) throw new Error('unreachable: canHandle let something else through')
    return [value.port, [value.port]]
  },
  deserialize: receiveCallback,
}

/** What plain Comlink sends, plus the whole error for a peer with our handler. */
interface SerializedThrow {
  readonly isError: boolean
  readonly value: unknown
  readonly anchorage?: WireThrown
}

/** The data that replaces a thrown value on the wire. */
export function serializeThrow(thrown: unknown): SerializedThrow {
  const wire = encodeThrown(thrown)
  if (wire.kind === 'error')
    return { isError: true, value: { name: wire.name, message: wire.message, stack: wire.stack }, anchorage: wire }
  return { isError: false, value: wire.kind === 'value' ? wire.value : wire.text, anchorage: wire }
}

let isInstalled = false

/** Both sides call it before their first message. Calling it again does nothing. */
export function installHandlers(): void {
  if (isInstalled) return
  isInstalled = true
  transferHandlers.set(signalHandlerName, signalHandler)
  transferHandlers.set(callbackHandlerName, callbackHandler)
  const plain = transferHandlers.get('throw')
  if (plain === undefined)
    throw new Error(
      'The installed comlink has no handler for thrown errors. Next: install comlink 4.4.2, as package.json requires.',
    )
  transferHandlers.set('throw', {
    canHandle: (value): value is unknown => plain.canHandle(value),
    serialize: thrown => [serializeThrow(isThrown(thrown) ? thrown.value : thrown), []],
    deserialize(serialized) {
      if (isSerializedThrow(serialized) && serialized.anchorage !== undefined) throw decodeThrown(serialized.anchorage)
      return plain.deserialize(serialized)
    },
  })
}

function isThrown(value: unknown): value is { readonly value: unknown } {
  return typeof value === 'object' && value !== null && 'value' in value
}

function isSerializedThrow(value: unknown): value is SerializedThrow {
  return typeof value === 'object' && value !== null && 'isError' in value
}
