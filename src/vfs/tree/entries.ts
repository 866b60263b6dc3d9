// What is in a directory, by name. Sorted, so that a listing is a copy of what lies here; and in short pieces, so that who goes on
// from a shared directory copies one piece and the list of pieces, however many entries there are.

import type { Dirent, EntryKind } from '../backend.ts'

/** What a name stands for: of `shared`, see node.ts. */
interface Kinded {
  readonly kind: EntryKind | 'shared'
}

/** A name and what it stands for. Listings hand it out, so nobody can change it, and only `entryOf` sees more than a `Dirent`. */
export class Slot<Entry extends Kinded> implements Dirent {
  readonly name: string
  readonly kind: EntryKind
  readonly #entry: Entry

  constructor(name: string, entry: Entry) {
    this.name = name
    this.kind = entry.kind === 'shared' ? 'file' : entry.kind
    this.#entry = entry
    Object.freeze(this)
  }

  static entryOf<Entry extends Kinded>(this: void, slot: Slot<Entry>): Entry {
    return slot.#entry
  }
}

/** In longer pieces more is found at once, of shorter ones less copied. */
const maxPieceSlots = 64

interface Piece<Entry extends Kinded> {
  /** Who may change it in place. */
  readonly owner: symbol
  /** All names in it are this one or come after it. */
  readonly name: string
  readonly slots: Slot<Entry>[]
}

/** Read like a `Map`, in the order of names by UTF-16 code unit. */
export class Entries<Entry extends Kinded> {
  size = 0
  /** The first takes all names before the second. None but the first is empty. A piece that two versions share is the same in both. */
  readonly pieces: Piece<Entry>[]
  readonly #owner: symbol
  /** Where `get` looked last: entries are mostly used in order, so what is wanted next mostly lies behind it. Only a guess. */
  #lastIndex = 0

  /** The same as `before`, which must not be changed any more. */
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
    // Mostly it comes last, and a splice is slow.
    if (++index === slots.length) slots.push(slot)
    else slots.splice(index, 0, slot)
    if (slots.length <= maxPieceSlots) return
    // What comes behind a full piece begins the next: names that come in order leave full ones behind.
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

  /** Sorted; the array is the caller's. */
  list(): Dirent[] {
    const [first] = this.pieces
    const listed: Dirent[] = first?.slots.slice() ?? []
    for (const piece of this.pieces) if (piece !== first) listed.push(...piece.slots)
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

/** The place of the last item that has this name or one before it; -1 without one. */
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
