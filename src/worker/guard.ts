// Comlink applies any property path in a message: `['constructor', 'constructor']` reaches Function. So Comlink never receives a raw
// message. Only a call of one listed function, with arguments in a known form, passes; everything else is answered with an error.

import type { Endpoint } from 'comlink'
import { AnchorageError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import { callbackHandlerName, serializeThrow, signalHandlerName } from './handlers.ts'
import { newsIn } from './page-workers.ts'
import { wireVerbs } from './protocol.ts'
import { isWireThrown } from './thrown.ts'

const maxIdCharacters = 128
const maxArguments = 8

type WireArgument =
  | { readonly type: 'RAW'; readonly value: unknown }
  | { readonly type: 'HANDLER'; readonly name: string; readonly value: unknown }

interface CheckedCall {
  readonly id: string
  readonly type: 'APPLY'
  readonly path: readonly [string]
  readonly argumentList: readonly WireArgument[]
}

type Verdict =
  | { readonly kind: 'pass'; readonly call: CheckedCall }
  | { readonly kind: 'refuse'; readonly id: string; readonly reason: string }
  /** The message has no ID to answer to. */
  | { readonly kind: 'drop'; readonly reason: string }
  /** The message is not meant for Comlink, and is not an error. */
  | { readonly kind: 'ignore' }

/** Decides about one message. An accepted message is rebuilt from checked parts, so that nothing unchecked is passed on. */
export function judge(data: unknown): Verdict {
  if (!isRecord(data)) return { kind: 'drop', reason: 'a message is not an object' }
  if (newsIn(data) !== undefined) return { kind: 'ignore' }
  const { id, type, path, argumentList } = data
  if (typeof id !== 'string' || id === '' || id.length > maxIdCharacters)
    return { kind: 'drop', reason: 'a message has no usable id' }
  // A page's proxy sends RELEASE when it is garbage-collected. The host ends with its worker or by `dispose`, not by that message.
  if (type === 'RELEASE') return { kind: 'ignore' }
  const refuse = (reason: string): Verdict => ({ kind: 'refuse', id, reason })
  if (type !== 'APPLY') return refuse(`messages of type ${quote(type)} are not accepted, only calls`)
  if (!Array.isArray(path) || path.length !== 1) return refuse('a call names exactly one function')
  const verb: unknown = path[0]
  if (typeof verb !== 'string' || !wireVerbs.has(verb)) return refuse(`there is no function ${quote(verb)}`)
  if (!Array.isArray(argumentList)) return refuse('a call needs a list of arguments')
  if (argumentList.length > maxArguments) return refuse(`a call has at most ${maxArguments} arguments`)
  const checked: WireArgument[] = []
  for (const [index, argument] of argumentList.entries()) {
    const known = checkArgument(argument)
    if (known === undefined) return refuse(`argument ${index} has an unknown form`)
    checked.push(known)
  }
  return { kind: 'pass', call: { id, type, path: [verb], argumentList: checked } }
}

function checkArgument(argument: unknown): WireArgument | undefined {
  if (!isRecord(argument)) return undefined
  const { type, name, value } = argument
  if (type === 'RAW') return { type, value }
  if (type !== 'HANDLER') return undefined
  if (name === callbackHandlerName && isPort(value)) return { type, name, value }
  if (name !== signalHandlerName || !isRecord(value)) return undefined
  if (value['kind'] === 'live' && isPort(value['port'])) return { type, name, value: { kind: 'live', port: value['port'] } }
  if (value['kind'] === 'aborted' && isWireThrown(value['reason']))
    return { type, name, value: { kind: 'aborted', reason: value['reason'] } }
  return undefined
}

/** A clone contains no functions, so an object that can post is a port. */
function isPort(value: unknown): value is MessagePort {
  return isRecord(value) && typeof value['postMessage'] === 'function' && typeof value['start'] === 'function'
}

export interface GuardedEndpoint {
  readonly endpoint: Endpoint
  /** Stops listening. */
  close(): void
}

/** `endpoint` as passed to Comlink. `report` receives every message that was refused or dropped. */
export function guardEndpoint(endpoint: Endpoint, report: (reason: string) => void): GuardedEndpoint {
  const listeners = new Set<(event: unknown) => void>()
  const onMessage = (event: unknown): void => {
    const verdict = judge(isRecord(event) ? event['data'] : undefined)
    if (verdict.kind === 'pass') {
      for (const listener of listeners) listener({ data: verdict.call, origin: '' })
      return
    }
    if (verdict.kind === 'ignore') return
    report(verdict.reason)
    if (verdict.kind === 'drop') return
    const error = new AnchorageError(
      'wire-refused',
      `The worker refused a message: ${verdict.reason}. Next: call it through connectWorkspace only.`,
    )
    endpoint.postMessage({ id: verdict.id, type: 'HANDLER', name: 'throw', value: serializeThrow(error) })
  }
  endpoint.addEventListener('message', onMessage)
  endpoint.start?.()
  return {
    endpoint: {
      postMessage: (message, transferables) => endpoint.postMessage(message, transferables ?? []),
      addEventListener: (_type, listener) => {
        if (typeof listener === 'function') listeners.add(listener as (event: unknown) => void)
      },
      removeEventListener: (_type, listener) => {
        if (typeof listener === 'function') listeners.delete(listener as (event: unknown) => void)
      },
    },
    close: () => {
      endpoint.removeEventListener('message', onMessage)
      listeners.clear()
    },
  }
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value
}
