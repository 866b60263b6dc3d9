// Where outputs go that memory has no room for, and where they stay when they are to outlive their page. Sessions may name neither a
// database nor a directory, so the workspace brings one.

/** One session's place. Chunks are written once and read any number of times, by the number of their output and their place in it. */
export interface OutputStorage {
  /** Stores one chunk. */
  put(outputId: number, chunkIndex: number, bytes: Uint8Array): Promise<void>
  /** `undefined` when it is not there (any more). */
  get(outputId: number, chunkIndex: number): Promise<Uint8Array | undefined>
  /** Forgets one output, of which `chunkCount` chunks were put at most. */
  remove(outputId: number, chunkCount: number): Promise<void>
  /**
   * There where the place can be opened again: from now on what lies in it outlives `close`, and the end of the page or process, until
   * newer ones need the room (`surplusPlaces`). Gives its name. `sizeBytes` is what lies in it by now.
   */
  readonly keep?: (sizeBytes: number) => Promise<string>
  /** Lets go of it; forgets everything, unless it is kept and not to be forgotten. Calling it twice is fine. */
  close(options?: { readonly forget?: boolean }): Promise<void>
}

/** A place of a session before this one. */
export interface KeptPlace {
  readonly name: string
  /** Outputs from this number on are forgotten: whoever goes on does not know of them and gives their numbers anew. */
  readonly nextOutputId: number
}

/**
 * Opens a place for one session, when its first output no longer fits into memory or is to be kept. May reject: then memory is all there
 * is. With `kept` it opens that very place or rejects, with `AnchorageError` `outputs-gone` where it was removed, and `outputs-in-use` where
 * another session has it open.
 */
export type OpenOutputStorage = (kept?: KeptPlace) => Promise<OutputStorage>

/** A kept place that nobody has open. */
export interface IdlePlace {
  readonly name: string
  /** Since the epoch. */
  readonly keptAtMs: number
  readonly sizeBytes: number
}

export const maxIdlePlaces = 16
const maxIdleBytes = 1024 * 1024 * 1024
const maxIdleMs = 30 * 24 * 60 * 60 * 1000

/** Those that are to be removed: the oldest beyond 16, beyond 1 GiB together, and what was not used for 30 days. */
export function surplusPlaces<T extends IdlePlace>(places: readonly T[], nowMs: number): readonly T[] {
  const newestFirst = places.toSorted((one, other) => other.keptAtMs - one.keptAtMs)
  let sizeBytes = 0
  return newestFirst.filter((place, index) => {
    sizeBytes += place.sizeBytes
    return index >= maxIdlePlaces || sizeBytes > maxIdleBytes || nowMs - place.keptAtMs > maxIdleMs
  })
}
