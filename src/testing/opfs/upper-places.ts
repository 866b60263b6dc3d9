// The storages in which tests of what stands above the stored filesystem run. The filesystem itself is tried in both storages of both
// browsers, so the quick run tries what stands above it once in each browser, and once in each storage.
import { server } from 'vitest/browser'
import { isDeep } from '../depth.ts'

export const upperPlaces: readonly ('opfs' | 'indexeddb')[] = isDeep
  ? ['opfs', 'indexeddb']
  : [server.browser === 'chromium' ? 'opfs' : 'indexeddb']
