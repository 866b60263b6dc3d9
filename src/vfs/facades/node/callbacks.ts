// The functions of `node:fs`, with a callback as the last argument.

import { run, type Steps } from '../../steps.ts'
import type { Descriptor } from './open-files.ts'
import type { NodeSystem } from './system.ts'
import type { CallbackCall, NodeFsPromises } from './types.ts'

export type CallbackVerb = (...args: readonly unknown[]) => Steps<unknown>
type Callback = (...args: readonly unknown[]) => void

/** The callback's arguments after the error, if they differ from the result. */
const answers: Readonly<Record<string, (result: unknown, args: readonly unknown[]) => readonly unknown[]>> = {
  open: result => [(result as Descriptor).number],
  read: (result, args) => [result, args[1]],
  readv: (result, args) => [result, args[1]],
  write: (result, args) => [result, args[1]],
  writev: (result, args) => [result, args[1]],
}

/** The property names of the object that `util.promisify` resolves to if there are several results. */
const named: Readonly<Record<string, readonly [string, string]>> = {
  read: ['bytesRead', 'buffer'],
  readv: ['bytesRead', 'buffers'],
  write: ['bytesWritten', 'buffer'],
  writev: ['bytesWritten', 'buffers'],
}

const promisifyCustom = Symbol.for('nodejs.util.promisify.custom')

/** Every function with a callback. Without one it returns a promise: that of `promised` if it has the function. */
export function callbackFace(
  system: NodeSystem,
  verbs: Readonly<Record<string, CallbackVerb>>,
  promised: NodeFsPromises,
): Readonly<Record<string, CallbackCall>> {
  const face: Record<string, CallbackCall> = {}
  for (const [name, verb] of Object.entries(verbs)) {
    const own: unknown = name === 'open' ? undefined : Reflect.get(promised, name)
    const act = (...given: readonly unknown[]): Promise<unknown> | undefined => {
      const index = given.findLastIndex(value => typeof value === 'function')
      if (index === -1) {
        if (typeof own === 'function') return own(...given) as Promise<unknown>
        return answered(system, name, verb, given)
      }
      const callback = given[index] as Callback
      const args = name === 'read' ? readArguments(given.slice(0, index)) : given.slice(0, index)
      const settle = (...results: readonly unknown[]): void => queueMicrotask(() => callback(...results))
      run(system.on, verb(...args)).then(
        result => {
          if (name === 'exists') settle(result)
          else if (name in answers) settle(null, ...(answers[name]?.(result, args) ?? []))
          else if (result === undefined && name !== 'mkdir') settle(null)
          else settle(null, result)
        },
        (error: unknown) => settle(error),
      )
      return undefined
    }
    const custom =
      name === 'exists' || name in named ? (...args: readonly unknown[]) => answered(system, name, verb, args) : undefined
    face[name] = custom === undefined ? act : Object.assign(act, { [promisifyCustom]: custom })
  }
  const { realpath } = face
  if (realpath !== undefined) face['realpath'] = Object.assign(realpath, { native: realpath })
  return face
}

async function answered(system: NodeSystem, name: string, verb: CallbackVerb, given: readonly unknown[]): Promise<unknown> {
  const args = name === 'read' ? readArguments(given) : given
  const result = await run(system.on, verb(...args))
  const names = named[name]
  if (name === 'open') return (result as Descriptor).number
  return names === undefined ? result : { [names[0]]: result, [names[1]]: args[1] }
}

/** Converts `read(fd)`, `read(fd, options)` and `read(fd, buffer, options)` to the long form. */
function readArguments([fd, target, ...rest]: readonly unknown[]): readonly unknown[] {
  if (ArrayBuffer.isView(target)) return [fd, target, ...rest]
  if (target !== undefined && target !== null && typeof target !== 'object') return [fd, target, ...rest]
  const { buffer = new Uint8Array(16_384), ...options } = (target ?? {}) as { readonly buffer?: unknown }
  return [fd, buffer, options]
}
