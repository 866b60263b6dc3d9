// The open files of a workspace. Each keeps the order of its changes (document.ts); here they meet the files on disk: loading, saving, and
// what happens when a file changes outside of its editor.

import type { Actor, Attribution } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { isInside, parsePath, type VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import { formatSize } from '../core/size.ts'
import { mergeTexts } from '../text/merge.ts'
import { textDifference } from '../text/text-difference.ts'
import type { Change, ChangeBatch, Stat, VfsBackend } from '../vfs/backend.ts'
import { ContentElsewhere } from '../vfs/elsewhere.ts'
import { isVfsError, VfsError } from '../vfs/error.ts'
import { actingAs, attributed, originOf } from '../vfs/origin.ts'
import type { BufferCloseOptions, BufferOpenOptions, BufferRules, BufferSaveOptions, BufferState, UnsavedText } from './buffer.ts'
import { BufferDocument, type StoredText } from './document.ts'
import { decodeEditorText, formAfter, isSameText, type EditorText } from './editor-text.ts'
import type { BufferLink, BufferMessage, BufferOutcome, OpenedBuffer } from './link.ts'

export interface BufferHubOptions {
  /** The files as the host sees them. */
  readonly backend: VfsBackend
  readonly root: VfsPath
  readonly clock: () => number
  readonly maxBytes: number
  readonly rules: Required<{ readonly [R in keyof BufferRules]: NonNullable<BufferRules[R]> }>
}

/** Of a text that was in a file, it is unknown when. */
const unknownRev = -1

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
    if (unsaved !== undefined) this.#resume(document, unsaved, by)
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
      throw busy(document.path)
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
    const found = await this.#readStored(path)
    if (found === undefined && !create) throw new VfsError('ENOENT', 'open', { path })
    if (found?.kind === 'directory') throw new VfsError('EISDIR', 'open', { path })
    if (found?.kind === 'too-large') {
      throw new AnchorageError(
        'file-too-large',
        `${path} is ${formatSize(found.sizeBytes)}; files up to ${formatSize(maxBytes)} can be open in an editor. Next: show a part of it with fs.readFile and a range.`,
      )
    }
    if (found?.kind === 'binary') {
      throw new AnchorageError('binary-file', `${path} is not UTF-8 text, so no editor can change it. Next: show its bytes.`)
    }
    if (backend.caps.readonly) throw new VfsError('EROFS', 'open', { path, hint: 'it cannot be saved; read it with fs.readText' })
    // Another call may have opened it meanwhile.
    const opened = this.#documents.get(path)
    if (opened !== undefined) return opened
    const document = new BufferDocument(path, found?.text, clock)
    this.#documents.set(path, document)
    return document
  }

  async #readStored(path: VfsPath): Promise<Found | undefined> {
    const { backend, maxBytes } = this.#options
    for (let attempt = 0; ; attempt++) {
      try {
        const stat = await backend.lookup(path)
        if (stat.kind !== 'file') return { kind: 'directory', rev: stat.rev }
        if (stat.sizeBytes > maxBytes) return { kind: 'too-large', rev: stat.rev, sizeBytes: stat.sizeBytes }
        const bytes = await readLoaded(backend, path)
        const after = await backend.lookup(path)
        if (after.rev !== stat.rev && attempt < maxAttempts) continue
        const text = decodeEditorText(bytes)
        return text === undefined ? { kind: 'binary', rev: stat.rev } : { kind: 'text', text: { ...text, rev: stat.rev } }
      } catch (error) {
        if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
        throw error
      }
    }
  }

  /** Merges the file on disk with the text. A content that was read before a tool's write is out of date. */
  async #learnStored(document: BufferDocument, by: Attribution | undefined): Promise<Found | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { stored } = document
      const found = await this.#readStored(document.path)
      if (document.stored !== stored || this.#held.has(document)) continue
      this.#meet(document, found, by)
      return found
    }
    throw busy(document.path)
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

  /** The text and what is on disk become one, or are at odds. */
  #meet(document: BufferDocument, found: Found | undefined, by: Attribution | undefined): void {
    const { stored } = document
    if (found === undefined) {
      if (document.conflict?.kind === 'removed') return
      document.store(stored, stored === undefined ? undefined : { kind: 'removed', ...defined({ by }) })
      return
    }
    if (found.kind !== 'text') {
      if (document.conflict?.kind !== 'not-text') document.store(stored, { kind: 'not-text', ...defined({ by }) })
      return
    }
    const theirs = found.text
    const isKnown = stored !== undefined && stored.rev === theirs.rev
    if (isKnown && document.conflict === undefined) return
    if (stored !== undefined && isSameText(stored, theirs)) return document.store(theirs)
    const ours = document.content
    const merged = stored === undefined ? undefined : mergeTexts(stored.text, ours.text, theirs.text)
    const agreed = ours.text === theirs.text ? ours.text : merged?.kind === 'merged' ? merged.text : undefined
    if (agreed === undefined) {
      const { conflict } = document
      if (conflict?.kind === 'changed' && conflict.text === theirs.text) return
      document.store(stored, { kind: 'changed', text: theirs.text, ...defined({ by }) })
      return
    }
    const form = formAfter(theirs.form, textDifference(theirs.text, agreed), agreed)
    if (agreed !== ours.text) document.change(document.version, textDifference(ours.text, agreed), by)
    document.reform(form)
    document.store(theirs)
  }

  /** The text of an earlier editor that was never saved comes back. What became of its file since is like any change on disk. */
  #resume(document: BufferDocument, { base, text }: UnsavedText, by: Attribution): void {
    const { stored, content } = document
    if (content.text === text) return
    if (document.editorCount > 0) {
      const merged = mergeTexts(base, content.text, text)
      if (merged.kind === 'conflict') throw alsoOpen(document.path)
      return document.change(document.version, textDifference(content.text, merged.text), by)
    }
    document.change(document.version, textDifference(content.text, text), by)
    // A file that never was is not missing.
    if (stored === undefined && base === '') return
    document.store({ text: base, form: content.form, rev: unknownRev })
    this.#meet(document, stored === undefined ? undefined : { kind: 'text', text: stored }, undefined)
  }

  #revert(document: BufferDocument, by: Attribution): Promise<BufferOutcome> {
    return this.#inTurn(document, async () => {
      const found = await this.#readStored(document.path)
      if (found === undefined) {
        throw new VfsError('ENOENT', 'revert', { path: document.path, hint: 'close it with { discard: true } instead' })
      }
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

type Found =
  | { readonly kind: 'text'; readonly text: StoredText; readonly rev?: undefined }
  | { readonly kind: 'directory'; readonly rev: number }
  | { readonly kind: 'binary'; readonly rev: number }
  | { readonly kind: 'too-large'; readonly rev: number; readonly sizeBytes: number }

/** Whether tools see the text instead of the file. */
export function isShown(document: BufferDocument): boolean {
  return document.isDirty && document.conflict?.kind !== 'removed' && document.conflict?.kind !== 'not-text'
}

/** What tools see instead of the file's stat, which is `undefined` for a file that does not exist yet. */
export function shownStat(document: BufferDocument, stat: Stat | undefined): Stat {
  return {
    ...(stat ?? { kind: 'file', mode: document.mode ?? 0o644, ino: document.viewRev, nlink: 1 }),
    kind: 'file',
    sizeBytes: shownBytes(document).length,
    rev: document.viewRev,
    mtimeMs: Math.max(document.changedAtMs, (stat?.mtimeMs ?? 0) + 1),
    ctimeMs: Math.max(document.changedAtMs, (stat?.ctimeMs ?? 0) + 1),
  }
}

/** The bytes that tools see. Throws `VfsError` EIO while half of a character is typed. */
export function shownBytes(document: BufferDocument): Uint8Array {
  try {
    return document.bytes()
  } catch (cause) {
    throw new VfsError('EIO', 'read', { path: document.path, hint: 'its text in the editor has half of a character', cause })
  }
}

function alsoOpen(path: string): AnchorageError {
  return new AnchorageError(
    'buffer-lost',
    `${path} is open in another editor, with other text in the same lines as the text that was not saved. Next: copy that text, and merge it by hand.`,
  )
}

function busy(path: string): AnchorageError {
  return new AnchorageError('buffer-busy', `${path} kept changing, so it was not saved. Next: save it again.`)
}

async function readLoaded(backend: VfsBackend, path: VfsPath): Promise<Uint8Array> {
  try {
    return await backend.read(path)
  } catch (error) {
    if (!(error instanceof ContentElsewhere)) throw error
    await error.load()
    return await backend.read(path)
  }
}

function conflictError(document: BufferDocument): AnchorageError {
  const why =
    document.conflict?.kind === 'removed'
      ? 'the file was removed'
      : document.conflict?.kind === 'not-text'
        ? 'the file is no longer text'
        : 'the file changed on disk in the same lines'
  return new AnchorageError(
    'buffer-conflict',
    `${document.path} was not saved, because ${why}. Next: save it with { overwrite: true }, or take what is on disk with revert().`,
    { details: { path: document.path } },
  )
}
