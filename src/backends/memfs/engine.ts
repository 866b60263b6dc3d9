// The only file that imports memfs. The package ships it as a bundle (.ci/vendor-bundles.mjs), so that no page needs polyfills.

import { Volume } from 'memfs'
import type { MemfsVolume } from './volume.ts'

export function createVolume(): MemfsVolume {
  return new Volume()
}
