// What a host decides about atomic's search, for one session.

export interface SearchOptions {
  /** Rows shown before a match; default 1. */
  readonly contextBefore?: number
  /** Rows shown after a match; default 3. */
  readonly contextAfter?: number
  /** Matching files by path (the default), or with `recent` those first that were changed last. */
  readonly rank?: 'path' | 'recent'
}

export type SearchSettings = Required<SearchOptions>

export function searchSettings({ contextBefore = 1, contextAfter = 3, rank = 'path' }: SearchOptions = {}): SearchSettings {
  return { contextBefore, contextAfter, rank }
}
