// The functions of `node:fs`, with a callback as the last argument.

import { words } from '../../../core/words.ts'
import { run, type Steps } from '../../steps.ts'
import { checkDescriptor, checkInteger, invalidType, parseMode } from './arguments.ts'
import type { Descriptor } from './open-files.ts'
import { isPath, type NodePath } from './paths.ts'
import type { NodeSystem } from './system.ts'
import type { CallbackCall } from './types.ts'

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
  writev: ['bytesWritten', 'buffer'],
}

const promisifyCustom = Symbol.for('nodejs.util.promisify.custom')

/**
 * The number of arguments before the callback. `earlier`: a function one place earlier is the callback, whatever follows it. `either`: such
 * a function is the callback only if nothing follows it.
 */
type Place = readonly [before: number, form: 'fixed' | 'earlier' | 'either']

const placed = (before: number, form: Place[1], names: string): [string, Place][] =>
  words(names).map(name => [name, [before, form]])

const places: ReadonlyMap<string, Place> = new Map([
  ...placed(1, 'fixed', 'close exists fdatasync fsync unlink'),
  ...placed(2, 'fixed', 'chmod fchmod link rename'),
  ...placed(3, 'fixed', 'chown fchown futimes lchown lutimes utimes'),
  ...placed(2, 'earlier', 'access fstat ftruncate glob lstat mkdir mkdtemp opendir readdir readlink realpath realpathNative'),
  ...placed(2, 'earlier', 'rm rmdir stat statfs truncate'),
  ...placed(3, 'earlier', 'copyFile cp'),
  ...placed(2, 'either', 'readFile'),
  ...placed(3, 'either', 'appendFile readv writeFile writev'),
])

/** The place of the callback among the arguments, which Node finds in several ways. */
function callbackIndex(name: string, given: readonly unknown[]): number {
  const isCall = (index: number): boolean => typeof given[index] === 'function'
  if (name === 'symlink') return given.length - 1
  if (name === 'open') return given.length < 3 ? 1 : isCall(2) ? 2 : 3
  if (name === 'read') return given.length < 5 ? Math.max(1, given.length - 1) : 5
  if (name === 'write') {
    if (ArrayBuffer.isView(given[1])) return [5, 4, 3].find(index => given[index]) ?? 2
    return isCall(4) ? 4 : isCall(2) ? 2 : 3
  }
  const [before, form] = places.get(name) ?? [1, 'fixed']
  const isBefore = form === 'earlier' ? isCall(before - 1) : form === 'either' && !given[before]
  return isBefore ? before - 1 : before
}

/** The number of arguments that are checked before the callback. */
const checkedFirst: Readonly<Record<string, number>> = {
  access: 1,
  chmod: 2,
  copyFile: 2,
  fchmod: 2,
  fchown: 3,
  futimes: 3,
  open: 3,
  read: 2,
  readv: 2,
  rm: 2,
  write: 2,
  writev: 2,
}

/** Functions whose result is passed on even if it is `undefined`. */
const alwaysAnswered: ReadonlySet<string> = new Set(['cp', 'stat', 'lstat'])

/** Every function with a callback. Like Node's, they throw without one. */
export function callbackFace(
  system: NodeSystem,
  verbs: Readonly<Record<string, CallbackVerb>>,
): Readonly<Record<string, CallbackCall>> {
  const face: Record<string, CallbackCall> = {}
  for (const [name, verb] of Object.entries(verbs)) {
    const act = (...given: readonly unknown[]): void => {
      const index = callbackIndex(name, given)
      const found = given[index]
      const isMissing = name === 'close' && given.length < 2
      // If `symlink` gets its callback in place of the path, Node also uses it as the path.
      const args = argumentsOf(system, name, given.slice(0, name === 'symlink' ? Math.max(2, index) : index))
      checkEarly(system, name, args)
      if (typeof found !== 'function' && !isMissing) {
        const first = checkedFirst[name]
        if (first !== undefined) verb(...args.slice(0, first))
        throw invalidType(name === 'opendir' ? 'callback' : 'cb', 'of type function', found)
      }
      const callback = isMissing ? thrownIfFailed : (found as Callback)
      // Node calls back synchronously in this case.
      if (name === 'exists' && !isPath(args[0])) return callback(false)
      const steps = verb(...args)
      void answering(callback, async () => {
        await started(args)
        return answerOf(name, await run(system.on, steps), args)
      })
    }
    const custom =
      name === 'exists' || name in named ? (...args: readonly unknown[]) => promised(system, name, verb, args) : undefined
    face[name] = custom === undefined ? act : Object.assign(act, { [promisifyCustom]: custom })
  }
  const { realpath, realpathNative } = face
  if (realpath !== undefined && realpathNative !== undefined) Object.assign(realpath, { native: realpathNative })
  delete face['realpathNative']
  return face
}

/** The checks that only the functions with callbacks make, before all others. */
function checkEarly(system: NodeSystem, name: string, [target, second, third]: readonly unknown[]): void {
  if ((name === 'truncate' || name === 'ftruncate') && second !== undefined) checkInteger('len', second)
  if (name !== 'open') return
  system.given(target as NodePath)
  parseMode(third, 'mode', 0o666)
}

/** A call with an AbortSignal starts in the next task, so that an immediate abort takes effect before anything is read or written. */
export function started(args: readonly unknown[]): Promise<void> {
  const options = args.findLast(value => typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
  const { signal } = (options ?? {}) as { readonly signal?: unknown }
  if (signal === undefined) return Promise.resolve()
  return new Promise(resolve => {
    setTimeout(resolve, 0)
  })
}

function answerOf(name: string, result: unknown, args: readonly unknown[]): readonly unknown[] {
  if (name === 'exists') return [result]
  const answer = answers[name]
  if (answer !== undefined) return [null, ...answer(result, args)]
  return result === undefined && !alwaysAnswered.has(name) ? [null] : [null, result]
}

/**
 * Node calls back in a separate task, after pending promises and ticks. A page has no task that is cheap to create, so there it is a
 * microtask. In both, an error that the callback throws rejects no promise.
 */
const soon: (act: () => void) => unknown =
  (globalThis as { readonly setImmediate?: (act: () => void) => unknown }).setImmediate ?? queueMicrotask

async function answering(callback: Callback, act: () => Promise<readonly unknown[]>): Promise<void> {
  let answer: readonly unknown[]
  try {
    answer = await act()
  } catch (error) {
    answer = [error]
  }
  soon(() => callback(...answer))
}

function thrownIfFailed(error?: unknown): void {
  if (error instanceof Error) throw error
}

async function promised(system: NodeSystem, name: string, verb: CallbackVerb, given: readonly unknown[]): Promise<unknown> {
  const args = argumentsOf(system, name, given)
  const result = await run(system.on, verb(...args))
  const names = named[name]
  return names === undefined ? result : { [names[0]]: result, [names[1]]: args[1] }
}

/** Converts `read(fd)`, `read(fd, options)` and `read(fd, buffer, options)` to the long form. */
function argumentsOf(system: NodeSystem, name: string, given: readonly unknown[]): readonly unknown[] {
  const [fd, target, ...rest] = given
  if (name !== 'read') return given
  checkDescriptor(fd)
  if (given.length > 4 && typeof (rest[0] ?? 0) === 'object') throw invalidType('offset', 'of type number', rest[0])
  if (given.length === 4) throw invalidType('cb', 'of type function', undefined)
  if (ArrayBuffer.isView(target)) {
    if (given.length === 3) checkReadOptions(rest[0])
    // If all arguments are given, null is the offset 0 and not a missing options object.
    return given.length > 4 && rest[0] === null ? [fd, target, 0, ...rest.slice(1)] : given
  }
  if (given.length > 2) return given
  checkReadOptions(target)
  const { buffer = system.bytes(new Uint8Array(16_384)), ...options } = (target ?? {}) as { readonly buffer?: unknown }
  return [fd, buffer, options, ...rest]
}

function checkReadOptions(options: unknown): void {
  if (Array.isArray(options) || typeof (options ?? {}) !== 'object') throw invalidType('options', 'of type object', options)
}
