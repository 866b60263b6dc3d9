import { expect, it } from 'vitest'

import { CallGroups, type CarryOut, type Outcome } from './together.ts'

interface Call {
  readonly name: string
  readonly signal: AbortSignal
}

const never = new AbortController().signal
const atOnce = (_signal: AbortSignal, work: () => Promise<void>): Promise<void> => work()

/** Answers each call with the names of all that were carried out with it. */
const together: CarryOut<Call, string> = (calls, signal) => {
  signal.throwIfAborted()
  const names = calls.map(call => call.name).join('+')
  return Promise.resolve(calls.map((): Outcome<string> => ({ kind: 'done', result: names })))
}

it('carries out together what was called side by side under one key, in order', async () => {
  const groups = new CallGroups<Call, string>()
  const call = (key: string, name: string): Promise<string> => groups.join(key, { name, signal: never }, atOnce, together)
  expect(await Promise.all([call('x', 'a'), call('y', 'b'), call('x', 'c')])).toEqual(['a+c', 'b', 'a+c'])
  expect(await call('x', 'd')).toBe('d')
})

it('lets calls in as long as the turn has not come', async () => {
  const groups = new CallGroups<Call, string>()
  let begin = (): void => {}
  const turn = new Promise<void>(resolve => (begin = resolve))
  const later = async (_signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
    await turn
    await work()
  }
  const first = groups.join('x', { name: 'a', signal: never }, later, together)
  await new Promise(resolve => setTimeout(resolve, 5))
  const second = groups.join('x', { name: 'b', signal: never }, later, together)
  begin()
  expect(await Promise.all([first, second])).toEqual(['a+b', 'a+b'])
})

it('leaves out whoever aborts before the work, at once', async () => {
  const groups = new CallGroups<Call, string>()
  const controller = new AbortController()
  const left = groups.join('x', { name: 'a', signal: controller.signal }, atOnce, together)
  const stays = groups.join('x', { name: 'b', signal: never }, atOnce, together)
  controller.abort('enough')
  await expect(left).rejects.toBe('enough')
  expect(await stays).toBe('b')
})

it('does the work again without whoever aborts during it', async () => {
  const groups = new CallGroups<Call, string>()
  const controller = new AbortController()
  const aborting: CarryOut<Call, string> = (calls, signal) => {
    if (calls.length === 2) controller.abort('late')
    return together(calls, signal)
  }
  const left = groups.join('x', { name: 'a', signal: controller.signal }, atOnce, aborting)
  const stays = groups.join('x', { name: 'b', signal: never }, atOnce, aborting)
  await expect(left).rejects.toBe('late')
  expect(await stays).toBe('b')
})

it('gives up its place when everybody left, and a later call gets a group of its own', async () => {
  const groups = new CallGroups<Call, string>()
  const controller = new AbortController()
  const untilAbandoned = (signal: AbortSignal): Promise<void> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('abandoned'))))
  const left = groups.join('x', { name: 'a', signal: controller.signal }, untilAbandoned, together)
  await new Promise(resolve => setTimeout(resolve, 5))
  controller.abort('enough')
  await expect(left).rejects.toBe('enough')
  expect(await groups.join('x', { name: 'b', signal: never }, atOnce, together)).toBe('b')
})

it('gives each its own outcome, and all of them what breaks', async () => {
  const groups = new CallGroups<Call, string>()
  const mixed: CarryOut<Call, string> = calls =>
    Promise.resolve(
      calls.map(({ name }) => (name === 'b' ? { kind: 'failed', error: new Error('no') } : { kind: 'done', result: name })),
    )
  const call = (name: string, carryOut: CarryOut<Call, string>): Promise<string> =>
    groups.join('x', { name, signal: never }, atOnce, carryOut).catch((error: unknown) => String(error))
  expect(await Promise.all([call('a', mixed), call('b', mixed)])).toEqual(['a', 'Error: no'])
  const broken: CarryOut<Call, string> = () => Promise.reject(new Error('broken'))
  expect(await Promise.all([call('a', broken), call('b', broken)])).toEqual(['Error: broken', 'Error: broken'])
})
