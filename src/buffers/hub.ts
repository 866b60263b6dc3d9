// The open files of a workspace. Each keeps the order of its changes (document.ts); here they meet the files on disk: loading, saving, and
// what happens when a file changes outside of its editor.

import type { Actor, Attribution } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { isInside, parsePath, type VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import { formatSize } from '../core/size.ts'
import { textDifference } from '../text/text-difference.ts'
import type { Change, ChangeBatch, VfsBackend } from '../vfs/backend.ts'
import { isVfsError, VfsError } from '../vfs/error.ts'
import { actingAs, attributed, originOf } from '../vfs/origin.ts'
import type { BufferCloseOptions, BufferOpenOptions, BufferRules, BufferSaveOptions, BufferState } from './buffer.ts'
import { BufferDocument } from './document.ts'
import type { EditorText } from './editor-text.ts'
import { conflictError, keptChanging } from './failures.ts'
import type { BufferLink, BufferMessage, BufferOutcome, OpenedBuffer } from './link.ts'
import { meetStored, resumeText } from './meet.ts'
import { isShown } from './shown.ts'
import { readStored, type StoredFile } from './stored-file.ts'

export interface BufferHubOptions {
  /** The files as the host sees them. */
  readonly backend: VfsBackend
  readonly root: VfsPath
  readonly clock: () => number
  readonly maxBytes: number
  readonly rules: Required<{ readonly [R in keyof BufferRules]: NonNullable<BufferRules[R]> }>
}

/** How often a save meets a newer file before it gives up. */
const maxAttempts = 100

export class BufferHub {
  readonly rules: BufferHubOptions['rules']
  readonly #options: BufferHubOptions
  readonly #documents = new Map<VfsPath, BufferDocument>()
  /** Writes of tools that are under way: what is on disk is learned after them. */
  readonly #held = new Map<BufferDocument, Held>()
  readonly #turns = new Map<BufferDocument, Promise<unknown>>()
  readonly #unwatch: (() => void) | undefined

  constructor(options: BufferHubOptions) {
    this.#options = options
    this.rules = options.rules
    this.#unwatch = options.backend.watch?.(parsePath('/'), batch => this.#learn(batch))
  }

  /** The open file at a real path. */
  at(path: VfsPath): BufferDocument | undefined {
    return this.#documents.get(path)
  }

  /** The open files whose text is not on disk and that tools see instead of it. */
  unsaved(): readonly BufferDocument[] {
    return [...this.#documents.values()].filter(isShown)
  }

  list(): readonly BufferState[] {
    return [...this.#documents.values()].map(({ outcome }) => outcome.state).sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** `listener` receives what happens after the returned text. */
  async open(
    path: string,
    { actor = { kind: 'person' }, create = false, unsaved }: BufferOpenOptions,
    listener: (message: BufferMessage) => void,
  ): Promise<{ readonly opened: OpenedBuffer; readonly link: BufferLink }> {
    const given = parsePath(path, this.#options.root)
    const isCreated = create || unsaved !== undefined
    const real = await this.#realPath(given, isCreated)
    const document = this.#documents.get(real) ?? (await this.#load(real, isCreated))
    const by: Attribution = { actor }
    if (unsaved !== undefined) resumeText(document, unsaved, by)
    const id = document.addEditor(listener, actor)
    let isClosed = false
    const link: BufferLink = {
      send: (version, change) => document.change(version, change, by, id),
      seen: version => document.seen(id, version),
      save: options => this.save(document, actor, options),
      revert: () => this.#revert(document, by),
      close: async options => {
        if (isClosed) return
        this.#checkClose(document, options)
        isClosed = true
        document.removeEditor(id)
        if (document.editorCount === 0 && this.#documents.get(document.path) === document) this.#documents.delete(document.path)
      },
    }
    return { opened: { ...document.outcome, text: document.content.text }, link }
  }

  /** Saves all; a failure does not keep the others from being saved. */
  async saveAll(): Promise<void> {
    let failed: { readonly error: unknown } | undefined
    for (const document of this.#documents.values()) {
      try {
        if (document.isDirty || document.conflict !== undefined) await this.save(document, document.owner, {})
      } catch (error) {
        failed ??= { error }
      }
    }
    if (failed !== undefined) throw failed.error
  }

  save(document: BufferDocument, actor: Actor, { overwrite = false }: BufferSaveOptions): Promise<BufferOutcome> {
    return this.#inTurn(document, async () => {
      const backend = actingAs(this.#options.backend, originOf({ actor }))
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const found = await this.#learnStored(document, undefined)
        if (document.conflict !== undefined && !overwrite) throw conflictError(document)
        const rev = found === undefined ? 0 : found.kind === 'text' ? found.text.rev : found.rev
        if (!document.isDirty && document.conflict === undefined) return document.outcome
        const { content, stored: before } = document
        try {
          const bytes = document.bytes()
          const stat = await backend.write(document.path, bytes, {
            ifRev: rev,
            parents: true,
            ...defined({ mode: document.mode }),
          })
          // A tool may have written since.
          if (document.stored === before) document.store({ ...content, rev: stat.rev })
          else await this.#learnStored(document, undefined)
          return document.outcome
        } catch (error) {
          if (!isVfsError(error, 'ESTALE')) throw error
        }
      }
      throw keptChanging(document.path)
    })
  }

  /** Begins a write of a tool to an open file: what is on disk is learned when it has ended. */
  hold(document: BufferDocument): () => void {
    const held: Held = this.#held.get(document) ?? { count: 0, missed: undefined }
    held.count += 1
    this.#held.set(document, held)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      held.count -= 1
      if (held.count > 0) return
      this.#held.delete(document)
      if (held.missed !== undefined) this.#sync(document, held.missed.change)
    }
  }

  /** A tool has written `content` over the text of `version`; with `rev` it is on disk too. */
  written(
    document: BufferDocument,
    version: number,
    before: EditorText,
    content: EditorText,
    by: Attribution | undefined,
    rev?: number,
  ): void {
    document.change(version, textDifference(before.text, content.text), by)
    // Typed text that arrived meanwhile has moved the line breaks.
    if (document.content.text === content.text) document.reform(content.form)
    if (rev !== undefined) document.store({ ...content, rev })
  }

  close(): void {
    this.#unwatch?.()
    this.#documents.clear()
  }

  async #realPath(path: VfsPath, create: boolean): Promise<VfsPath> {
    try {
      return await this.#options.backend.realpath(path)
    } catch (error) {
      if (!create || !isVfsError(error, 'ENOENT')) throw error
      const at = path.lastIndexOf('/')
      const parent = await this.#options.backend.realpath(parsePath(path.slice(0, at) || '/'))
      return parsePath(path.slice(at + 1), parent)
    }
  }

  async #load(path: VfsPath, create: boolean): Promise<BufferDocument> {
    const { backend, maxBytes, clock } = this.#options
    const found = await this.#read(path)
    if (found === undefined && !create) throw new VfsError('ENOENT', 'open', { path })
    if (found?.kind === 'directory') throw new VfsError('EISDIR', 'open', { path })
    if (found?.kind === 'too-large') {
      throw new AnchorageError(
        'file-too-large',
        `${path} is ${formatSize(found.sizeBytes)}; files up to ${formatSize(maxBytes)} can be open in an editor. Next: show a part of it with fs.readFile and a range.`,
      )
    }
    if (found?.kind === 'binary')
      throw new AnchorageError('binary-file', `${path} is not UTF-8 text, so no editor can change it. Next: show its bytes.`)
    if (backend.caps.readonly) throw new VfsError('EROFS', 'open', { path, hint: 'it cannot be saved; read it with fs.readText' })
    // Another call may have opened it meanwhile.
    const opened = this.#documents.get(path)
    if (opened !== undefined) return opened
    const document = new BufferDocument(path, found?.text, clock)
    this.#documents.set(path, document)
    return document
  }

  #read(path: VfsPath): Promise<StoredFile | undefined> {
    return readStored(this.#options.backend, path, this.#options.maxBytes)
  }

  /** Merges the file on disk with the text. A content that was read before a tool's write is out of date. */
  async #learnStored(document: BufferDocument, by: Attribution | undefined): Promise<StoredFile | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { stored } = document
      const found = await this.#read(document.path)
      if (document.stored !== stored || this.#held.has(document)) continue
      meetStored(document, found, by)
      return found
    }
    throw keptChanging(document.path)
  }

  #learn({ changes, overflow }: ChangeBatch): void {
    for (const change of changes) {
      for (const document of [...this.#documents.values()]) {
        if (change.type === 'move' && change.oldPath !== undefined && isInside(document.path, change.oldPath)) {
          this.#follow(document, `${change.path}${document.path.slice(change.oldPath.length)}` as VfsPath)
        } else if (document.path === change.path || (change.type === 'delete' && isInside(document.path, change.path))) {
          this.#sync(document, change)
        }
      }
    }
    if (overflow) for (const document of this.#documents.values()) this.#sync(document, undefined)
  }

  /** An editor stays with its file when that is moved. */
  #follow(document: BufferDocument, path: VfsPath): void {
    const there = this.#documents.get(path)
    this.#documents.delete(document.path)
    if (there === undefined) {
      this.#documents.set(path, document)
      document.moveTo(path)
    } else {
      // Two editors of one file have two texts: the one that was there stays, the other keeps its text as one of a removed file.
      this.#documents.set(document.path, document)
      document.store(document.stored, { kind: 'removed' })
    }
  }

  #sync(document: BufferDocument, change: Change | undefined): void {
    const held = this.#held.get(document)
    if (held !== undefined) {
      held.missed = { change: change ?? held.missed?.change }
      return
    }
    const by = change === undefined ? undefined : attributed(change).by
    void this.#inTurn(document, async () => {
      const now = this.#held.get(document)
      if (now !== undefined) {
        now.missed = { change: change ?? now.missed?.change }
        return
      }
      // After the filesystem was closed there is nothing to learn; other failures are met again by the next save.
      await this.#learnStored(document, by).catch(() => undefined)
    })
  }

  #revert(document: BufferDocument, by: Attribution): Promise<BufferOutcome> {
    return this.#inTurn(document, async () => {
      const found = await this.#read(document.path)
      if (found === undefined)
        throw new VfsError('ENOENT', 'revert', { path: document.path, hint: 'close it with { discard: true } instead' })
      if (found.kind !== 'text') throw conflictError(document)
      document.change(document.version, textDifference(document.content.text, found.text.text), by)
      document.reform(found.text.form)
      document.store(found.text)
      return document.outcome
    })
  }

  #checkClose(document: BufferDocument, { discard = false }: BufferCloseOptions): void {
    const isNew = document.stored === undefined && document.content.text === ''
    if (discard || document.editorCount > 1 || !document.isDirty || isNew) return
    throw new AnchorageError(
      'buffer-unsaved',
      `${document.path} has text that is not saved. Next: save it, or close it with { discard: true }.`,
    )
  }

  /** Saving and learning what is on disk never overlap for one file. */
  #inTurn<T>(document: BufferDocument, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(document) ?? Promise.resolve()
    const turn = before.then(work, work)
    this.#turns.set(document, turn)
    const end = (): void => {
      if (this.#turns.get(document) === turn) this.#turns.delete(document)
    }
    turn.then(end, end)
    return turn
  }
}

interface Held {
  count: number
  missed: { readonly change: Change | undefined } | undefined
}
