// The content of one entry of a zip archive. Sizes and sums come from anywhere and are believed only after they were checked.

import { readExactly, type RangeReader } from '../bytes.ts'
import { crc32 } from '../crc32.ts'
import { damaged, unsupported } from '../error.ts'
import { inflateInSteps } from '../inflate.ts'
import { localBytes, localSignature, type ZipDirectory, type ZipEntry } from './directory.ts'

/** Why an entry cannot be unpacked here, as the end of a sentence; `undefined` for one that can. */
export function packingProblem({ name, isEncrypted, method, kind }: ZipEntry): string | undefined {
  if (isEncrypted) return `${JSON.stringify(name)} in it is encrypted`
  if (method !== 0 && method !== 8) return `${JSON.stringify(name)} in it is compressed by method ${method}`
  return kind === 'other' ? `${JSON.stringify(name)} in it is not a file, directory or symlink` : undefined
}

/** `letOthersRun` is awaited while a long content is inflated. Throws `CodecError` for what cannot be unpacked, is cut off, or does not have the size and the checksum that it says. */
export async function readContent(
  archive: RangeReader,
  { start: tableStart }: Pick<ZipDirectory, 'start'>,
  entry: ZipEntry,
  letOthersRun?: () => Promise<void>,
): Promise<Uint8Array> {
  const problem = packingProblem(entry)
  if (problem !== undefined) throw unsupported(problem)
  const { name, headerOffset, packedBytes, sizeBytes } = entry
  const header = await readExactly(archive, headerOffset, headerOffset + localBytes, JSON.stringify(name))
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0, true) !== localSignature) throw damaged(`${JSON.stringify(name)} is not where it should be`)
  const offset = headerOffset + localBytes + view.getUint16(26, true) + view.getUint16(28, true)
  if (offset + packedBytes > tableStart) throw damaged(`${JSON.stringify(name)} is cut off`)
  const packed = await readExactly(archive, offset, offset + packedBytes, JSON.stringify(name))
  const content = entry.method === 8 ? await inflated(packed, sizeBytes, name, letOthersRun) : packed
  if (crc32(content) !== entry.checksum) throw damaged(`${JSON.stringify(name)} does not have its checksum`)
  return content
}

async function inflated(
  packed: Uint8Array,
  sizeBytes: number,
  name: string,
  letOthersRun: (() => Promise<void>) | undefined,
): Promise<Uint8Array> {
  const work = inflateInSteps(packed, sizeBytes, name)
  for (let count = 1; ; count++) {
    const { done, value } = work.next()
    if (done === true) return value
    if (count % slicesPerTurn === 0) await letOthersRun?.()
  }
}

const slicesPerTurn = 4
