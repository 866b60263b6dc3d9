// Storage for numbered records that belong to a filesystem's files but are not among them, such as a history. Filesystems implement it; the
// history uses it. Records outlive the page if the files do.

/** A record: a short head, which is read when the storage opens, and a body, which is read when it is needed. */
export interface NumberedRecord {
  readonly number: number
  readonly head: string
  readonly body: Uint8Array
}

/** Keeps records. Everything must work without it, so no function rejects; what fails is reported by the filesystem. */
export interface RecordStorage {
  /** The heads of all records by number, ascending. */
  heads(): Promise<readonly (readonly [number: number, head: string])[]>
  /** `undefined` if there is none, or if it cannot be read. The caller owns the bytes. */
  body(number: number): Promise<Uint8Array | undefined>
  /** Adds and removes records in one step. False if there was no room or another failure; then nothing was changed. */
  change(added: readonly NumberedRecord[], removed: readonly number[]): Promise<boolean>
  /** Resolves after a moment, so that what happens together is written together. */
  pause(): Promise<void>
}
