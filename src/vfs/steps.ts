// Operations that take several primitives are written once, as generators of calls, and run in one go where the backend is
// synchronous, so that nothing can come between, or by waiting for each call where it is not.

import type { VfsSync } from './backend.ts'
import { ContentElsewhere } from './elsewhere.ts'
import type { PrimitiveArguments, PrimitiveName, PrimitiveResults, Waiting } from './port.ts'

/** Whatever has the primitives: a backend, or a transaction as `{ sync: transaction }`. */
export type Primitives = { readonly sync: VfsSync } | ({ readonly sync?: VfsSync } & Waiting)

/** The primitives of `on`: at once where it has them so. */
export function primitivesOf(on: Primitives): VfsSync | Waiting {
  // A `Primitives` without `sync` is the other kind; that the compiler does not see it is because both have the name.
  return on.sync ?? (on as Waiting)
}

interface Call {
  readonly on: Primitives
  readonly name: PrimitiveName
  readonly args: readonly unknown[]
}

/** Something else than a primitive, which may take time. */
interface Act {
  readonly act: () => unknown
}

/** Makes calls and comes to a `T`. */
export type Steps<T> = Generator<Call | Act, T, unknown>

/** One primitive, as a step. */
export function* call<K extends PrimitiveName>(
  on: Primitives,
  name: K,
  ...args: PrimitiveArguments[K]
): Steps<PrimitiveResults[K]> {
  // A generator's type cannot tell what comes back for which call; `perform` makes exactly this one.
  return (yield { on, name, args }) as PrimitiveResults[K]
}

/** Something else than a primitive, as a step. `runNow` takes a promise for an error. */
export function* later<T>(act: () => T | Promise<T>): Steps<T> {
  // As for `call`.
  return (yield { act }) as T
}

/**
 * Runs `steps` to their end: without a pause if `on`, which makes all the calls, is synchronous; except where it must first bring a
 * content from another tab.
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
      if (answer instanceof Promise) throw new TypeError('Something here takes time, and was asked for at once. Use promises.')
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
