// The log's files as OPFS files with sync access handles. Opening one takes a millisecond, or ten in Firefox, and is asynchronous, so it
// cannot be done in the middle of a commit. So all files stay open, and a few empty ones are opened in advance. A handle is exclusive:
// while it is open, nothing else can write the file.

import type { LogFile, LogStorage } from './log/storage.ts'
import { busyStore } from './lock.ts'
import type { DirectoryHandle, FileHandle, SyncHandle } from './platform.ts'
import { logName } from './store-place.ts'

/** A new store needs three at once. A full segment and a large file need one each before the next can be opened. */
const spareTarget = 4
/** A segment, two checkpoints, a reserve: a store with fewer files may need to create these at mount, and then takes spare files. */
const usualFiles = 4
/** Safari allows 252 open files and Chromium about 1,000. Beyond this limit, segments grow and large contents are stored in them. */
const maxOpenFiles = 128
const openBatch = 8
const retryDelaysMs: readonly number[] = [5, 10, 20, 40, 80, 160, 320, 640, 1_000]

class SyncFile implements LogFile {
  readonly name: string
  readonly handle: SyncHandle
  #sizeBytes: number

  constructor(name: string, handle: SyncHandle) {
    this.name = name
    this.handle = handle
    this.#sizeBytes = handle.getSize()
  }

  sizeBytes(): number {
    return this.#sizeBytes
  }

  read(target: Uint8Array, offset: number): number {
    return this.handle.read(target, { at: offset })
  }

  append(bytes: Uint8Array): void {
    let written = 0
    try {
      written = this.handle.write(bytes, { at: this.#sizeBytes })
    } catch (error) {
      // A part of it may have been written.
      this.#sizeBytes = this.handle.getSize()
      throw error
    }
    if (written === bytes.length) {
      this.#sizeBytes += written
      return
    }
    // Some browsers write only what fits, and Chromium's private windows return an error code as if it were a count. Neither throws.
    this.#sizeBytes = this.handle.getSize()
    throw new DOMException('the file of the store could not be extended', 'QuotaExceededError')
  }

  truncate(sizeBytes: number): void {
    this.handle.truncate(sizeBytes)
    this.#sizeBytes = sizeBytes
  }

  flush(): void {
    this.handle.flush()
  }
}

/** Opens every file of the store in `directory`. Throws `VfsError` EBUSY if another owner keeps one open. */
export async function openSyncHandles(directory: DirectoryHandle, storeName: string): Promise<LogStorage> {
  const handles = new SyncHandles(directory, storeName)
  await handles.open()
  return handles
}

class SyncHandles implements LogStorage {
  files: readonly LogFile[] = []
  readonly #directory: DirectoryHandle
  readonly #storeName: string
  readonly #open = new Map<string, SyncFile>()
  readonly #spare: SyncFile[] = []
  /** Empty files that are not open. */
  #idle: FileHandle[] = []
  #lastName = 0
  #isClosed = false
  /**
   * Work that the caller does not wait for. Its failure loses no data: without a spare file the log continues in its current one, and a
   * file that could not be removed is empty, so the next mount uses it as a spare.
   */
  #background: Promise<void> = Promise.resolve()

  constructor(directory: DirectoryHandle, storeName: string) {
    this.#directory = directory
    this.#storeName = storeName
  }

  async open(): Promise<void> {
    try {
      while (await this.#openContents()) continue
      // One is needed now if a checkpoint file was removed; the others can wait.
      await this.#addSpares(this.#open.size < usualFiles ? spareTarget : 1)
    } catch (error) {
      this.#closeAll()
      throw error
    }
    this.files = [...this.#open.values()]
    this.#later(() => this.#addSpares())
  }

  take(): LogFile | undefined {
    const file = this.#spare.pop()
    this.#later(() => this.#addSpares())
    return file
  }

  discard(file: LogFile): void {
    file.truncate(0)
    file.flush()
    if (!(file instanceof SyncFile)) return
    if (this.#spare.length < spareTarget) this.#spare.push(file)
    else {
      this.#open.delete(file.name)
      file.handle.close()
      this.#later(() => this.#directory.removeEntry(file.name))
    }
  }

  async settle(): Promise<void> {}

  async close(): Promise<void> {
    this.#isClosed = true
    this.#closeAll()
    await this.#background
  }

  async #openOne(handle: FileHandle, onBusy?: () => void): Promise<SyncFile> {
    const file = new SyncFile(handle.name, await openWithRetries(handle, this.#storeName, onBusy))
    this.#open.set(handle.name, file)
    return file
  }

  #closeAll(): void {
    for (const file of this.#open.values()) file.handle.close()
    this.#open.clear()
  }

  async #addSpares(target: number = spareTarget): Promise<void> {
    while (this.#spare.length < target && this.#open.size < maxOpenFiles && !this.#isClosed) {
      const handle = this.#idle.pop() ?? (await this.#directory.getFileHandle(`${++this.#lastName}.log`, { create: true }))
      const file = await this.#openOne(handle)
      if (this.#isClosed) file.handle.close()
      else this.#spare.push(file)
    }
  }

  /** Opens the files with content. Returns whether another owner was still closing one; then it may have switched to other files. */
  async #openContents(): Promise<boolean> {
    let wasBusy = false
    const found: FileHandle[] = []
    for await (const handle of this.#directory.values()) {
      if (handle.kind === 'file' && logName.test(handle.name) && !this.#open.has(handle.name)) found.push(handle)
    }
    this.#lastName = Math.max(this.#lastName, ...found.map(({ name }) => Number.parseInt(name, 10)))
    this.#idle = []
    await inBatches(found, async handle => {
      // In Firefox, reading the size takes a tenth of the time of opening.
      const { size } = await handle.getFile()
      if (size === 0) this.#idle.push(handle)
      else await this.#openOne(handle, () => (wasBusy = true))
    })
    return wasBusy
  }

  #later(work: () => Promise<void>): void {
    this.#background = this.#background.then(work).catch(() => {})
  }
}

/** Rejects with the first failure, after all started work has ended. */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += openBatch) {
    const results = await Promise.allSettled(items.slice(start, start + openBatch).map(work))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

/** The handle of a closed tab may outlast the tab for a moment; `onBusy` is called then. Throws `VfsError` EBUSY. */
export async function openWithRetries(file: FileHandle, storeName: string, onBusy: () => void = () => {}): Promise<SyncHandle> {
  if (file.createSyncAccessHandle === undefined) throw new Error('sync access handles are missing; the caller checks for them')
  for (let attempt = 0; ; attempt++) {
    try {
      return await file.createSyncAccessHandle()
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'NoModificationAllowedError') throw error
      const delayMs = retryDelaysMs[attempt]
      if (delayMs === undefined) throw busyStore(storeName, error)
      onBusy()
      await new Promise<void>(resolve => void setTimeout(resolve, delayMs))
    }
  }
}
