// What the log's files become where there are no synchronous file handles: numbered blocks in a database that answers later. A file is
// its blocks in order; all but the last are full, so sizes need no books of their own.

/** Small, because the last one is stored again with each commit, which costs room as well as time while the disk is full. */
export const blockBytes: number = 8 * 1024

export interface FileBlocks {
  readonly file: number
  readonly blocks: readonly Uint8Array[]
}

/** How one file differs from what is stored of it. */
export interface FileChange {
  readonly file: number
  /** These blocks go; `until` is that of the last one and one more, behind which none are stored. */
  readonly drop: { readonly from: number; readonly until: number } | undefined
  /** Blocks that are new or longer, after that. Their bytes are never changed. */
  readonly puts: readonly { readonly index: number; readonly bytes: Uint8Array }[]
}

export interface BlockStore {
  load(): Promise<readonly FileBlocks[]>
  /**
   * All of it or nothing, and after every commit before it. `isStrict`: it survives the loss of power, and so does what came before it.
   * Rejects as the platform does (`QuotaExceededError`), and with `VfsError` EBUSY when somebody else has opened the store since.
   */
  commit(changes: readonly FileChange[], isStrict: boolean): Promise<void>
  /** Calling it twice is fine. */
  close(): void
}
