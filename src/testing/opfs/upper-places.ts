// The storages in which tests of what stands above the stored filesystem run. The filesystem itself is tried in both, so the quick run tries
// what stands above it once.
import { isDeep } from '../depth.ts'

export const upperPlaces: readonly ('opfs' | 'indexeddb')[] = isDeep ? ['opfs', 'indexeddb'] : ['opfs']
