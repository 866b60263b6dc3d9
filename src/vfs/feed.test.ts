import { expect, test, vi } from 'vitest'
import { parsePath } from '../core/path.ts'
import { createFeed } from './feed.ts'

const change = { type: 'modify', path: parsePath('/f'), kind: 'file', rev: 1 } as const

test('a listener that throws keeps nobody from hearing and is not swallowed', async () => {
  const uncaught: unknown[] = []
  const queue = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(callback => {
    void runLater(callback).catch((error: unknown) => uncaught.push(error))
  })
  try {
    const feed = createFeed()
    const failure = new Error('broken listener')
    const heard: number[] = []
    feed.watch(parsePath('/'), () => {
      throw failure
    })
    feed.watch(parsePath('/'), batch => heard.push(batch.changes.length))
    feed.publish([change])
    feed.publish([change, change])
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(heard).toEqual([1, 2])
    expect(uncaught).toEqual([failure, failure])
  } finally {
    queue.mockRestore()
  }
})

test('a watcher hears nothing of what was under way before it came', async () => {
  const feed = createFeed()
  const [early, late]: number[][] = [[], []]
  feed.watch(parsePath('/'), batch => early?.push(...batch.changes.map(({ seq }) => seq)))
  feed.publish([change])
  feed.watch(parsePath('/'), batch => late?.push(...batch.changes.map(({ seq }) => seq)))
  feed.publish([change])
  await Promise.resolve()
  expect([early, late]).toEqual([[1, 2], [2]])
})

async function runLater(callback: () => void): Promise<void> {
  await Promise.resolve()
  callback()
}
