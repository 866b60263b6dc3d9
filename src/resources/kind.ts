// The port for everything except plain files that a path can name. A kind is a row of the table in `kinds.ts` and a folder that the row
// loads. The tools do not know kinds by name: they ask `session/resources.ts`, and it uses the table.
//
// How an address is opened, in this order:
//
// 1. A file or directory of exactly that name has priority over every kind.
// 2. The table shows from the text alone which kinds are possible: one of a kind's `prefixes` starts the address, or one of its `extensions`
// ends a part of it, at the end or before ':' or '?'. `b.zip:src/a.txt` is the file `b.zip` and the inner address `src/a.txt`;
// `d.sqlite?q=select 1` is the file `d.sqlite` and the inner address `?q=select 1`; the ':' between them belongs to neither.
// 3. Selectors (`:5-16`, `:raw`, `:conflicts`) may follow, and a name may look like one. So first the whole address is tried, then the
// address with one more selector removed each time. `open` returns `undefined` for an inner address that names nothing; then the next
// shorter one is tried. The first existing one wins; if there is none, `missing` makes the error for the shortest.
// 4. A file that is itself opened (an empty inner address) must also start as the kind requires (`claims`); otherwise it is a plain file.

import type { Details, ToolError } from '../core/errors.ts'
import type { Limits } from '../core/limits.ts'
import type { VfsPath } from '../core/path.ts'
import type { ReadRange, VfsSync } from '../vfs/backend.ts'
import type { PlannedWrite } from '../vfs/planned-write.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ResourceHost } from './host.ts'

/** A row of the table. It is part of the first read, so it contains only data and an import. */
export interface ResourceKind {
  /** The name in the `resources` list of a toolset's manifest. */
  readonly name: string
  /** Of file names: lower case, without the first dot (`tar.gz`). */
  readonly extensions?: readonly string[]
  /** Prefixes of addresses that are not files, in lower case: `https://`. `://` means every scheme that has no other row. */
  readonly prefixes?: readonly string[]
  /** Also offer files of any name that are not text to `claims`. */
  readonly isKnownByContent?: boolean
  readonly load: () => Promise<ResourceOpener>
}

/** How many bytes from the start of a file `claims` receives. */
export const claimedBytes = 1024

/** The functions that a kind's `kind.ts` exports under these names. They have no state: use `context.cache` for data to keep. */
export interface ResourceOpener {
  /** With `:raw`, a file of this kind is shown as a plain file. */
  readonly isPlainWhenRaw?: boolean
  /** Whether a file that starts like this is of the kind; `head` has up to `claimedBytes`. Absent: its name is enough. */
  claims?(head: Uint8Array, source: ResourceSource): boolean
  /**
   * `undefined` if the inner address names nothing, or may be a shorter one with a selector. Throws `ToolError` for content that exists and
   * cannot be opened (damaged, encrypted, too large), with the next step.
   */
  open(address: ResourceAddress, context: ResourceContext): Promise<Resource | undefined>
  /** The error for an address for which `open` returned nothing. Default: `ENOENT` with the address. */
  missing?(address: ResourceAddress, context: ResourceContext): Promise<ToolError>
  /**
   * What writing `content` to the address would change; empty content may mean a removal, which the kind decides. Absent: read-only.
   * `address.source` may be a file that is not there yet (`stored.rev` 0). It is called under the lock of the file, and nothing is written
   * before the plan is complete. Selectors are not taken off: the address is the name, all of it.
   */
  plan?(address: ResourceAddress, content: string, context: ResourceContext): Promise<WritePlan>
}

/** The bytes of a file of the workspace or of a member of another resource. Read only what is needed. */
export interface ResourceSource {
  /** The name that the model uses: `docs/a.zip`, `a.zip:report.pdf`. */
  readonly display: string
  readonly sizeBytes: number
  /** All of it, or a range. The caller owns the bytes. A file may change between two reads: compare `stored.rev` where that matters. */
  read(range?: ReadRange): Promise<Uint8Array>
  /** The same without a promise, if the filesystem can do that. */
  readonly readSync?: ((range?: ReadRange) => Uint8Array) | undefined
  /** The file of the workspace. `undefined` for content inside another resource, which cannot be written. */
  readonly stored?: StoredFile | undefined
}

export interface StoredFile {
  readonly path: VfsPath
  /** For `PlannedWrite.baseRev`; 0 if the file does not exist yet. */
  readonly rev: number
  readonly mode: number | undefined
}

export interface ResourceAddress {
  /** Without selectors, as shown to the model: `b.zip:src/a.txt`. */
  readonly text: string
  /** `undefined` for an address with a prefix. */
  readonly source: ResourceSource | undefined
  /** The text after the file and its ':' ('' for the file itself); with a prefix, the whole address. */
  readonly inner: string
}

/** What a kind may use. The files are those that the call may see, under its policy. */
export interface ResourceContext {
  readonly files: Pick<Vfs, 'lstat' | 'readFile' | 'readdir'> & { readonly sync?: Pick<VfsSync, 'lookup' | 'read'> }
  /** The workspace's directory, a real path. */
  readonly root: VfsPath
  /** The path resolver: follows symlinks, refuses paths that lead outside. `undefined` if nothing is there. Throws `ToolError`. */
  resolve(path: string): Promise<ResourceSource | undefined>
  /** The real path of a directory. Throws `ToolError`. */
  resolveDirectory(path: string): Promise<VfsPath | undefined>
  readonly limits: Limits
  /** Milliseconds. */
  readonly clock: () => number
  /** Aborts when the result is no longer needed. Check it in every loop over outside data. */
  readonly signal: AbortSignal
  readonly host: ResourceHost
  /** Stores a text that was cut, and returns the address for reading it. */
  keep(title: string, text: string): string
  /** For data to keep between the calls of a session, by `name` and source; the least recently used is dropped first. */
  readonly cache: ResourceCache
}

/** Limited by `limits.snapshotMaxBytes`. May drop entries at any time. */
export interface ResourceCache {
  get(key: string): unknown
  set(key: string, value: unknown, sizeBytes: number): void
}

interface ResourceShape {
  /** A name that the model can use in a later call. */
  readonly display: string
  /** Goes into `details`: `meta.source` is the kind's name unless given here. */
  readonly details?: Details
  /** Sentences for the model, shown at the end in brackets: what was left out, and how to read it. */
  readonly notes?: readonly string[]
  /**
   * The parts that a search reads and find lists, in order. Absent: the text is the only one. Each is opened only when it is needed, so a
   * resource with many members needs no memory for all of them.
   */
  members?(): AsyncIterable<ResourceMember>
}

/** The opened resource behind an address. */
export type Resource =
  /** Read-only lines, from which selectors choose. */
  | (ResourceShape & {
      readonly kind: 'text'
      readonly text: string
      /** What messages call the owner of the lines; default `resource`. */
      readonly noun?: 'document' | 'resource'
      /** Shown instead of the text if nothing is selected, because the kind shortened it. */
      readonly unselected?: string
      /** With `:raw`. */
      readonly rawText?: string
    })
  /** The text of a file as it is shown and edited, under a tag. */
  | (ResourceShape & {
      readonly kind: 'projection'
      readonly text: string
      /** The bytes for a changed text, and the text to show from then on. Throws `ToolError`. */
      readonly restore: (text: string) => { readonly bytes: Uint8Array; readonly text: string }
    })
  /** Names of children, directories with '/', in order. `total` includes those that are left out. */
  | (ResourceShape & { readonly kind: 'entries'; readonly names: readonly string[]; readonly total: number })
  /** Content that is shown like a file with that name: as a picture, a document or text. */
  | (ResourceShape & { readonly kind: 'content'; readonly source: ResourceSource })
  /** A picture in one of the formats that models take. */
  | (ResourceShape & { readonly kind: 'image'; readonly bytes: Uint8Array; readonly mimeType: string; readonly text: string })
  /** Another name of a file or directory of the workspace, which is then opened. `isPlain`: shown without a tag, and read-only. */
  | (ResourceShape & { readonly kind: 'path'; readonly path: string; readonly isPlain: boolean })

export interface ResourceMember {
  /** As read opens it: `b.zip:src/a.txt`. */
  readonly display: string
  /** Relative to the listed address, for globs: `src/a.txt`. */
  readonly name: string
  readonly isDirectory: boolean
  readonly mtimeMs?: number | undefined
  /** The lines to search, as a string or in UTF-8; `undefined` for content that is not text. Throws `ToolError` if it cannot be opened; the others are searched. */
  text?(): Promise<string | Uint8Array | undefined>
}

/** The effect of a write. */
export type WritePlan =
  | {
      readonly kind: 'files'
      /** Of the same commit: all or nothing. */
      readonly writes: readonly PlannedWrite[]
      /** The result as a sentence: `Wrote b.zip:a.txt (12 bytes).` */
      readonly summary: string
      readonly details?: Details
    }
  /** Content that is not among the files. */
  | { readonly kind: 'elsewhere'; readonly write: () => Promise<void>; readonly summary: string; readonly details?: Details }
  /** Another name of a file, which is then written. */
  | { readonly kind: 'path'; readonly path: string }
