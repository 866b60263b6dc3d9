// Options of a host for atomic's search in one session.

export interface SearchOptions {
  /** Rows shown before a match; default 1. */
  readonly contextBefore?: number
  /** Rows shown after a match; default 3. */
  readonly contextAfter?: number
  /** Order of matching files: by path (the default), or with `recent` the last changed first. */
  readonly rank?: 'path' | 'recent'
}

export type SearchSettings = Required<SearchOptions>

export function searchSettings({ contextBefore = 1, contextAfter = 3, rank = 'path' }: SearchOptions = {}): SearchSettings {
  return { contextBefore, contextAfter, rank }
}
