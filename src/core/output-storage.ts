// Where outputs go that memory has no room for. Sessions may name neither a database nor a directory, so the workspace brings one.

/** One session's place. Chunks are written once and read any number of times, by the number of their output and their place in it. */
export interface OutputStorage {
  put(outputId: number, chunkIndex: number, bytes: Uint8Array): Promise<void>
  /** `undefined` when it is not there (any more). */
  get(outputId: number, chunkIndex: number): Promise<Uint8Array | undefined>
  /** Forgets one output, of which `chunkCount` chunks were put at most. */
  remove(outputId: number, chunkCount: number): Promise<void>
  /** Forgets everything. Calling it twice is fine. */
  close(): Promise<void>
}

/** Opens a place for one session, when its first output no longer fits into memory. May reject: then memory is all there is. */
export type OpenOutputStorage = () => Promise<OutputStorage>
