import { expect, it } from 'vitest'

import { joinSignals } from './abort.ts'

it('aborts with the reason of the first that does, and lets go of the others', () => {
  const [a, b] = [new AbortController(), new AbortController()]
  const joined = joinSignals([a.signal, undefined, b.signal])
  b.abort('b')
  a.abort('a')
  expect([joined.signal.aborted, joined.signal.reason]).toEqual([true, 'b'])
})

it('is aborted from the start when one already is', () => {
  const joined = joinSignals([new AbortController().signal, AbortSignal.abort('early')])
  expect(joined.signal.reason).toBe('early')
})

it('hears nothing after release', () => {
  const controller = new AbortController()
  const joined = joinSignals([controller.signal])
  joined.release()
  controller.abort()
  expect(joined.signal.aborted).toBe(false)
})
