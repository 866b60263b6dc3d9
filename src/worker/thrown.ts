// An error must be the same on both sides: callers check `code`, `instanceof` and a signal's reason. Comlink keeps only message, name and
// stack, so errors are sent as our own plain data.

import { AnchorageError, ToolError, type Details } from '../core/errors.ts'
import { defined, isRecord } from '../core/record.ts'
import { VfsError, isVfsErrorCode } from '../vfs/error.ts'
import type { WireThrown } from './wire.ts'

/** Causes are followed to this depth; deeper ones are left out. */
const maxCauseDepth = 4

type WireError = Extract<WireThrown, { kind: 'error' }>

export function encodeThrown(thrown: unknown, causeDepth = 0): WireThrown {
  if (!(thrown instanceof Error) && !(thrown instanceof DOMException)) return encodeValue(thrown)
  const code: unknown = 'code' in thrown ? thrown.code : undefined
  const family = familyOf(thrown)
  return {
    kind: 'error',
    family,
    name: String(thrown.name),
    message: String(thrown.message),
    ...(typeof thrown.stack === 'string' ? { stack: thrown.stack } : {}),
    // A DOMException's code is a number that follows from its name.
    ...(family !== 'dom' && (typeof code === 'string' || typeof code === 'number') ? { code } : {}),
    ...encodeDetails(thrown),
    ...(thrown instanceof VfsError ? vfsFields(thrown) : {}),
    ...(thrown instanceof ToolError && thrown.nextStep !== undefined ? { nextStep: thrown.nextStep } : {}),
    ...(thrown.cause === undefined || causeDepth >= maxCauseDepth ? {} : { cause: encodeThrown(thrown.cause, causeDepth + 1) }),
  }
}

function vfsFields(error: VfsError): Pick<WireError, 'syscall' | 'path' | 'dest'> {
  return {
    syscall: error.syscall,
    ...defined({ path: error.path, dest: error.dest }),
  }
}

function familyOf(error: Error): WireError['family'] {
  if (error instanceof VfsError) return 'vfs'
  if (error instanceof ToolError) return 'tool'
  if (error instanceof AnchorageError) return 'anchorage'
  return error instanceof DOMException ? 'dom' : 'native'
}

function encodeDetails(error: Error): { readonly details?: Details } {
  if (!('details' in error) || !isRecord(error.details)) return {}
  const kept: Details = {}
  for (const [name, value] of Object.entries(error.details)) {
    // A detail that cannot be cloned must not affect the others, or the error itself.
    const encoded = encodeValue(value)
    kept[name] = encoded.kind === 'value' ? encoded.value : describe(value)
  }
  return { details: kept }
}

function encodeValue(value: unknown): WireThrown {
  try {
    structuredClone(value)
    return { kind: 'value', value }
  } catch {
    // A DataCloneError only means that the value cannot be cloned. The text records what was lost.
    return { kind: 'text', text: describe(value) }
  }
}

function describe(value: unknown): string {
  try {
    return `[not cloneable] ${String(value)}`
  } catch {
    return `[not cloneable] ${typeof value}`
  }
}

/** Whether outside data has the form of `encodeThrown`'s result. */
export function isWireThrown(data: unknown, causeDepth = 0): data is WireThrown {
  if (!isRecord(data)) return false
  if (data['kind'] === 'value') return true
  if (data['kind'] === 'text') return typeof data['text'] === 'string'
  if (data['kind'] !== 'error' || causeDepth > maxCauseDepth) return false
  const isOptionalText = (name: string): boolean => data[name] === undefined || typeof data[name] === 'string'
  return (
    ['family', 'name', 'message'].every(name => typeof data[name] === 'string') &&
    ['stack', 'syscall', 'path', 'dest', 'nextStep'].every(isOptionalText) &&
    (isOptionalText('code') || typeof data['code'] === 'number') &&
    (data['details'] === undefined || isRecord(data['details'])) &&
    (data['cause'] === undefined || isWireThrown(data['cause'], causeDepth + 1))
  )
}

/** The value to throw or to abort with on this side. An unknown class of error becomes an `Error` with that class's name. */
export function decodeThrown(wire: WireThrown): unknown {
  switch (wire.kind) {
    case 'value':
      return wire.value
    case 'text':
      return new Error(wire.text)
    case 'error':
      return decodeError(wire)
    default:
      return new Error(
        'The worker or the page threw a value that cannot be sent. Next: look at the console of both for the error.',
      )
  }
}

function decodeError(wire: WireError): Error {
  const cause = wire.cause === undefined ? undefined : decodeThrown(wire.cause)
  const details = wire.details === undefined ? undefined : { ...wire.details }
  const options = defined({ details, cause })
  const error = construct(wire, options)
  // The constructors make a new message and stack; the originals are more informative.
  if (error.message !== wire.message) replace(error, 'message', wire.message)
  if (error.name !== wire.name) replace(error, 'name', wire.name)
  if (wire.stack !== undefined) replace(error, 'stack', wire.stack)
  if (error instanceof AnchorageError) {
    if (details !== undefined) replace(error, 'details', details)
  } else if (wire.family !== 'dom') {
    if (wire.code !== undefined) replace(error, 'code', wire.code)
    if (details !== undefined) replace(error, 'details', details)
    if (cause !== undefined) replace(error, 'cause', cause)
  }
  return error
}

function construct(wire: WireError, options: { details?: Details; cause?: unknown }): Error {
  const code = String(wire.code)
  switch (wire.family) {
    case 'vfs':
      if (isVfsErrorCode(code))
        return new VfsError(code, wire.syscall ?? '', { path: wire.path, dest: wire.dest, cause: options.cause })
      return new AnchorageError(code, wire.message, options)
    case 'tool':
      return new ToolError(code, wire.message, {
        ...options,
        ...defined({ nextStep: wire.nextStep }),
      })
    case 'anchorage':
      return new AnchorageError(code, wire.message, options)
    case 'dom':
      return new DOMException(wire.message, wire.name)
    default: {
      const native = nativeErrors.get(wire.name) ?? Error
      return new native(wire.message)
    }
  }
}

const nativeErrors: ReadonlyMap<string, new (message: string) => Error> = new Map([
  ['EvalError', EvalError],
  ['RangeError', RangeError],
  ['ReferenceError', ReferenceError],
  ['SyntaxError', SyntaxError],
  ['TypeError', TypeError],
  ['URIError', URIError],
])

function replace(error: Error, name: string, value: unknown): void {
  // Enumerable only if the class makes it so: `message`, `stack` and `cause` are not.
  const enumerable = name === 'code' || name === 'details'
  Object.defineProperty(error, name, { value, enumerable, configurable: true, writable: true })
}
