// Unpacks objects from the network. Each is checked against its declared type and size; deltas may have a base that is here already.

import { fatal } from '../errors.ts'
import { inflate } from '../store/inflate.ts'
import type { GitObject, ObjectId, ObjectType } from '../store/object-format.ts'
import type { ObjectStore } from '../store/objects.ts'
import { applyDelta } from '../store/pack.ts'
import { Sha1, toHex } from '../store/sha1.ts'

const types: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag']
const headBytes = 12
const hashBytes = 20

/** Keeps all objects of the pack in the store, for the caller to flush. Returns their number. */
export async function unpack(
  bytes: Uint8Array,
  store: ObjectStore,
  onStep: (doneCount: number, totalCount: number) => void,
): Promise<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headBytes + hashBytes || view.getUint32(0) !== 0x5041434b || view.getUint32(4) !== 2) {
    throw fatal('bad pack: the server sent no pack of version 2')
  }
  const end = bytes.length - hashBytes
  if (new Sha1().update(bytes.subarray(0, end)).hex() !== toHex(bytes, end, bytes.length))
    throw fatal('pack is corrupted (SHA1 mismatch)')
  const count = view.getUint32(8)
  const byOffset = new Map<number, { readonly oid: ObjectId; readonly type: ObjectType }>()
  const waiting: { readonly offset: number; readonly base: ObjectId; readonly delta: Uint8Array }[] = []
  let at = headBytes
  const keep = async (offset: number, { type, bytes: content }: GitObject): Promise<void> => {
    byOffset.set(offset, { oid: await store.write(type, content), type })
  }
  const waitingOffsets: { readonly offset: number; readonly base: number; readonly delta: Uint8Array }[] = []
  for (let number = 0; number < count; number++) {
    if (number % 500 === 0) onStep(number, count)
    const offset = at
    let byte = bytes[at++] ?? 0
    const kind = (byte >> 4) & 7
    let size = byte & 15
    for (let scale = 16; byte & 128; scale *= 128) {
      byte = bytes[at++] ?? 0
      size += (byte & 127) * scale
    }
    if (kind === 6) {
      byte = bytes[at++] ?? 0
      let distance = byte & 127
      while (byte & 128) {
        byte = bytes[at++] ?? 0
        distance = (distance + 1) * 128 + (byte & 127)
      }
      const found = inflate(bytes, at, size)
      at = found.end
      const base = byOffset.get(offset - distance)
      if (base === undefined) waitingOffsets.push({ offset, base: offset - distance, delta: found.bytes })
      else await keep(offset, { type: base.type, bytes: applyDelta((await readKept(store, base.oid)).bytes, found.bytes) })
    } else if (kind === 7) {
      const base = toHex(bytes, at, at + hashBytes)
      const found = inflate(bytes, at + hashBytes, size)
      at = found.end
      waiting.push({ offset, base, delta: found.bytes })
    } else {
      const type = types[kind]
      if (type === undefined) throw fatal(`bad pack: unknown object type ${kind} at offset ${offset}`)
      const found = inflate(bytes, at, size)
      at = found.end
      await keep(offset, { type, bytes: found.bytes })
    }
  }
  if (at !== end) throw fatal('bad pack: it does not end behind its last object')
  await resolveRest({ store, byOffset, waiting, waitingOffsets, keep })
  onStep(count, count)
  return count
}

interface Rest {
  readonly store: ObjectStore
  readonly byOffset: ReadonlyMap<number, { readonly oid: ObjectId; readonly type: ObjectType }>
  readonly waiting: readonly { readonly offset: number; readonly base: ObjectId; readonly delta: Uint8Array }[]
  readonly waitingOffsets: readonly { readonly offset: number; readonly base: number; readonly delta: Uint8Array }[]
  readonly keep: (offset: number, object: GitObject) => Promise<void>
}

/** Deltas whose base comes later in the pack: tried again until none is left or no further one succeeds. */
async function resolveRest({ store, byOffset, waiting, waitingOffsets, keep }: Rest): Promise<void> {
  let open: readonly (Rest['waiting'][number] | Rest['waitingOffsets'][number])[] = [...waiting, ...waitingOffsets]
  while (open.length > 0) {
    const left: (typeof open)[number][] = []
    for (const row of open) {
      const oid = typeof row.base === 'number' ? byOffset.get(row.base)?.oid : row.base
      const base = oid === undefined ? undefined : await store.read(oid)
      if (base === undefined) left.push(row)
      else await keep(row.offset, { type: base.type, bytes: applyDelta(base.bytes, row.delta) })
    }
    if (left.length === open.length) throw fatal(`bad pack: ${left.length} objects rest on others that were not sent`)
    open = left
  }
}

async function readKept(store: ObjectStore, oid: ObjectId): Promise<GitObject> {
  const object = await store.read(oid)
  if (object === undefined) throw fatal(`bad pack: object ${oid} is lost`)
  return object
}
