// Packed formats that are read and not written: xz, zstd and bzip2. Their decoders load on first use.

import { finishedInSteps, type Steps } from '../../core/in-steps.ts'
import { createPauser } from '../../core/pause.ts'
import { isBzip2, isXz, isZstd } from '../../codec/signatures.ts'

export type PackingName = 'xz' | 'zstd' | 'bzip2'

/** Which of them `head` begins; `undefined` for none. */
export function packingOf(head: Uint8Array): PackingName | undefined {
  if (isXz(head)) return 'xz'
  // Behind the level stands the first block, or the end.
  if (isBzip2(head) && (head[4] === 0x31 || head[4] === 0x17)) return 'bzip2'
  return isZstd(head) ? 'zstd' : undefined
}

/** Throws `CodecError`. */
export async function unpacked(
  name: PackingName,
  packed: Uint8Array,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const pause = createPauser()
  return finishedInSteps(await stepsOf(name, packed, maxBytes), async () => {
    await pause()
    signal.throwIfAborted()
  })
}

async function stepsOf(name: PackingName, packed: Uint8Array, maxBytes: number): Promise<Steps<Uint8Array>> {
  switch (name) {
    case 'xz':
      return (await import('../../codec/xz.ts')).unxzInSteps(packed, maxBytes)
    case 'bzip2':
      return (await import('../../codec/bzip2.ts')).bunzip2InSteps(packed, maxBytes)
    case 'zstd':
      return (await import('../../codec/zstd.ts')).unzstdInSteps(packed, maxBytes)
  }
}
