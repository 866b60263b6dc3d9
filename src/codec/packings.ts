// Packed formats that are read and not written. Their decoders load on first use.

import type { Steps } from '../core/in-steps.ts'

export type PackingName = 'xz' | 'zstd' | 'bzip2'

/** Throws `CodecError` in its steps, also for more than `maxBytes`. */
export async function unpackingSteps(name: PackingName, packed: Uint8Array, maxBytes: number): Promise<Steps<Uint8Array>> {
  switch (name) {
    case 'xz':
      return (await import('./xz.ts')).unxzInSteps(packed, maxBytes)
    case 'bzip2':
      return (await import('./bzip2.ts')).bunzip2InSteps(packed, maxBytes)
    case 'zstd':
      return (await import('./zstd.ts')).unzstdInSteps(packed, maxBytes)
  }
}
