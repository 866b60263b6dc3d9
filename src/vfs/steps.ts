// Operations that take several primitives are written once, as generators of calls. On a synchronous backend they run without a pause, so
// that nothing can happen in between; otherwise each call is awaited.

import type { VfsSync } from './backend.ts'
import { ContentElsewhere } from './elsewhere.ts'
import type { PrimitiveArguments, PrimitiveName, PrimitiveResults, Waiting } from './port.ts'

/** Anything with the primitives: a backend, or a transaction as `{ sync: transaction }`. */
export type Primitives = { readonly sync: VfsSync } | ({ readonly sync?: VfsSync } & Waiting)

/** The primitives of `on`, synchronous if it has them. */
export function primitivesOf(on: Primitives): VfsSync | Waiting {
  // A `Primitives` without `sync` is the other kind. The compiler cannot infer that, because both kinds declare the name.
  return on.sync ?? (on as Waiting)
}

interface Call {
  readonly on: Primitives
  readonly name: PrimitiveName
  readonly args: readonly unknown[]
}

/** An asynchronous action that is not a primitive. */
interface Act {
  readonly act: () => unknown
}

/** Makes calls and returns a `T`. */
export type Steps<T> = Generator<Call | Act, T, unknown>

/** One primitive, as a step. */
export function* call<K extends PrimitiveName>(
  on: Primitives,
  name: K,
  ...args: PrimitiveArguments[K]
): Steps<PrimitiveResults[K]> {
  // The type of a generator cannot express the result of each call; `perform` makes exactly this call.
  return (yield { on, name, args }) as PrimitiveResults[K]
}

/** An action that is not a primitive, as a step. `runNow` throws if it returns a promise. */
export function* later<T>(act: () => T | Promise<T>): Steps<T> {
  // The same rule as in `call`.
  return (yield { act }) as T
}

/**
 * Runs `steps` to the end. If `on`, which makes all the calls, is synchronous, they run without a pause, unless a content must first be
 * fetched from another tab.
 */
export async function run<T>(on: Primitives, steps: Steps<T>): Promise<T> {
  if (on.sync === undefined) return runWaiting(steps)
  let next = steps.next()
  while (next.done !== true) {
    const step = next.value
    let answer: unknown
    try {
      answer = perform(step)
      if ('act' in step) answer = await answer
    } catch (error) {
      try {
        if (!(error instanceof ContentElsewhere)) throw error
        await error.load()
        answer = perform(step)
      } catch (failure) {
        next = steps.throw(failure)
        continue
      }
    }
    next = steps.next(answer)
  }
  return next.value
}

export function runNow<T>(steps: Steps<T>): T {
  let next = steps.next()
  while (next.done !== true) {
    let answer: unknown
    try {
      answer = perform(next.value)
      if (answer instanceof Promise)
        throw new TypeError(
          'This operation is asynchronous here and cannot be called synchronously. Use the asynchronous function.',
        )
    } catch (error) {
      next = steps.throw(error)
      continue
    }
    next = steps.next(answer)
  }
  return next.value
}

export async function runWaiting<T>(steps: Steps<T>): Promise<T> {
  let next = steps.next()
  while (next.done !== true) {
    let answer: unknown
    try {
      answer = await perform(next.value)
    } catch (error) {
      next = steps.throw(error)
      continue
    }
    next = steps.next(answer)
  }
  return next.value
}

function perform(step: Call | Act): unknown {
  if ('act' in step) return step.act()
  const { on, name, args } = step
  const primitives = primitivesOf(on)
  const primitive = primitives[name] as (...args: readonly unknown[]) => unknown
  return primitive.apply(primitives, [...args])
}
