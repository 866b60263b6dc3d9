// Storage for outputs that do not fit into memory or that should outlive their page. Sessions do not depend on a database or a directory,
// so the workspace passes the storage in.

/** The storage of one session. Chunks are written once and can be read repeatedly, by the number of their output and their index. */
export interface OutputStorage {
  /** Stores one chunk. */
  put(outputId: number, chunkIndex: number, bytes: Uint8Array): Promise<void>
  /** `undefined` if it does not exist. */
  get(outputId: number, chunkIndex: number): Promise<Uint8Array | undefined>
  /** Removes one output, of which at most `chunkCount` chunks were stored. */
  remove(outputId: number, chunkCount: number): Promise<void>
  /**
   * Present if the storage can be opened again. After the call its contents outlive `close`, and the end of the page or process,
   * until newer storages need the space (`surplusPlaces`). Returns its name. `sizeBytes` is the current size of its contents.
   */
  readonly keep?: (sizeBytes: number) => Promise<string>
  /** Closes it, and removes everything unless it is kept and not to be forgotten. May be called twice. */
  close(options?: { readonly forget?: boolean }): Promise<void>
}

/** The place of an earlier session. */
export interface KeptPlace {
  readonly name: string
  /** Outputs from this number on are removed: the new session does not know them and reuses their numbers. */
  readonly nextOutputId: number
}

/**
 * Opens the storage for one session, when its first output no longer fits into memory or is to be kept. May reject; outputs are
 * then in memory only. With `kept`, opens exactly that storage or rejects, with `AnchorageError` `outputs-gone` if it was
 * removed, and `outputs-in-use` if another session has it open.
 */
export type OpenOutputStorage = (kept?: KeptPlace) => Promise<OutputStorage>

/** A kept place that is not open. */
export interface IdlePlace {
  readonly name: string
  /** In milliseconds since the epoch. */
  readonly keptAtMs: number
  readonly sizeBytes: number
}

const maxIdlePlaces = 16
const maxIdleBytes = 1024 * 1024 * 1024
const maxIdleMs = 30 * 24 * 60 * 60 * 1000

/** The places to remove: the oldest beyond 16 or beyond 1 GiB in total, and those that were not used for 30 days. */
export function surplusPlaces<T extends IdlePlace>(places: readonly T[], nowMs: number): readonly T[] {
  const newestFirst = places.toSorted((one, other) => other.keptAtMs - one.keptAtMs)
  let sizeBytes = 0
  return newestFirst.filter((place, index) => {
    sizeBytes += place.sizeBytes
    return index >= maxIdlePlaces || sizeBytes > maxIdleBytes || nowMs - place.keptAtMs > maxIdleMs
  })
}
