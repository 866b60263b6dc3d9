// Booting: the client waits forever if it is not answered, and one boot in fifty fails.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { nodeTwin, type TwinClient } from '../testing/webcontainer/node-twin.ts'
import type { OpenContainerOptions } from './webcontainer.ts'

type Open = (options?: OpenContainerOptions) => Promise<{ teardown(): void }>

/** A fresh module instance, because the module remembers what is open. */
async function page(boot: TwinClient['boot']): Promise<Open> {
  vi.resetModules()
  const { openContainer } = await import('./webcontainer.ts')
  return options => openContainer({ ...options, loadClient: async () => ({ WebContainer: { boot } }) })
}

/** A page whose boots have these outcomes, in order. */
async function pageWhere(
  ...outcomes: readonly ('fails' | 'hangs' | 'works')[]
): Promise<{ readonly open: Open; readonly boots: () => number }> {
  const client = await nodeTwin({ seed: 51, off: ['failing-boots'] })
  let boots = 0
  const open = await page(async options => {
    const outcome = outcomes[boots++] ?? 'works'
    if (outcome === 'hangs') return await new Promise(() => {})
    if (outcome === 'fails') throw new Error(`boot ${boots} failed`)
    return await client.boot(options)
  })
  return { open, boots: () => boots }
}

const opened: { teardown(): void }[] = []
afterEach(() => {
  for (const container of opened.splice(0)) container.teardown()
})

describe('a boot', () => {
  test('that fails is tried once more, and the reason is told', async () => {
    const { open, boots } = await pageWhere('fails', 'works')
    const reasons: string[] = []
    opened.push(await open({ onRetry: reason => reasons.push(reason) }))
    expect([boots(), reasons]).toEqual([2, ['boot 1 failed']])
  })

  test('that fails twice says both reasons, and may be tried again', async () => {
    const { open, boots } = await pageWhere('fails', 'fails', 'works')
    await expect(open()).rejects.toMatchObject({
      code: 'container-boot',
      details: { reasons: ['boot 1 failed', 'boot 2 failed'] },
      message: expect.stringContaining('Next:'),
    })
    opened.push(await open())
    expect(boots()).toBe(3)
  })

  test('that hangs ends in time, and no other is begun', async () => {
    const { open, boots } = await pageWhere('hangs', 'works')
    await expect(open({ bootTimeoutMs: 50 })).rejects.toMatchObject({
      code: 'container-timeout',
      message: expect.stringContaining('reload'),
    })
    await expect(open()).rejects.toMatchObject({ code: 'container-open' })
    expect(boots()).toBe(1)
  })

  test('is one at a time, and another one after it is torn down', async () => {
    const { open } = await pageWhere()
    const first = await open()
    await expect(open()).rejects.toMatchObject({ code: 'container-open' })
    first.teardown()
    opened.push(await open())
  })

  test('of two at once only one is begun', async () => {
    const { open, boots } = await pageWhere()
    const both = await Promise.allSettled([open(), open()])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(boots()).toBe(1)
    for (const result of both) if (result.status === 'fulfilled') opened.push(result.value)
  })
})

test('a stand-in that fails as often as the service is reported to: a hundred boots', async () => {
  const client = await nodeTwin({ seed: 52 })
  const open = await page(options => client.boot(options))
  const reasons: string[] = []
  for (let turn = 0; turn < 100; turn++) {
    const container = await open({ onRetry: reason => reasons.push(reason) })
    container.teardown()
  }
  expect(reasons.length).toBeGreaterThan(0)
  expect(new Set(reasons)).toEqual(new Set(['the runtime could not be started']))
})
