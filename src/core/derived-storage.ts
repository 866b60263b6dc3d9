// Where something that was computed from a filesystem's files waits until they are opened again. Filesystems implement it and sessions use
// it; neither may name a database, and what is kept must never be among the files themselves.

/** One piece of bytes. It is worth nothing without the files, and everything must go on without it: neither function ever rejects. */
export interface DerivedStorage {
  /** What was saved last, by any tab; `undefined` when there is nothing, or when it cannot be read. The caller owns the bytes. */
  load(): Promise<Uint8Array | undefined>
  /** Replaces it. False when there was no room for it; then what was there before may be gone. */
  save(bytes: Uint8Array): Promise<boolean>
}
