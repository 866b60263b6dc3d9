// Storage for data that is computed from a filesystem's files, until they are opened again. Filesystems implement it and sessions use it.
// Neither depends on a database, and the data must never be among the files themselves.

/** One array of bytes. It is useless without the files, and everything must work without it: neither function ever rejects. */
export interface DerivedStorage {
  /** What was saved last, by any tab; `undefined` if there is nothing, or if it cannot be read. The caller owns the bytes. */
  load(): Promise<Uint8Array | undefined>
  /** Replaces it. False if there was no room for it; then the previous data may be lost. */
  save(bytes: Uint8Array): Promise<boolean>
}
