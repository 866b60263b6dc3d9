// How the log's files are stored where there are no synchronous file handles: as numbered blocks in an asynchronous database. A file is its
// blocks in order. All blocks but the last are full, so the size of a file follows from its blocks.

/** Small, because each commit stores the last block again, which costs time, and also space while the disk is full. */
export const blockBytes: number = 8 * 1024

export interface FileBlocks {
  readonly file: number
  readonly blocks: readonly Uint8Array[]
}

/** The difference between a file and its stored blocks. */
export interface FileChange {
  readonly file: number
  /** Blocks to remove. `until` is exclusive; no blocks are stored at or after it. */
  readonly drop: { readonly from: number; readonly until: number } | undefined
  /** Blocks that are new or longer, written after `drop`. Their bytes are never changed. */
  readonly puts: readonly { readonly index: number; readonly bytes: Uint8Array }[]
}

export interface BlockStore {
  load(): Promise<readonly FileBlocks[]>
  /**
   * Stores all changes or none, after every earlier commit. With `isStrict` this commit and all earlier ones survive a loss of power.
   * Rejects as the platform does (`QuotaExceededError`), and with `VfsError` EBUSY when another owner has opened the store since.
   */
  commit(changes: readonly FileChange[], isStrict: boolean): Promise<void>
  /** May be called twice. */
  close(): void
}
