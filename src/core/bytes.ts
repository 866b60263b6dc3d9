/**
 * Joins byte arrays into one new array. The pieces are copied, never aliased.
 *
 * @param pieces the arrays, in order
 * @param length their total length in bytes, when the caller knows it already
 */
export function joinBytes(pieces: Iterable<Uint8Array>, length?: number): Uint8Array<ArrayBuffer> {
  const list = [...pieces]
  const joined = new Uint8Array(length ?? list.reduce((total, piece) => total + piece.length, 0))
  let offset = 0
  for (const piece of list) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}

/** As `joinBytes`, but a single piece is returned as it is. */
export function joinPieces(pieces: readonly Uint8Array[], length?: number): Uint8Array {
  const [only] = pieces
  return pieces.length === 1 && only !== undefined ? only : joinBytes(pieces, length)
}
