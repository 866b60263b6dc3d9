// Packed formats that are read and not written: xz, zstd and bzip2.

import { finishedInSteps } from '../../core/in-steps.ts'
import { createPauser } from '../../core/pause.ts'
import { type PackingName, unpackingSteps } from '../../codec/packings.ts'
import { isBzip2, isXz, isZstd } from '../../codec/signatures.ts'

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
  return finishedInSteps(await unpackingSteps(name, packed, maxBytes), async () => {
    await pause()
    signal.throwIfAborted()
  })
}
