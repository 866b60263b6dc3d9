// The order in which bash iterates over an associative array, which is the order of the buckets in its hash table. The output of
// scripts depends on it.

import { encodeText } from '../../../shell/byte-text.ts'

const firstBuckets = 1024
const fewBuckets = 128

/** The buckets of the table in which bash remembers the paths of commands. */
export const commandBuckets = 256

/** Sorts `keys`, given in insertion order, into bash's iteration order. */
export function walkedKeys(
  keys: Iterable<string>,
  isSmall = false,
  bucketCount: number = isSmall ? fewBuckets : firstBuckets,
): string[] {
  let buckets = new Map<number, string[]>()
  let size = bucketCount
  let count = 0
  for (const key of keys) {
    if (count >= size * 2) {
      size *= 4
      buckets = regrown(buckets, size)
    }
    putFirst(buckets, hashOf(key) % size, key)
    count += 1
  }
  return inOrder(buckets).flatMap(([, bucket]) => bucket)
}

function inOrder(buckets: ReadonlyMap<number, string[]>): [number, string[]][] {
  return [...buckets].sort(([one], [other]) => one - other)
}

function regrown(buckets: ReadonlyMap<number, string[]>, size: number): Map<number, string[]> {
  const grown = new Map<number, string[]>()
  for (const [, bucket] of inOrder(buckets)) for (const key of bucket) putFirst(grown, hashOf(key) % size, key)
  return grown
}

function putFirst(buckets: Map<number, string[]>, number: number, key: string): void {
  const bucket = buckets.get(number)
  if (bucket === undefined) buckets.set(number, [key])
  else bucket.unshift(key)
}

/** The FNV-1 hash of the bytes as signed characters, as bash computes it. */
function hashOf(key: string): number {
  let hash = 2_166_136_261
  for (const byte of encodeText(key)) hash = Math.imul(hash, 16_777_619) ^ (byte > 127 ? byte - 256 : byte)
  return hash >>> 0
}
