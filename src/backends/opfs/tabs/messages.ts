// The messages between tabs of one store. All of them are plain data. The leader is the one tab that has the files open. The others are
// followers: they hold the tree as it was committed last, and ask the leader to commit.

import type { VfsPath } from '../../../core/path.ts'
import type { Basis } from '../../../vfs/tree/basis.ts'
import type { NumberLease } from '../log/open.ts'
import type { WireEdit } from './wire-edits.ts'
import type { Row, TreeFacts } from './wire-tree.ts'

/** Tabs may run different releases of this package. Releases with different protocols ignore each other. */
export const protocolVersion = 1

/**
 * Contents up to `each` bytes, and `together` bytes of them in all, are sent with a commit. A tab fetches larger ones when it reads them.
 */
export const sentBytes: { readonly each: number; readonly together: number } = { each: 1024 * 1024, together: 8 * 1024 * 1024 }

interface Spoken {
  readonly protocol: typeof protocolVersion
  /** The tab that sent the message. */
  readonly from: string
}

/** A part of a content. `path` is the file's path as far as the asking tab knows, and `ino` with the offsets identifies the content. */
export interface Wanted {
  readonly path: VfsPath
  readonly ino: number
  readonly start: number
  readonly end: number
}

/** Where the files are, and a sentence about it for the user. */
export interface Place {
  readonly storage: 'opfs' | 'indexeddb'
  readonly message: string
}

/** A failed operation as data. */
export interface Refusal {
  readonly code: string
  readonly syscall: string
  readonly path?: string
  readonly hint?: string
}

export type Outcome =
  | { readonly is: 'done'; /** In which transaction, or in one before it. */ readonly transaction: number }
  /** Nothing was changed and nothing will be. `transaction` is the state that the decision was based on. */
  | { readonly is: 'refused'; readonly transaction: number; readonly refusal: Refusal }
  /** The request came too late: nothing was changed and nothing will be. */
  | { readonly is: 'expired' }
  /** A part of the request is missing; send it again. */
  | { readonly is: 'incomplete' }

/** One transaction that a follower requests. A follower has one request in progress at a time. */
export interface Request {
  readonly sequence: number
  /** The number of `part` messages before it. */
  readonly partCount: number
  /** In milliseconds since 1970. After this time the request is not carried out, because its caller was told that it expired. */
  readonly expiresAtMs: number
  readonly edits: readonly WireEdit[]
  /** Whether watchers receive the edits together. Otherwise they are separate operations and are reported one by one. */
  readonly isTogether: boolean
  /** Who in that tab asks; see `Change`. */
  readonly origin?: string
  readonly basis: readonly Basis[]
  readonly expect: readonly (readonly [VfsPath, number])[]
}

export type FollowerMessage = Spoken &
  (
    | {
        readonly kind: 'hello'
        /** The last transaction that it knows, and of which leader; -1 for none. */
        readonly transaction: number
        readonly knownEpoch: number
        /** Its lease of numbers is nearly used up. */
        readonly needsNumbers: boolean
        /** Commits may hold changes of contents. Missing from older releases. */
        readonly takesChanges?: true
      }
    /** Sent regularly to show that the follower is still there. */
    | { readonly kind: 'ping' }
    | { readonly kind: 'part'; readonly sequence: number; readonly index: number; readonly bytes: Uint8Array }
    | { readonly kind: 'request'; readonly request: Request }
    | { readonly kind: 'fetch'; readonly id: number; readonly wanted: readonly Wanted[] }
    | { readonly kind: 'flush'; readonly id: number }
  )

export type LeaderMessage = Spoken & {
  /** Each leader has a higher epoch than the previous one. */
  readonly epoch: number
} & (
    | { readonly kind: 'leading' }
    /** This tab does not share its store. */
    | { readonly kind: 'private' }
    | {
        readonly kind: 'welcome'
        readonly transaction: number
        /** The number of the last change. */
        readonly seq: number
        /** This follower's last request that was carried out. */
        readonly sequence: number
        /** Missing from older releases, which share only stores in OPFS. */
        readonly place?: Place
        readonly lease?: NumberLease
        /** Requests may hold changes of contents. Missing from older releases. */
        readonly takesChanges?: true
        /** Announces the tree that follows in `rows` messages; absent if the follower has it. */
        readonly tree?: { readonly facts: TreeFacts; readonly pageCount: number }
      }
    | { readonly kind: 'rows'; readonly transaction: number; readonly index: number; readonly rows: readonly Row[] }
    | { readonly kind: 'pong'; readonly transaction: number }
    | {
        readonly kind: 'commit'
        readonly transaction: number
        /** The tab that made the change, and who made it in that tab. */
        readonly origin: string
        readonly by?: string
        readonly isTogether: boolean
        readonly edits: readonly WireEdit[]
      }
    | { readonly kind: 'answer'; readonly sequence: number; readonly outcome: Outcome }
    | { readonly kind: 'contents'; readonly id: number; readonly found: readonly (Uint8Array | undefined)[] }
    | { readonly kind: 'flushed'; readonly id: number; readonly refusal?: Refusal }
  )

export type Message = FollowerMessage | LeaderMessage

/** A message without its sender. */
export type Unsigned<M extends Message> = M extends Message ? Omit<M, 'protocol' | 'from'> : never

const kinds: ReadonlySet<unknown> = new Set([
  'hello',
  'ping',
  'part',
  'request',
  'fetch',
  'flush',
  'leading',
  'private',
  'welcome',
  'rows',
  'pong',
  'commit',
  'answer',
  'contents',
  'flushed',
] satisfies readonly Message['kind'][])

/** Accepts messages of this protocol only. Only pages of this origin can send here, so the contents of a message are trusted. */
export function parseMessage(data: unknown): Message | undefined {
  if (typeof data !== 'object' || data === null || !('protocol' in data && 'kind' in data && 'from' in data)) return undefined
  if (data.protocol !== protocolVersion || !kinds.has(data.kind) || typeof data.from !== 'string') return undefined
  return data as Message
}

export function isFromLeader(message: Message): message is LeaderMessage {
  return 'epoch' in message
}
