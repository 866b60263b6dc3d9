// Storage for data that is computed from a filesystem's files, until they are opened again. Filesystems implement it and sessions use it.
// Neither depends on a database, and the data must never be among the files themselves.

/** Storage for one byte array. The data is useless without the files and never required, so neither function rejects. */
export interface DerivedStorage {
  /** Returns the data that was saved last, by any tab. `undefined` if there is none, or if it cannot be read. The caller owns the bytes. */
  load(): Promise<Uint8Array | undefined>
  /** Replaces the data. Returns false if there was not enough space; the previous data may then be lost. */
  save(bytes: Uint8Array): Promise<boolean>
}
