// The entries of a directory, by name. They are sorted, so that a listing is a plain copy. They are in short pieces, so that changing a
// shared directory copies one piece and the list of pieces, however many entries there are.

import type { Dirent, EntryKind } from '../backend.ts'

interface Kinded {
  readonly kind: EntryKind
}

/** A name and its entry. Listings hand it out, so it is immutable, and only `entryOf` sees more than a `Dirent`. */
export class Slot<Entry extends Kinded> implements Dirent {
  readonly name: string
  readonly kind: EntryKind
  readonly #entry: Entry

  constructor(name: string, entry: Entry) {
    this.name = name
    this.kind = entry.kind
    this.#entry = entry
    Object.freeze(this)
  }

  static entryOf<Entry extends Kinded>(this: void, slot: Slot<Entry>): Entry {
    return slot.#entry
  }
}

/** Longer pieces make searching faster, and shorter pieces make copying cheaper. */
const maxPieceSlots = 64

interface Piece<Entry extends Kinded> {
  /** The owner may change the piece in place. */
  readonly owner: symbol
  /** All names in the piece are at or after this one. */
  readonly name: string
  readonly slots: Slot<Entry>[]
}

/** Readable like a `Map`, in the order of names by UTF-16 code unit. */
export class Entries<Entry extends Kinded> {
  size = 0
  /** The first piece takes all names before the second one. Only the first may be empty. Two versions that share a piece agree in it. */
  readonly pieces: Piece<Entry>[]
  readonly #owner: symbol
  /** The last result of `get`. Entries are usually accessed in order, so the next one is usually after it. Only a hint. */
  #lastIndex = 0

  /** A copy of `before`, which must not be changed any more. */
  constructor(owner: symbol, before?: Entries<Entry>) {
    this.#owner = owner
    this.size = before?.size ?? 0
    this.pieces = before?.pieces.slice() ?? [{ owner, name: '', slots: [] }]
  }

  get(name: string): Entry | undefined {
    const slots = this.pieces[lastUpTo(name, this.pieces)]?.slots ?? []
    let slot = slots[++this.#lastIndex]
    if (slot?.name !== name) slot = slots[(this.#lastIndex = lastUpTo(name, slots))]
    return slot?.name === name ? Slot.entryOf(slot) : undefined
  }

  set(name: string, entry: Entry): void {
    const at = lastUpTo(name, this.pieces)
    const slots = this.#own(at)
    const slot = new Slot(name, entry)
    let index = lastUpTo(name, slots)
    if (slots[index]?.name === name) {
      slots[index] = slot
      return
    }
    this.size++
    // Usually the entry is the last one, and a splice is slow.
    if (++index === slots.length) slots.push(slot)
    else slots.splice(index, 0, slot)
    if (slots.length <= maxPieceSlots) return
    // An entry after a full piece starts a new one, so that names in order leave full pieces behind.
    const rest = slots.splice(index === maxPieceSlots ? index : maxPieceSlots / 2)
    this.pieces.splice(at + 1, 0, { owner: this.#owner, name: rest[0]?.name ?? name, slots: rest })
  }

  delete(name: string): void {
    const at = lastUpTo(name, this.pieces)
    const slots = this.#own(at)
    const index = lastUpTo(name, slots)
    if (slots[index]?.name !== name) return
    slots.splice(index, 1)
    this.size--
    if (slots.length === 0 && at > 0) this.pieces.splice(at, 1)
  }

  /** Sorted. The array belongs to the caller. */
  list(): Dirent[] {
    const [first] = this.pieces
    const listed: Dirent[] = first?.slots.slice() ?? []
    for (const piece of this.pieces) if (piece !== first) for (const slot of piece.slots) listed.push(slot)
    return listed
  }

  *[Symbol.iterator](): Generator<[string, Entry]> {
    for (const { slots } of this.pieces) for (const slot of slots) yield [slot.name, Slot.entryOf(slot)]
  }

  #own(at: number): Slot<Entry>[] {
    const piece = this.pieces[at]
    if (piece?.owner === this.#owner) return piece.slots
    const slots = piece?.slots.slice() ?? []
    this.pieces[at] = { owner: this.#owner, name: piece?.name ?? '', slots }
    return slots
  }
}

/** The index of the last item with this name or an earlier one; -1 if there is none. */
function lastUpTo(name: string, items: readonly { readonly name: string }[]): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && item.name <= name) low = middle + 1
    else high = middle
  }
  return low - 1
}
