// The functions of `node:fs`, with a callback as the last argument.

import { words } from '../../../core/words.ts'
import { run, type Steps } from '../../steps.ts'
import { checkInteger, invalidType, parseMode } from './arguments.ts'
import type { Descriptor } from './open-files.ts'
import { isPath } from './paths.ts'
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

/** These functions check their other arguments before the callback. */
const callbackLast: ReadonlySet<string> = new Set(
  words(`
  access chmod copyFile fchmod fchown futimes open read readv rm symlink write writev
`),
)

/** How many arguments are before the callback at least. */
const leastArguments: Readonly<Record<string, number>> = {
  appendFile: 2,
  chmod: 2,
  chown: 3,
  close: 1,
  copyFile: 2,
  cp: 2,
  fchmod: 2,
  fchown: 3,
  futimes: 3,
  lchown: 3,
  link: 2,
  lutimes: 3,
  readv: 2,
  rename: 2,
  symlink: 2,
  utimes: 3,
  write: 2,
  writeFile: 2,
  writev: 2,
}

/** In these functions a function in the place of the options is the callback, whatever follows it. */
const callbackFirst: ReadonlySet<string> = new Set(
  words(`
  access copyFile cp fstat ftruncate lstat mkdir mkdtemp open opendir readdir readlink realpath rm rmdir stat statfs truncate
`),
)

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
      const least = leastArguments[name] ?? 1
      const early = name === 'open' ? 2 : least
      const isEarly = callbackFirst.has(name) && typeof given[early] === 'function'
      const last = isEarly ? early : given.findLastIndex(value => typeof value === 'function')
      const index = last < least ? -1 : last
      if (index === -1 && callbackLast.has(name)) verb(...argumentsOf(system, name, given))
      if (index === -1 && (name !== 'close' || given.length > 1))
        throw name === 'opendir'
          ? invalidType('callback', 'of type function', given[2])
          : invalidType('cb', 'of type function', last === -1 ? given[1] : undefined)
      const callback = index === -1 ? thrownIfFailed : (given[index] as Callback)
      const args = argumentsOf(system, name, index === -1 ? given : given.slice(0, index))
      if (name === 'exists' && !isPath(args[0])) {
        queueMicrotask(() => callback(false))
        return
      }
      // Only this form of `truncate` checks its length before it opens the file.
      if (name === 'truncate' && typeof args[0] !== 'number' && args[1] !== undefined) checkInteger('len', args[1])
      // Only this form of `open` checks the mode before the flags.
      if (name === 'open' && isPath(args[0])) {
        system.given(args[0])
        parseMode(args[2], 'mode', 0o666)
      }
      const steps = verb(...args)
      void answering(callback, async () => {
        await started(args)
        return answerOf(name, await run(system.on, steps), args)
      })
    }
    const custom =
      name === 'exists' || name in named ? (...args: readonly unknown[]) => promised(system, name, verb, args) : undefined
    Object.defineProperty(act, 'name', { value: name })
    face[name] = custom === undefined ? act : Object.assign(act, { [promisifyCustom]: custom })
  }
  const { realpath, realpathNative } = face
  if (realpath !== undefined && realpathNative !== undefined) Object.assign(realpath, { native: realpathNative })
  delete face['realpathNative']
  return face
}

/**
 * A call with an AbortSignal starts in the next task, so that an immediate abort takes effect before anything is read or written.
 */
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

/** Calls back in a separate task, so that an error thrown by the callback is reported as such and is not the error of a promise. */
async function answering(callback: Callback, act: () => Promise<readonly unknown[]>): Promise<void> {
  let answer: readonly unknown[]
  try {
    answer = await act()
  } catch (error) {
    answer = [error]
  }
  queueMicrotask(() => callback(...answer))
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
  // Here Node takes options only as the last argument.
  if (given.length > 4 && typeof (rest[0] ?? 0) === 'object') throw invalidType('offset', 'of type number', rest[0])
  if (given.length === 4) throw invalidType('cb', 'of type function', undefined)
  if (ArrayBuffer.isView(target)) {
    // With all arguments null is the offset 0, and no list of options.
    return given.length > 4 && rest[0] === null ? [fd, target, 0, ...rest.slice(1)] : given
  }
  if (given.length > 2) return given
  if (Array.isArray(target) || typeof (target ?? {}) !== 'object') throw invalidType('options', 'of type object', target)
  const { buffer = system.bytes(new Uint8Array(16_384)), ...options } = (target ?? {}) as { readonly buffer?: unknown }
  return [fd, buffer, options, ...rest]
}
