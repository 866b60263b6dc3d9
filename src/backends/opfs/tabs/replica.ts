// The follower's copy of the tree. It is always a state that was committed, and never ahead of the leader.

import type { SizedLru } from '../../../core/lru.ts'
import type { VfsPath } from '../../../core/path.ts'
import { patchedContent } from '../../../vfs/patch.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import { fileNodesOf } from '../../../vfs/tree/file-nodes.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { originInTab } from '../../../vfs/origin.ts'
import { treePrimitives } from '../../../vfs/tree/primitives.ts'
import { readingPrimitives, refusedPrimitives } from '../../../vfs/readonly.ts'
import { createStamps } from '../../../vfs/tree/stamps.ts'
import type { TreeStore } from '../../../vfs/tree/store.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import { type LeaderMessage, sentBytes } from './messages.ts'
import { publishEdits } from './publish.ts'
import { followingFeed, type FollowingFeed } from './following-feed.ts'
import { type LeasedStamps, leasedStamps } from './leased-stamps.ts'
import { type Fetch, isMissing, pieceBytes, recentContents, RemoteContent } from './remote-content.ts'
import { contentAt } from './request-contents.ts'
import { decodeEdit, type WireFile } from './wire-edits.ts'
import { decodeTree, type Row, type TreeFacts } from './wire-tree.ts'

/** If all contents of a tree have at most this size together, each tab keeps all of them. */
export const keptBytes: number = 128 * 1024 * 1024
/** The number of contents in one message. */
const maxFetched = 256

export type Commit = LeaderMessage & { readonly kind: 'commit' }

export interface ReplicaOptions {
  /** The ID of this tab: its own changes are reported without an origin. */
  readonly clientId: string
  readonly clock: () => number
  readonly fetch: Fetch
  readonly keptBytes?: number
}

export class Replica {
  readonly tree: Tree
  readonly stamps: LeasedStamps
  readonly feed: FollowingFeed
  /** For reading only; writes go to the leader. */
  readonly store: TreeStore
  /** The last transaction in the tree; -1 before the first tree arrives. */
  transaction = -1
  readonly #options: ReplicaOptions
  #bringing: Promise<void> | undefined
  #isWhole = true
  readonly #recent: SizedLru<RemoteContent, true> = recentContents()

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.stamps = leasedStamps(options.clock)
    this.tree = Tree.empty(createStamps(options.clock))
    this.feed = followingFeed()
    const { tree, stamps, feed } = this
    const fs = { ...readingPrimitives(treePrimitives(tree, stamps, () => {})), ...refusedPrimitives }
    this.store = { tree, stamps, feed, fs, as: () => this.store }
  }

  /** Starts again from a tree that the leader sent. Contents that are already here are kept. */
  reset(transaction: number, seq: number, facts: TreeFacts, pages: readonly (readonly Row[])[]): void {
    const known = new Map<number, FileContent>()
    for (const { ino, bytes } of fileNodesOf(this.tree)) known.set(ino, bytes)
    this.tree.become(
      new Tree(
        decodeTree(pages, facts, (ino, lengthBytes, path) => {
          this.stamps.sawIno(ino)
          return known.get(ino) ?? this.#remote(ino, lengthBytes, path)
        }),
      ),
    )
    this.transaction = transaction
    this.feed.skipTo(seq)
  }

  /** Applies the next commit. `own` holds contents that this tab sent, by inode number. */
  apply(commit: Commit, own: ReadonlyMap<number, FileContent>): void {
    const { transaction, origin, by, isTogether, edits: wires } = commit
    const contentOf = ({ content, ino }: WireFile, path: Edit['path']): FileContent => {
      const sent = own.get(ino)
      if (sent !== undefined) return sent
      switch (content.is) {
        case 'bytes':
          return content.bytes
        case 'same':
          return this.#contentAt(path)
        case 'changed': {
          const { at, bytes } = content
          const before = this.#contentAt(path)
          const length = Math.max(before.length, at + bytes.length)
          const isHere = !isMissing(before) && (this.isKeepingAll || length <= sentBytes.each)
          return isHere ? patchedContent(before, bytes, at) : this.#remote(ino, length, path)
        }
        case 'sent':
        case 'elsewhere':
          return this.#remote(ino, content.length, path)
      }
    }
    const edits: Edit[] = []
    for (const wire of wires) {
      const edit = decodeEdit(wire, contentOf)
      if (edit.kind === 'put') this.stamps.sawIno(edit.node.ino)
      this.tree.apply(edit)
      edits.push(edit)
    }
    this.transaction = transaction
    publishEdits(this.feed, edits, isTogether, origin === this.#options.clientId ? by : originInTab(origin, by))
  }

  #contentAt(path: VfsPath): FileContent {
    const content = contentAt(this.tree, path)
    if (content === undefined) throw new Error(`a commit refers to ${path}, which does not exist`)
    return content
  }

  get isKeepingAll(): boolean {
    return this.tree.contentBytes <= (this.#options.keptBytes ?? keptBytes)
  }

  /** Whether every content is here, or the tree is too large for that. */
  get isWhole(): boolean {
    return this.#isWhole || !this.isKeepingAll
  }

  /** Fetches missing contents, if the tree is small enough to be kept whole. Rejects with `VfsError`. */
  bringContents(): Promise<void> {
    this.#bringing ??= this.#bringContents().finally(() => {
      this.#bringing = undefined
    })
    return this.#bringing
  }

  async #bringContents(): Promise<void> {
    for (;;) {
      if (!this.isKeepingAll) return
      const missing: RemoteContent[] = []
      for (const { bytes } of fileNodesOf(this.tree)) {
        if (isMissing(bytes)) missing.push(bytes)
      }
      if (missing.length === 0) {
        this.#isWhole = true
        return
      }
      const before = missing.length
      for (const bundle of bundles(missing)) {
        const [first] = bundle
        if (bundle.length === 1 && first !== undefined && first.length > pieceBytes) {
          await first.load()
          continue
        }
        const wanted = bundle.map(({ path, ino, length }) => ({ path, ino, start: 0, end: length }))
        const found = await this.#options.fetch(wanted)
        for (const [index, content] of bundle.entries()) {
          const bytes = found[index]
          if (bytes?.length === content.length) content.put(bytes)
        }
      }
      // Contents that the leader no longer has will soon leave this tree too.
      if (Array.from(fileNodesOf(this.tree)).filter(({ bytes }) => isMissing(bytes)).length >= before) return
    }
  }

  #remote(ino: number, lengthBytes: number, path: VfsPath): RemoteContent {
    const { fetch } = this.#options
    if (lengthBytes > 0) this.#isWhole = false
    return new RemoteContent(ino, lengthBytes, path, { fetch, isKeepingAll: () => this.isKeepingAll, recent: this.#recent })
  }
}

function* bundles(contents: readonly RemoteContent[]): Generator<readonly RemoteContent[], void> {
  let bundle: RemoteContent[] = []
  let sizeBytes = 0
  for (const content of contents) {
    if (bundle.length > 0 && (sizeBytes + content.length > pieceBytes || bundle.length >= maxFetched)) {
      yield bundle
      bundle = []
      sizeBytes = 0
    }
    bundle.push(content)
    sizeBytes += content.length
  }
  if (bundle.length > 0) yield bundle
}
