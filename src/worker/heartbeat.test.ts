import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Heartbeat } from './heartbeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Scene {
  allowedMs: number | undefined
  answers: boolean
  pings: number
  silentMs: number | undefined
  readonly heartbeat: Heartbeat
}

function scene(): Scene {
  const state: Scene = {
    allowedMs: 1_000,
    answers: true,
    pings: 0,
    silentMs: undefined,
    heartbeat: new Heartbeat({
      intervalMs: 200,
      allowedSilenceMs: () => state.allowedMs,
      ping: async () => {
        state.pings += 1
        if (!state.answers) await new Promise(() => {})
      },
      onSilent: silentMs => {
        state.silentMs = silentMs
      },
    }),
  }
  return state
}

test('a worker that answers is never given up, however long a call lasts', async () => {
  const state = scene()
  state.heartbeat.wake()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(state.silentMs).toBeUndefined()
  expect(state.pings).toBeGreaterThan(1_000)
})

test('a worker that is silent longer than its calls may take is given up once', async () => {
  const state = scene()
  state.answers = false
  state.heartbeat.wake()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(state.silentMs).toBeUndefined()
  await vi.advanceTimersByTimeAsync(200)
  expect(state.silentMs).toBe(1_000)
  expect(state.pings).toBe(1)
  state.silentMs = undefined
  await vi.advanceTimersByTimeAsync(10_000)
  expect(state.silentMs).toBeUndefined()
})

test('nothing is sent while nothing is outstanding', async () => {
  const state = scene()
  state.allowedMs = undefined
  state.heartbeat.wake()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(state.pings).toBe(0)
})

test('a sign of life starts the silence anew', async () => {
  const state = scene()
  state.answers = false
  state.heartbeat.wake()
  for (let step = 0; step < 10; step += 1) {
    await vi.advanceTimersByTimeAsync(800)
    state.heartbeat.heard()
  }
  expect(state.silentMs).toBeUndefined()
})

test('a page that slept counts one missed beat, not the hours', async () => {
  const state = scene()
  state.answers = false
  state.heartbeat.wake()
  await vi.advanceTimersByTimeAsync(200)
  // The clock jumps forward; the due timer fires once.
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  await vi.advanceTimersByTimeAsync(200)
  expect(state.silentMs).toBeUndefined()
})
