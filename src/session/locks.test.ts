import { expect, it } from 'vitest'

import { parsePath } from '../core/path.ts'
import { PathLocks } from './locks.ts'

const [a, b] = [parsePath('/a'), parsePath('/b')]
const never = new AbortController().signal

function tick(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 1))
}

it('gives one path to one at a time, in the order they came', async () => {
  const locks = new PathLocks()
  const events: string[] = []
  const hold = (name: string): Promise<void> =>
    locks.hold([a], never, async () => {
      events.push(`${name}(`)
      await tick()
      events.push(`${name})`)
    })
  await Promise.all([hold('1'), hold('2'), hold('3')])
  expect(events.join(' ')).toBe('1( 1) 2( 2) 3( 3)')
})

it('never lets two wait for each other, whatever order they name the paths in, or how often', async () => {
  const locks = new PathLocks()
  const runs = Array.from({ length: 50 }, (_, index) => locks.hold(index % 2 === 0 ? [a, b, a] : [b, a], never, tick))
  await expect(Promise.all(runs)).resolves.toHaveLength(50)
})

it('lets go when the work throws', async () => {
  const locks = new PathLocks()
  await expect(locks.hold([a], never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(locks.hold([a], never, () => Promise.resolve('free'))).resolves.toBe('free')
})

it('gives up waiting on abort, and blocks nobody by it', async () => {
  const locks = new PathLocks()
  let finish = (): void => {}
  const first = locks.hold([a], never, () => new Promise<void>(resolve => (finish = resolve)))
  const controller = new AbortController()
  const second = locks.hold([a], controller.signal, () => Promise.resolve('ran'))
  const third = locks.hold([a], never, () => Promise.resolve('third'))
  controller.abort('enough')
  await expect(second).rejects.toBe('enough')
  finish()
  await first
  await expect(third).resolves.toBe('third')
})
