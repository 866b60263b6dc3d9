// Several workers on one store in real browsers. To the platform they are the same as several tabs.

import { afterEach, beforeAll, expect, test } from 'vitest'
import { server } from 'vitest/browser'
import { isDeep } from '../../../testing/depth.ts'
import { endHands, type Hands, hands } from '../../../testing/opfs/hands.ts'

type Place = 'opfs' | 'indexeddb'
// The other place in Firefox is for the deep run.
const places: readonly Place[] = isDeep || server.browser === 'chromium' ? ['opfs', 'indexeddb'] : ['opfs']

async function opened(name: string, place: Place = 'opfs', tabs: 'share' | 'exclusive' = 'share'): Promise<Hands> {
  const made = hands()
  await made.order({ do: 'open', options: { name, storage: [place], tabs } })
  return made
}

beforeAll(async () => {
  await hands().order({ do: 'wipe' })
})

afterEach(endHands)

test.each(places)('%s: what one writes the other reads, both ways', async place => {
  const name = `tabs-both-${place}`
  const first = await opened(name, place)
  await first.order({ do: 'write', path: '/d/a', text: 'from the first' })
  const second = await opened(name, place)
  expect(await second.order({ do: 'read', path: '/d/a' })).toBe('from the first')
  await second.order({ do: 'write', path: '/d/b', text: 'from the second' })
  expect(await second.order({ do: 'read', path: '/d/b' })).toBe('from the second')
  expect(await first.order({ do: 'read', path: '/d/b' })).toBe('from the second')
  await second.order({ do: 'flush' })
})

test.each(places)('%s: a large file goes both ways', async place => {
  const name = `tabs-large-${place}`
  const first = await opened(name, place)
  await first.order({ do: 'write', path: '/down', text: 'x'.repeat(5_000_000) })
  const second = await opened(name, place)
  expect(await second.order({ do: 'read', path: '/down' })).toHaveLength(5_000_000)
  await second.order({ do: 'write', path: '/up', text: 'y'.repeat(5_000_000) })
  expect(await first.order({ do: 'read', path: '/up' })).toHaveLength(5_000_000)
})

test.each(places)('%s: the first one ends and the second goes on', async place => {
  const name = `tabs-ended-${place}`
  const first = await opened(name, place)
  const second = await opened(name, place)
  const third = await opened(name, place)
  await second.order({ do: 'write', path: '/a', text: 'before' })
  first.worker.terminate()
  await second.order({ do: 'write', path: '/a', text: 'after' })
  expect(await second.order({ do: 'read', path: '/a' })).toBe('after')
  await third.order({ do: 'write', path: '/b', text: 'third' })
  expect(await second.order({ do: 'read', path: '/b' })).toBe('third')
})

test.each(places)('%s: who follows says where the files are', async place => {
  const name = `tabs-place-${place}`
  const first = await opened(name, place)
  const second = await opened(name, place)
  expect(await second.order({ do: 'facts' })).toMatchObject({
    persistence: { storage: place, persistent: true, message: expect.stringContaining('Another tab has them open') },
    caps: { persistent: true, sync: false },
  })
  first.worker.terminate()
  await second.order({ do: 'write', path: '/a', text: 'goes on' })
  expect(await second.order({ do: 'facts' })).toMatchObject({
    persistence: { storage: place, message: expect.not.stringContaining('Another tab') },
  })
})

test('a lock that is stolen ends its holder, and the next one goes on', async () => {
  const first = await opened('tabs-stolen')
  await first.order({ do: 'write', path: '/a', text: 'before' })
  const second = await opened('tabs-stolen')
  await navigator.locks.request('anchorage:opfs:tabs-stolen', { steal: true }, async () => {
    // A busy holder learns of it late, and what it wrote until then counts.
    await expect.poll(() => first.order({ do: 'write', path: '/late', text: 'x' }).catch(error => error.code)).toBe('EBUSY')
  })
  await second.order({ do: 'write', path: '/b', text: 'goes on' })
  expect(await second.order({ do: 'read', path: '/a' })).toBe('before')
  await expect(first.order({ do: 'write', path: '/a', text: 'never' })).rejects.toMatchObject({ code: 'EBUSY' })
})

test('a store that is kept for one tab says so', async () => {
  await opened('tabs-private', 'opfs', 'exclusive')
  await expect(opened('tabs-private')).rejects.toMatchObject({ code: 'EBUSY' })
})
