// The last request of each other tab that was carried out. It is stored with the transaction that carried it out. So a request that is sent
// again, because its answer was lost with the tab that gave it, is never carried out twice. The mark follows the facts of the last record
// of a transaction, where older releases do not look.

import type { ByteReader, ByteWriter } from './bytes.ts'

export interface Mark {
  /** '' if the mark only reserves numbers. */
  readonly clientId: string
  /** The client's count of its requests. A client has one request in progress at a time. */
  readonly sequence: number
  /** Revision numbers up to this one are not handed out again. */
  readonly lastRev: number
  readonly lastIno: number
}

/** A request is sent again for a few seconds only. It is unlikely that more tabs than this write in that time. */
const maxClients = 256

export class ClientTable {
  /** In the order in which they were carried out. */
  readonly #sequences: Map<string, number>

  constructor(entries: readonly (readonly [string, number])[] = []) {
    this.#sequences = new Map(entries)
  }

  /** 0 for a client without a carried-out request. */
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

/** Reads the mark at the end of a record's facts; `undefined` if there is none. */
export function readMark(reader: ByteReader): Mark | undefined {
  if (reader.leftBytes === 0) return undefined
  return { clientId: reader.text(), sequence: reader.float64(), lastRev: reader.float64(), lastIno: reader.float64() }
}
