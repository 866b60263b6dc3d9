// Which request of which other tab was carried out last. It is stored with the transaction that carried it out, so that a request which
// is sent again, because its answer was lost with the tab that gave it, is never carried out twice. A mark lies behind the facts of the
// last record of a transaction, where a release that does not know it does not look.

import type { ByteReader, ByteWriter } from './bytes.ts'

export interface Mark {
  /** '' where only numbers were given away. */
  readonly clientId: string
  /** The client's own count of its requests; it has one under way at a time. */
  readonly sequence: number
  /** No number up to these is handed out again. */
  readonly lastRev: number
  readonly lastIno: number
}

/** A request is sent again for some seconds; so many other tabs do not come and write meanwhile. */
const maxClients = 256

export class ClientTable {
  /** Last carried out, last in order. */
  readonly #sequences: Map<string, number>

  constructor(entries: readonly (readonly [string, number])[] = []) {
    this.#sequences = new Map(entries)
  }

  /** 0 for who never had anything carried out. */
  lastOf(clientId: string): number {
    return this.#sequences.get(clientId) ?? 0
  }

  note({ clientId, sequence }: Mark): void {
    if (clientId === '') return
    this.#sequences.delete(clientId)
    this.#sequences.set(clientId, sequence)
    for (const oldest of this.#sequences.keys()) {
      if (this.#sequences.size <= maxClients) break
      this.#sequences.delete(oldest)
    }
  }

  get entries(): readonly (readonly [string, number])[] {
    return [...this.#sequences]
  }
}

export function writeMark(writer: ByteWriter, { clientId, sequence, lastRev, lastIno }: Mark): void {
  writer.text(clientId)
  writer.float64(sequence)
  writer.float64(lastRev)
  writer.float64(lastIno)
}

/** What is left of a record's facts; `undefined` if there is nothing. */
export function readMark(reader: ByteReader): Mark | undefined {
  if (reader.leftBytes === 0) return undefined
  return { clientId: reader.text(), sequence: reader.float64(), lastRev: reader.float64(), lastIno: reader.float64() }
}
