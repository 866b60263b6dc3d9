// Equal lines get the same number, so that all later steps compare numbers.

import type { LineTable } from './lines.ts'

/** The class of each line of two files, and how often each class occurs in either. Classes are numbered from 0. */
export interface LineClasses {
  readonly before: Int32Array
  readonly after: Int32Array
  readonly countsBefore: Int32Array
  readonly countsAfter: Int32Array
}

export function classify(before: LineTable, after: LineTable): LineClasses {
  const total = before.count + after.count
  const register = new ClassRegister(total)
  const result = { before: new Int32Array(before.count), after: new Int32Array(after.count) }
  const [countsBefore, countsAfter] = [new Int32Array(total), new Int32Array(total)]
  for (const [table, classes, counts] of [
    [before, result.before, countsBefore],
    [after, result.after, countsAfter],
  ] as const) {
    for (let line = 0; line < table.count; line++) {
      const number = register.classOf(table.bytes, table.starts[line] ?? 0, table.starts[line + 1] ?? 0)
      classes[line] = number
      counts[number] = (counts[number] ?? 0) + 1
    }
  }
  return { ...result, countsBefore, countsAfter }
}

/** A hash table with open addressing: a slot contains a class's number plus one, and a class its first line. */
class ClassRegister {
  readonly #mask: number
  readonly #slots: Int32Array
  readonly #hashes: Int32Array
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  readonly #sources: Uint8Array[] = []

  constructor(lines: number) {
    let size = 16
    while (size < lines * 2) size *= 2
    this.#mask = size - 1
    this.#slots = new Int32Array(size)
    this.#hashes = new Int32Array(lines)
    this.#starts = new Int32Array(lines)
    this.#ends = new Int32Array(lines)
  }

  classOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = end - start
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    hash ^= hash >>> 13
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = (this.#slots[slot] ?? 0) - 1
      if (number < 0) return this.#add(slot, hash, bytes, start, end)
      if (this.#hashes[number] === hash && this.#isSame(number, bytes, start, end)) return number
    }
  }

  #add(slot: number, hash: number, bytes: Uint8Array, start: number, end: number): number {
    const number = this.#sources.length
    this.#sources.push(bytes)
    this.#hashes[number] = hash
    this.#starts[number] = start
    this.#ends[number] = end
    this.#slots[slot] = number + 1
    return number
  }

  #isSame(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const known = this.#sources[number]
    const knownStart = this.#starts[number] ?? 0
    if (known === undefined || (this.#ends[number] ?? 0) - knownStart !== end - start) return false
    for (let at = start, other = knownStart; at < end; at++, other++) if (bytes[at] !== known[other]) return false
    return true
  }
}
