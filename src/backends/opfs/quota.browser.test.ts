// A browser that is really out of storage: Chromium's developer protocol sets the quota of an origin. Nothing is lost, a write that does
// not fit leaves no trace, and deleting works and frees space.

import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { cdp, server } from 'vitest/browser'
import { createRandom } from '../../testing/random.ts'
import type { StorageKind } from './index.ts'
import { endHands, type Hands, hands } from '../../testing/opfs/hands.ts'

const isChromium = server.browser === 'chromium'

/** Incompressible text, because Chromium's database compresses. */
function noise(sizeBytes: number, seed: number): string {
  const random = createRandom(seed)
  return Array.from({ length: sizeBytes }, () => String.fromCharCode(33 + random.below(94))).join('')
}

let attempts = 0
const megabyte = noise(1_000_000, 1)
const small = noise(20_000, 2)

interface Facts {
  readonly usage: { readonly bytes: number; readonly nodes: number }
}

async function setQuota(quotaSize: number | undefined): Promise<void> {
  const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> }
  await session.send('Storage.overrideQuotaForOrigin', {
    origin: location.origin,
    ...(quotaSize === undefined ? {} : { quotaSize }),
  })
}

async function usedBytes(): Promise<number> {
  return (await navigator.storage.estimate()).usage ?? 0
}

/** Opened exclusively: sharing between tabs does not matter for the quota. */
async function opened(name: string, storage: readonly StorageKind[]): Promise<Hands> {
  const made = hands()
  await made.order({ do: 'open', options: { name, storage, tabs: 'exclusive' } })
  return made
}

/** The store gives space back in the background, and the browser's database remembers for half a minute how much there was. */
function writeSoon(fs: Hands, path: string, text: string): Promise<unknown> {
  return soon(() => fs.order({ do: 'write', path, text }))
}

function soon(act: () => Promise<unknown>): Promise<unknown> {
  return vi.waitFor(act, { timeout: 120_000, interval: 500 })
}

beforeAll(async () => {
  await hands().order({ do: 'wipe' })
})

afterEach(async () => {
  endHands()
  if (isChromium) await setQuota(undefined)
})

test.runIf(isChromium).each(['opfs', 'indexeddb'] as const)(
  '%s: a full disk refuses, keeps what was there, and lets go (Chromium: only it has a protocol for it)',
  // Tests in other files use the same origin at the same time. When they remove files, there is more space than was set.
  { retry: 3 },
  async place => {
    const name = `quota-${place}-${attempts++}`
    // Before the store is opened, because the database remembers the available space for half a minute.
    await setQuota((await usedBytes()) + 7_500_000)
    const fs = await opened(name, [place])
    const write = (path: string, text: string): Promise<unknown> => fs.order({ do: 'write', path, text })
    await write('/kept', 'k'.repeat(1000))
    // The browser's database may need twice the space for a moment.
    for (let index = 0; index < 4; index++) await writeSoon(fs, `/f${index}`, megabyte)
    await fs.order({ do: 'flush' })
    const before = await fs.order({ do: 'list' })
    await expect(write('/large', megabyte.repeat(6))).rejects.toMatchObject({ code: 'ENOSPC', message: /delete something/ })
    expect(await fs.order({ do: 'list' })).toEqual(before)
    let written = 0
    const fill = async (): Promise<void> => {
      for (; written < 500; written++) await write(`/small${written}`, small)
    }
    await expect(fill()).rejects.toMatchObject({ code: 'ENOSPC' })
    const full = await fs.order({ do: 'list' })
    const { usage } = (await fs.order({ do: 'facts' })) as Facts
    expect(usage).toMatchObject({ bytes: 4_001_000 + written * 20_000, nodes: 5 + written })

    for (let index = 0; index < 4; index++) await fs.order({ do: 'remove', path: `/f${index}` })
    const emptied = await fs.order({ do: 'list' })
    expect(Object.keys(emptied as object)).toHaveLength(Object.keys(full as object).length - 4)
    await fs.order({ do: 'flush' })
    fs.worker.terminate()

    // As after a reload, and still at the limit.
    const again = await opened(name, [place])
    expect(await again.order({ do: 'list' })).toEqual(emptied)
    expect(((await again.order({ do: 'facts' })) as Facts).usage.bytes).toBe(1_000 + written * 20_000)
    await writeSoon(again, '/tiny', 'there is room again')
    if (place === 'opfs') await writeSoon(again, '/again', megabyte)
    await soon(() => again.order({ do: 'flush' }))
    const closing = again.order({ do: 'close' })
    // The browser's database may have no room for the last checkpoint. Then closing says so, and what was flushed is there all the same.
    await (place === 'opfs' ? closing : closing.catch((error: unknown) => expect(error).toMatchObject({ code: 'ENOSPC' })))
    again.worker.terminate()
    await setQuota(undefined)
    const last = await opened(name, [place])
    await writeSoon(last, '/large', megabyte.repeat(6))
    expect(await last.order({ do: 'read', path: '/tiny' })).toBe('there is room again')
  },
)
