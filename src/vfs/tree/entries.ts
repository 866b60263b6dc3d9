// What is in a directory, by name. Sorted, so that a listing is a copy of what lies here; and in short pieces, so that who goes on
// from a shared directory copies one piece and the list of pieces, however many entries there are.

import type { Dirent, EntryKind } from '../backend.ts'

/** What a name stands for: of `shared`, see node.ts. */
interface Kinded {
  readonly kind: EntryKind | 'shared'
}

/** Of one piece. Longer ones are found in faster, shorter ones copied. */
const maxPieceEntries = 64

interface Piece<Entry> {
  /** Who may change it in place. */
  readonly owner: symbol
  /** By name, each frozen: listings hand them out. */
  readonly listed: Dirent[]
  /** What each of them stands for. */
  readonly nodes: Entry[]
}

/** A map that is read like a `Map`, in the order of names by UTF-16 code unit. */
export class Entries<Entry extends Kinded> {
  size = 0
  readonly #owner: symbol
  /** At least one, and none but the first is empty. Names grow from one to the next. */
  #pieces: Piece<Entry>[]

  constructor(owner: symbol) {
    this.#owner = owner
    this.#pieces = [{ owner, listed: [], nodes: [] }]
  }

  /** The same, apart from this, which must not be changed any more. */
  continuedBy(owner: symbol): Entries<Entry> {
    const continued = new Entries<Entry>(owner)
    continued.#pieces = this.#pieces.slice()
    continued.size = this.size
    return continued
  }

  get(name: string): Entry | undefined {
    const piece = this.#pieces[this.#pieceOf(name)]
    if (piece === undefined) return undefined
    const index = placeOf(name, piece.listed)
    return piece.listed[index]?.name === name ? piece.nodes[index] : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  set(name: string, entry: Entry): void {
    const at = this.#pieceOf(name)
    const { listed, nodes } = this.#own(at)
    const index = placeOf(name, listed)
    const old = listed[index]
    const kind = entry.kind === 'shared' ? 'file' : entry.kind
    if (old?.name === name) {
      nodes[index] = entry
      if (old.kind !== kind) listed[index] = Object.freeze({ name, kind })
      return
    }
    this.size++
    if (listed.length === maxPieceEntries) {
      // What is added at the end of a full piece begins the next: names that come in order leave full ones behind.
      const half = index === maxPieceEntries ? maxPieceEntries : maxPieceEntries / 2
      const next = { owner: this.#owner, listed: listed.splice(half), nodes: nodes.splice(half) }
      this.#pieces.splice(at + 1, 0, next)
      if (index >= half) {
        insert(next, index - half, Object.freeze({ name, kind }), entry)
        return
      }
    }
    insert({ listed, nodes }, index, Object.freeze({ name, kind }), entry)
  }

  delete(name: string): void {
    const at = this.#pieceOf(name)
    const index = placeOf(name, this.#pieces[at]?.listed ?? [])
    if (this.#pieces[at]?.listed[index]?.name !== name) return
    const { listed, nodes } = this.#own(at)
    listed.splice(index, 1)
    nodes.splice(index, 1)
    this.size--
    if (listed.length === 0 && this.#pieces.length > 1) this.#pieces.splice(at, 1)
  }

  /** Sorted; the array is the caller's. */
  list(): Dirent[] {
    const listed = this.#pieces[0]?.listed.slice() ?? []
    for (let at = 1; at < this.#pieces.length; at++) for (const dirent of this.#pieces[at]?.listed ?? []) listed.push(dirent)
    return listed
  }

  *values(): Generator<Entry> {
    for (const { nodes } of this.#pieces) yield* nodes
  }

  *[Symbol.iterator](): Generator<[string, Entry]> {
    yield* this.apartFrom()
  }

  /** All but what lies in pieces that `other` has too: that is the same in both, by the same names. */
  *apartFrom(other?: Entries<Entry>): Generator<[string, Entry]> {
    const shared = new Set(other === undefined ? [] : other.#pieces)
    for (const piece of this.#pieces) {
      if (shared.has(piece)) continue
      for (const [index, { name }] of piece.listed.entries()) {
        const entry = piece.nodes[index]
        if (entry !== undefined) yield [name, entry]
      }
    }
  }

  /** Which piece `name` belongs to: the last one that does not begin behind it, or the first. */
  #pieceOf(name: string): number {
    let low = 0
    let high = this.#pieces.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.#pieces[middle]?.listed[0]
      if (first !== undefined && first.name <= name) low = middle
      else high = middle - 1
    }
    return low
  }

  #own(at: number): Piece<Entry> {
    const piece = this.#pieces[at]
    if (piece?.owner === this.#owner) return piece
    const own = { owner: this.#owner, listed: piece?.listed.slice() ?? [], nodes: piece?.nodes.slice() ?? [] }
    this.#pieces[at] = own
    return own
  }
}

/** Where `name` is in `listed`, or would be. */
function placeOf(name: string, listed: readonly Dirent[]): number {
  let low = 0
  let high = listed.length
  while (low < high) {
    const middle = (low + high) >> 1
    const there = listed[middle]
    if (there !== undefined && there.name < name) low = middle + 1
    else high = middle
  }
  return low
}

function insert<Entry>(
  { listed, nodes }: Pick<Piece<Entry>, 'listed' | 'nodes'>,
  index: number,
  dirent: Dirent,
  entry: Entry,
): void {
  if (index === listed.length) {
    listed.push(dirent)
    nodes.push(entry)
  } else {
    listed.splice(index, 0, dirent)
    nodes.splice(index, 0, entry)
  }
}
