// The files as tools see them while editors are open: an unsaved text in place of the file. A write to an open file changes the editor's
// text by what differs, and is stored as the host's rules say. Everything else is the filesystem's.

import { joinBytes } from '../core/bytes.ts'
import type { Attribution } from '../core/actor.ts'
import { dirname, basename, isInside, type VfsPath } from '../core/path.ts'
import { asynchronous } from '../vfs/asynchronous.ts'
import type {
  Attributes,
  BatchOptions,
  Dirent,
  ReadRange,
  Snapshot,
  Stat,
  VfsBackend,
  VfsSync,
  VfsTransaction,
  WriteOptions,
} from '../vfs/backend.ts'
import { statIfAny } from '../vfs/derived/exists.ts'
import { VfsError } from '../vfs/error.ts'
import { callWaiting, forwarded, mapWaiting, primitiveNames, type Waiting } from '../vfs/port.ts'
import { call, runNow, runWaiting, type Primitives, type Steps } from '../vfs/steps.ts'
import type { BufferDocument } from './document.ts'
import { decodeEditorText, type EditorText } from './editor-text.ts'
import type { BufferHub } from './hub.ts'
import { isShown, shownBytes, shownStat } from './shown.ts'

/** Which open files a call has seen and changed; its result says so. */
export interface BufferTraces {
  readonly read: Set<VfsPath>
  readonly changed: Set<VfsPath>
}

/** A write to an open file that takes effect when its batch is committed. */
interface Staged {
  readonly document: BufferDocument
  readonly version: number
  readonly before: EditorText
  readonly content: EditorText
  readonly bytes: Uint8Array
  stat: Stat
  /** On disk too. */
  readonly isStored: boolean
  readonly release: () => void
}

/** The changes of one batch, or of one primitive by itself. */
class Draft {
  readonly staged = new Map<VfsPath, Staged>()
  /** Paths that were removed or moved, with all below: there the batch sees the filesystem. */
  readonly left: VfsPath[] = []

  hides(path: VfsPath): boolean {
    return this.left.some(left => isInside(path, left))
  }
}

/** `backend` as the tools of one call see it. It has no `fork` and no `diff`, because those would be of the files on disk. */
export function bufferedBackend(
  backend: VfsBackend,
  hub: BufferHub,
  traces: BufferTraces,
  by: Attribution | undefined,
): VfsBackend {
  const view = new View(hub, traces, by)
  const { sync, batch, snapshot, watch, usage, capsAt, mountPoints, as, derived } = backend
  const ownSync = sync === undefined ? undefined : view.now(sync)
  return {
    ...(ownSync === undefined ? view.waiting(backend) : { ...asynchronous(ownSync), sync: ownSync }),
    caps: backend.caps,
    ...(capsAt === undefined ? {} : { capsAt: path => capsAt.call(backend, path) }),
    ...(mountPoints === undefined ? {} : { mountPoints }),
    ...(batch === undefined
      ? {}
      : { batch: (work, options) => view.batch(batch.bind(backend), work, options) as ReturnType<typeof batch<never>> }),
    ...(snapshot === undefined ? {} : { snapshot: () => view.snapshot(snapshot.call(backend)) }),
    ...(watch === undefined ? {} : { watch: (path, listener, options) => watch.call(backend, path, listener, options) }),
    ...(usage === undefined ? {} : { usage: () => usage.call(backend) }),
    ...(as === undefined ? {} : { as: origin => bufferedBackend(as.call(backend, origin), hub, traces, by) }),
    ...(derived === undefined ? {} : { derived }),
    flush: () => backend.flush(),
    close: () => backend.close(),
  }
}

class View {
  readonly #hub: BufferHub
  readonly #traces: BufferTraces
  readonly #by: Attribution | undefined

  constructor(hub: BufferHub, traces: BufferTraces, by: Attribution | undefined) {
    this.#hub = hub
    this.#traces = traces
    this.#by = by
  }

  /** The primitives of a synchronous backend; with a draft, those of a transaction. */
  now(sync: VfsSync, draft?: Draft): VfsSync {
    const on = { sync }
    return {
      ...forwarded(primitiveNames, () => sync),
      lookup: (path, options) => runNow(this.#lookup(on, draft, path, options)),
      list: path => runNow(this.#list(on, draft, path)),
      read: (path, range) => runNow(this.#read(on, draft, path, range)),
      write: (path, data, options) => runNow(this.#write(on, draft, path, data, options)),
      setattr: (path, attributes) => runNow(this.#setattr(on, draft, path, attributes)),
      remove(path, kind) {
        sync.remove(path, kind)
        draft?.left.push(path)
        draft?.staged.delete(path)
      },
      rename(from, to, options) {
        sync.rename(from, to, options)
        draft?.left.push(from, to)
      },
    }
  }

  waiting(backend: VfsBackend): Waiting {
    return {
      ...mapWaiting(primitiveNames, (name, args) => callWaiting(backend, name, args)),
      lookup: (path, options) => runWaiting(this.#lookup(backend, undefined, path, options)),
      list: path => runWaiting(this.#list(backend, undefined, path)),
      read: (path, range) => runWaiting(this.#read(backend, undefined, path, range)),
      write: (path, data, options) => runWaiting(this.#write(backend, undefined, path, data, options)),
      setattr: (path, attributes) => runWaiting(this.#setattr(backend, undefined, path, attributes)),
    }
  }

  async batch<T>(
    batch: NonNullable<VfsBackend['batch']>,
    work: (transaction: VfsTransaction) => T | Promise<T>,
    options: BatchOptions = {},
  ): Promise<T> {
    const draft = new Draft()
    const expect = new Map(options.expect)
    const expected = new Map<BufferDocument, number>()
    for (const [path, rev] of expect) {
      const document = this.#hub.at(path)
      if (document === undefined) continue
      expect.set(path, this.#basis(document, path, rev))
      // What is on disk is at odds with the text already, and is not written.
      if (document.conflict !== undefined && isShown(document)) expect.delete(path)
      expected.set(document, document.version)
    }
    try {
      const result = await batch(
        async transaction => {
          const done = await work(this.now(transaction, draft))
          for (const [document, version] of expected) if (document.version !== version) throw stale(document.path)
          return done
        },
        { expect },
      )
      for (const staged of draft.staged.values()) this.#commit(staged)
      return result
    } finally {
      for (const { release } of draft.staged.values()) release()
    }
  }

  snapshot(inner: Snapshot): Snapshot {
    const unsaved = new Map(
      this.#hub.unsaved().map(document => [
        document.path,
        {
          stat: (stat: Stat | undefined) => shownStat(document, stat),
          bytes: shownBytes(document),
          isNew: document.stored === undefined,
        },
      ]),
    )
    if (unsaved.size === 0) return inner
    const { fs } = inner
    const frozen = new Map<VfsPath, Stat>()
    for (const [path, { stat }] of unsaved)
      frozen.set(path, stat(runNow(statIfAny({ sync: fs as VfsSync }, path, { follow: false }))))
    return {
      // No index of the files on disk is current for this state.
      seq: -1,
      fs: {
        lookup: (path, options) => frozen.get(path) ?? fs.lookup(path, options),
        list: path =>
          withNew(
            fs.list(path),
            path,
            [...unsaved].filter(([, { isNew }]) => isNew).map(([at]) => at),
          ),
        read: (path, range) => {
          const own = unsaved.get(path)
          if (own === undefined) return fs.read(path, range)
          this.#traces.read.add(path)
          return part(own.bytes, range)
        },
        readlink: path => fs.readlink(path),
        realpath: path => (unsaved.get(path)?.isNew === true ? path : fs.realpath(path)),
      },
    }
  }

  /** The open file that is shown in place of the one on disk. */
  #shown(draft: Draft | undefined, path: VfsPath): BufferDocument | undefined {
    if (draft?.hides(path) === true) return undefined
    const document = this.#hub.at(path)
    return document !== undefined && isShown(document) ? document : undefined
  }

  *#lookup(on: Primitives, draft: Draft | undefined, path: VfsPath, options?: { readonly follow?: boolean }): Steps<Stat> {
    const staged = draft?.staged.get(path)
    if (staged !== undefined) return staged.stat
    const document = this.#shown(draft, path)
    if (document === undefined) return yield* call(on, 'lookup', path, options)
    return shownStat(document, yield* statIfAny(on, path, options))
  }

  *#list(on: Primitives, draft: Draft | undefined, path: VfsPath): Steps<Dirent[]> {
    const listed = yield* call(on, 'list', path)
    const added = this.#hub.unsaved().filter(document => document.stored === undefined && draft?.hides(document.path) !== true)
    return added.length === 0
      ? listed
      : withNew(
          listed,
          path,
          added.map(document => document.path),
        )
  }

  *#read(on: Primitives, draft: Draft | undefined, path: VfsPath, range?: ReadRange): Steps<Uint8Array> {
    const staged = draft?.staged.get(path)
    if (staged !== undefined) return part(staged.bytes, range)
    const document = this.#shown(draft, path)
    if (document === undefined) return yield* call(on, 'read', path, range)
    this.#traces.read.add(path)
    return part(shownBytes(document), range)
  }

  *#setattr(on: Primitives, draft: Draft | undefined, path: VfsPath, attributes: Attributes): Steps<void> {
    const document = this.#shown(draft, path)
    if (document !== undefined && document.stored === undefined) {
      document.mode = attributes.mode ?? document.mode
      return
    }
    yield* call(on, 'setattr', path, attributes)
    const staged = draft?.staged.get(path)
    if (staged !== undefined && attributes.mode !== undefined) staged.stat = { ...staged.stat, mode: attributes.mode }
  }

  *#write(on: Primitives, draft: Draft | undefined, path: VfsPath, data: Uint8Array, options: WriteOptions = {}): Steps<Stat> {
    const document = draft?.hides(path) === true ? undefined : this.#hub.at(path)
    // A removed file is created on disk, and bytes that are not text replace it there. The editor is notified of both as of any change.
    if (document === undefined || (!isShown(document) && document.conflict !== undefined))
      return yield* call(on, 'write', path, data, options)
    const bytes = options.append === true ? joinBytes([yield* this.#read(on, draft, path), data]) : data
    const content = decodeEditorText(bytes)
    if (content === undefined) return yield* call(on, 'write', path, data, options)
    const { ifRev, create, append: _append, ...rest } = options
    if (create === 'exclusive') throw new VfsError('EEXIST', 'open', { path })
    const basis = ifRev === undefined || draft?.staged.has(path) === true ? undefined : this.#basis(document, path, ifRev)
    const { edits } = this.#hub.rules
    const isStored = document.conflict === undefined && (edits === 'save' || (edits === 'save-clean' && !document.isDirty))
    const release = this.#hub.hold(document)
    try {
      const own = { ...rest, ...(basis === undefined ? {} : { ifRev: basis }) }
      const kept = document.stored === undefined ? undefined : yield* statIfAny(on, path)
      const stat = isStored
        ? yield* call(on, 'write', path, bytes, own)
        : { ...shownStat(document, kept), sizeBytes: bytes.length }
      if (!isStored && rest.mode !== undefined && kept === undefined) document.mode = rest.mode
      const earlier = draft?.staged.get(path)
      const staged: Staged = {
        document,
        version: earlier?.version ?? document.version,
        before: earlier?.before ?? document.content,
        content,
        bytes: bytes.slice(),
        stat,
        isStored,
        release,
      }
      if (draft === undefined) {
        this.#commit(staged)
        release()
        return isShown(document) ? shownStat(document, kept) : stat
      }
      earlier?.release()
      draft.staged.set(path, staged)
      return stat
    } catch (error) {
      release()
      throw error
    }
  }

  #commit({ document, version, before, content, stat, isStored }: Staged): void {
    this.#hub.written(document, version, before, content, this.#by, isStored ? stat.rev : undefined)
    this.#traces.changed.add(document.path)
  }

  /** The revision on disk that stands for `rev`, which a tool has read. Throws ESTALE if the text is another one now. */
  #basis(document: BufferDocument, path: VfsPath, rev: number): number {
    const stored = document.stored?.rev ?? 0
    if (rev === document.viewRev) return stored
    if (isShown(document) && !(rev === 0 && document.stored === undefined && document.content.text === '')) throw stale(path)
    return rev
  }
}

function stale(path: VfsPath): VfsError {
  return new VfsError('ESTALE', 'commit', { path, hint: 'its text in the editor has changed' })
}

function withNew(listed: readonly Dirent[], directory: VfsPath, added: readonly VfsPath[]): Dirent[] {
  const names = new Set(listed.map(({ name }) => name))
  const missing = added.filter(path => dirname(path) === directory && !names.has(basename(path)))
  if (missing.length === 0) return [...listed]
  const own = missing.map((path): Dirent => ({ name: basename(path), kind: 'file' }))
  return [...listed, ...own].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function part(bytes: Uint8Array, { start = 0, end }: ReadRange = {}): Uint8Array {
  return bytes.slice(start, end)
}
