import { afterEach, expect, test, vi } from 'vitest'
import type { ShellWorker } from './spawn.ts'
import { createWorkerPool } from './worker-pool.ts'

afterEach(() => vi.useRealTimers())

/** Never reports that it is ready. */
const loading = (): ShellWorker => ({
  port: { post: () => undefined, listen: () => undefined },
  shared: undefined,
  onLost: () => undefined,
  end: () => undefined,
  hold: () => undefined,
})

test('a pool that was disposed of while a worker loads waits for nothing', () => {
  vi.useFakeTimers()
  const pool = createWorkerPool(loading, 1)
  void pool.warm().catch(() => undefined)
  expect(vi.getTimerCount()).toBe(1)
  pool.dispose()
  expect(vi.getTimerCount()).toBe(0)
})
