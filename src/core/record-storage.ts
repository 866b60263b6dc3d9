// Storage for numbered records that belong to a filesystem's files but are not among them, such as a history. Filesystems implement it; the
// history uses it. Records outlive the page if the files do.

/** A record: a short head, which is read when the storage opens, and a body, which is read when it is needed. */
export interface NumberedRecord {
  readonly number: number
  readonly head: string
  readonly body: Uint8Array
}

/** Stores records. They are never required, so no function rejects; the filesystem reports errors. */
export interface RecordStorage {
  /** The heads of all records by number, ascending. */
  heads(): Promise<readonly (readonly [number: number, head: string])[]>
  /** Returns `undefined` if the record does not exist or cannot be read. The caller owns the bytes. */
  body(number: number): Promise<Uint8Array | undefined>
  /** Adds and removes records atomically. Returns false after an error, such as a lack of space, without having changed anything. */
  change(added: readonly NumberedRecord[], removed: readonly number[]): Promise<boolean>
  /** Resolves after a short time, so that related changes are written together. */
  pause(): Promise<void>
}
