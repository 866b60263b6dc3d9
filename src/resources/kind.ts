// The port of everything that a path can name beside a plain file. A kind is a row of the table in `kinds.ts` and a folder that the row
// loads. The tools know no kind by name: they ask `session/resources.ts`, and it asks the table.
//
// How an address is opened, in this order:
//
// 1. A file or directory of exactly that name has priority over every kind.
// 2. The table says from the text alone which kinds may be meant: a kind's `prefixes` begin the address, or one of its `extensions` ends
//    a part of it that is followed by nothing, ':' or '?'. `b.zip:src/a.txt` is the file `b.zip` and the inner address `src/a.txt`;
//    `d.sqlite?q=select 1` is the file `d.sqlite` and the inner address `?q=select 1`; the ':' between them belongs to neither.
// 3. Selectors (`:5-16`, `:raw`, `:conflicts`) may follow, and what looks like one may be part of a name. So the address is tried whole
//    first, then with one selector taken off each time. `open` gives `undefined` for an inner address that names nothing, and the next
//    shorter one is tried. The first that is there wins; when none is, `missing` words the error for the shortest.
// 4. A file that is opened for itself (an empty inner address) must also begin as the kind says (`claims`); else it is a plain file.

import type { Details, ToolError } from '../core/errors.ts'
import type { Limits } from '../core/limits.ts'
import type { VfsPath } from '../core/path.ts'
import type { ReadRange, VfsSync } from '../vfs/backend.ts'
import type { PlannedWrite } from '../vfs/planned-write.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ResourceHost } from './host.ts'

/** A row of the table. It is part of the first read, so it is data and an import, nothing else. */
export interface ResourceKind {
  /** What a toolset's manifest lists under `resources`. */
  readonly name: string
  /** Of file names: lower case, without the first dot (`tar.gz`). */
  readonly extensions?: readonly string[]
  /** Prefixes of addresses that are not files, in lower case: `https://`. `://` means every scheme that has no other row. */
  readonly prefixes?: readonly string[]
  /** A file of any name that is no text is offered to `claims` too. */
  readonly isKnownByContent?: boolean
  readonly load: () => Promise<ResourceOpener>
}

/** How many bytes from the start of a file `claims` gets to see. */
export const claimedBytes = 1024

/** The functions that a kind's `kind.ts` exports under these names. They have no state: use `context.cache` for data to keep. */
export interface ResourceOpener {
  /** With `:raw` a file of this kind is shown as the plain file that it is. */
  readonly isPlainWhenRaw?: boolean
  /** Whether a file that begins like this is of the kind; `head` has up to `claimedBytes`. Absent: its name is enough. */
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
  /** As the model knows it: `docs/a.zip`, `a.zip:report.pdf`. */
  readonly display: string
  readonly sizeBytes: number
  /** All of it, or a range. The caller owns the bytes. A file may change between two reads: compare `stored.rev` where that matters. */
  read(range?: ReadRange): Promise<Uint8Array>
  /** The same at once, where the filesystem can. */
  readonly readSync?: ((range?: ReadRange) => Uint8Array) | undefined
  /** The file of the workspace. `undefined` for content inside something else, which cannot be written. */
  readonly stored?: StoredFile | undefined
}

export interface StoredFile {
  readonly path: VfsPath
  /** For `PlannedWrite.baseRev`; 0 if the file does not exist yet. */
  readonly rev: number
  readonly mode: number | undefined
}

export interface ResourceAddress {
  /** Without selectors, as it is shown: `b.zip:src/a.txt`. */
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
  /** A name that the model can use again. */
  readonly display: string
  /** Goes into `details`: `meta.source` is the kind's name unless given here. */
  readonly details?: Details
  /** Sentences for the model, shown below in brackets: what was left out, and how to get it. */
  readonly notes?: readonly string[]
  /**
   * What a search goes through and find lists, in order. Absent: the text is the only one. Each is opened only when it is reached, so a
   * resource of many members needs no memory for all of them.
   */
  members?(): AsyncIterable<ResourceMember>
}

/** What an address names, once it is open. */
export type Resource =
  /** Read-only lines; selectors choose among them. */
  | (ResourceShape & {
      readonly kind: 'text'
      readonly text: string
      /** What the lines belong to in messages; default `resource`. */
      readonly noun?: 'document' | 'resource'
      /** Shown in place of the text where nothing is selected, because the kind cut it itself. */
      readonly unselected?: string
      /** With `:raw`. */
      readonly rawText?: string
    })
  /** The text that a file is shown and edited as, under a tag. */
  | (ResourceShape & {
      readonly kind: 'projection'
      readonly text: string
      /** The bytes for a changed text, and the text that they are shown as from then on. Throws `ToolError`. */
      readonly restore: (text: string) => { readonly bytes: Uint8Array; readonly text: string }
    })
  /** Names of children, directories with '/', already in order. `total` counts those left out too. */
  | (ResourceShape & { readonly kind: 'entries'; readonly names: readonly string[]; readonly total: number })
  /** Content as it is: shown as a picture, a document or text, as a file of that name would be. */
  | (ResourceShape & { readonly kind: 'content'; readonly source: ResourceSource })
  /** A picture in one of the formats that models take. */
  | (ResourceShape & { readonly kind: 'image'; readonly bytes: Uint8Array; readonly mimeType: string; readonly text: string })
  /** Another name of a file or directory of the workspace, and then as if it had been named. `isPlain`: shown without tag, and not written. */
  | (ResourceShape & { readonly kind: 'path'; readonly path: string; readonly isPlain: boolean })

export interface ResourceMember {
  /** As read opens it: `b.zip:src/a.txt`. */
  readonly display: string
  /** Below what was listed, for globs: `src/a.txt`. */
  readonly name: string
  readonly isDirectory: boolean
  readonly mtimeMs?: number | undefined
  /** The lines to search; `undefined` for what is no text. Throws `ToolError` for one that cannot be opened; the others are searched. */
  text?(): Promise<string | undefined>
}

/** What a write would do. */
export type WritePlan =
  | {
      readonly kind: 'files'
      /** Of the same commit: all or nothing. */
      readonly writes: readonly PlannedWrite[]
      /** What was done, as a sentence: `Wrote b.zip:a.txt (12 bytes).` */
      readonly summary: string
      readonly details?: Details
    }
  /** What lies outside of the files. */
  | { readonly kind: 'elsewhere'; readonly write: () => Promise<void>; readonly summary: string; readonly details?: Details }
  /** Another name of a file, and then as if it had been named. */
  | { readonly kind: 'path'; readonly path: string }
