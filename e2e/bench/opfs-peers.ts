// The same work for other ways to keep files in a browser. Each is used as its documentation says, from the same worker.

import { openOpfs } from 'anchorage/fs/opfs'
import { IndexedDB, LightningFS, resolveMountConfig, WebAccess, zen } from './opfs-packages.mjs'

/** What the benchmark does with each. A promise means that the browser was told, not that the disk was. */
export interface Peer {
  mkdir(path: string): Promise<unknown>
  write(path: string, content: Uint8Array): Promise<unknown>
  /** Everything as one change, with its directories, where there is such a thing: what an import of a project is. */
  writeAll?(directories: readonly string[], files: readonly string[], content: Uint8Array): Promise<unknown>
  read(path: string): Promise<unknown>
  rename(from: string, to: string): Promise<unknown>
  /** Everything is durable; without a loss of power for those that know no more. */
  flush(): Promise<unknown>
  close(): Promise<unknown>
}

export type PeerName =
  | 'ours'
  | 'ours, several tabs'
  | 'ours, in IndexedDB'
  | 'ours, not forced'
  | 'a write each'
  | 'file each'
  | 'zenfs OPFS'
  | 'zenfs IndexedDB'
  | 'LightningFS'
  | 'IndexedDB'

export async function openPeer(peer: PeerName, name: string): Promise<Peer> {
  switch (peer) {
    case 'ours':
      return await ours({ name, tabs: 'exclusive' })
    case 'ours, several tabs':
      return await ours({ name })
    case 'ours, in IndexedDB':
      return await ours({ name, tabs: 'exclusive', storage: ['indexeddb'] })
    // What LightningFS and IndexedDB ("relaxed") call done: the system has it, and a crash of the browser loses nothing.
    case 'ours, not forced':
      return { ...(await ours({ name, tabs: 'exclusive', durability: 'lazy' })), flush: async () => {} }
    case 'a write each':
      return await bareHandle(name)
    case 'file each':
      return fileEach(await directoryOf(name))
    case 'zenfs OPFS':
      return zenfs(await resolveMountConfig({ backend: WebAccess, handle: await directoryOf(name) }))
    case 'zenfs IndexedDB':
      return zenfs(await resolveMountConfig({ backend: IndexedDB, storeName: name }))
    case 'LightningFS':
      return lightning(name)
    case 'IndexedDB':
      return await rawDatabase(name)
  }
}

type OurPath = Parameters<Awaited<ReturnType<typeof openOpfs>>['read']>[0]

async function ours(options: Parameters<typeof openOpfs>[0]): Promise<Peer> {
  const fs = await openOpfs(options)
  const at = (path: string): OurPath => path as OurPath
  return {
    mkdir: path => fs.mkdir(at(path)),
    write: (path, content) => fs.write(at(path), content),
    writeAll: (directories, files, content) => {
      if (fs.batch === undefined) throw new Error('a stored filesystem has batches')
      return fs.batch(draft => {
        for (const path of directories) draft.mkdir(at(path))
        for (const path of files) draft.write(at(path), content)
      })
    },
    read: path => fs.read(at(path)),
    rename: (from, to) => fs.rename(at(from), at(to)),
    flush: () => fs.flush(),
    close: () => fs.close(),
  }
}

/** No filesystem at all: the browser's part of keeping each change before it is answered, one call on one open file. */
async function bareHandle(name: string): Promise<Peer> {
  const file = (await (await directoryOf(`bare-${name}`)).getFileHandle('all', { create: true })) as unknown as {
    createSyncAccessHandle(): Promise<SyncHandle>
  }
  const handle = await file.createSyncAccessHandle()
  let sizeBytes = 0
  const append = async (content: Uint8Array): Promise<void> => {
    sizeBytes += handle.write(content, { at: sizeBytes })
  }
  return {
    mkdir: path => append(new TextEncoder().encode(path)),
    write: (_path, content) => append(content),
    read: async () => handle.read(new Uint8Array(4096), { at: 0 }),
    rename: (from, to) => append(new TextEncoder().encode(from + to)),
    flush: async () => handle.flush(),
    close: async () => handle.close(),
  }
}

async function directoryOf(name: string): Promise<FileSystemDirectoryHandle> {
  return await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true })
}

function zenfs(mounted: Awaited<ReturnType<typeof resolveMountConfig>>): Peer {
  zen.umount('/')
  zen.mount('/', mounted)
  return {
    mkdir: path => zen.promises.mkdir(path),
    write: (path, content) => zen.promises.writeFile(path, content),
    read: path => zen.promises.readFile(path),
    rename: (from, to) => zen.promises.rename(from, to),
    // What it keeps in its caches.
    flush: () => mounted.sync(),
    close: async () => {},
  }
}

function lightning(name: string): Peer {
  const fs = new LightningFS(name).promises
  return {
    mkdir: path => fs.mkdir(path),
    write: (path, content) => fs.writeFile(path, content),
    read: path => fs.readFile(path),
    rename: (from, to) => fs.rename(from, to),
    flush: () => fs.flush(),
    close: async () => {},
  }
}

interface SyncHandle {
  truncate(sizeBytes: number): void
  read(target: Uint8Array, options: { at: number }): number
  write(bytes: Uint8Array, options: { at: number }): number
  flush(): void
  close(): void
}

/** One OPFS file for each file: what most libraries do. */
function fileEach(root: FileSystemDirectoryHandle): Peer {
  const directories = new Map<string, Promise<FileSystemDirectoryHandle>>([['', Promise.resolve(root)]])
  const directoryAt = (path: string): Promise<FileSystemDirectoryHandle> => {
    const known = directories.get(path)
    if (known !== undefined) return known
    const { parent, name } = split(path)
    const made = directoryAt(parent).then(at => at.getDirectoryHandle(name, { create: true }))
    directories.set(path, made)
    return made
  }
  const fileAt = async (path: string): Promise<FileSystemFileHandle> => {
    const { parent, name } = split(path)
    return await (await directoryAt(parent)).getFileHandle(name, { create: true })
  }
  const moveAll = async (from: FileSystemDirectoryHandle, to: FileSystemDirectoryHandle): Promise<void> => {
    // Collected first, for they change under the iterator.
    const handles: FileSystemHandle[] = []
    for await (const handle of from.values()) handles.push(handle)
    for (const handle of handles) {
      if (handle.kind === 'directory') {
        await moveAll(handle as FileSystemDirectoryHandle, await to.getDirectoryHandle(handle.name, { create: true }))
      } else
        await (handle as unknown as { move(to: FileSystemDirectoryHandle, name: string): Promise<void> }).move(to, handle.name)
    }
  }
  return {
    mkdir: path => directoryAt(path),
    async write(path, content) {
      // TypeScript has it for workers only.
      const file = (await fileAt(path)) as unknown as { createSyncAccessHandle(): Promise<SyncHandle> }
      const handle = await file.createSyncAccessHandle()
      handle.truncate(0)
      handle.write(content, { at: 0 })
      handle.flush()
      handle.close()
    },
    read: async path => await (await (await fileAt(path)).getFile()).arrayBuffer(),
    // Chromium has no move for directories.
    async rename(from, to) {
      await moveAll(await directoryAt(from), await directoryAt(to))
      await root.removeEntry(from.slice(1), { recursive: true })
      for (const path of [...directories.keys()]) if (path.startsWith(from)) directories.delete(path)
    },
    flush: async () => {},
    close: async () => {},
  }
}

/** A path and its content as a record, each in a transaction of its own, as a plain key-value store has it. */
async function rawDatabase(name: string): Promise<Peer> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(`raw-${name}`, 1)
    request.onupgradeneeded = () => request.result.createObjectStore('files')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the database does not open'))
  })
  const inTransaction = <T>(
    mode: IDBTransactionMode,
    durability: IDBTransactionDurability,
    work: (files: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction('files', mode, { durability })
      const request = work(transaction.objectStore('files'))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
    })
  return {
    mkdir: async () => {},
    write: (path, content) => inTransaction('readwrite', 'relaxed', files => files.put(content, path)),
    writeAll: (_directories, paths, content) =>
      inTransaction('readwrite', 'relaxed', files => {
        for (const path of paths) files.put(content, path)
        return files.count()
      }),
    read: path => inTransaction('readonly', 'relaxed', files => files.get(path)),
    async rename(from, to) {
      const range = IDBKeyRange.bound(`${from}/`, `${from}/\uffff`)
      const [keys, values] = [
        await inTransaction('readonly', 'relaxed', files => files.getAllKeys(range)),
        await inTransaction('readonly', 'relaxed', files => files.getAll(range)),
      ]
      await inTransaction('readwrite', 'relaxed', files => {
        for (const [index, key] of keys.entries())
          files.put(values[index], typeof key === 'string' ? to + key.slice(from.length) : key)
        return files.delete(range)
      })
    },
    flush: () => inTransaction('readwrite', 'strict', files => files.put(new Uint8Array(), '')),
    close: async () => database.close(),
  }
}

function split(path: string): { readonly parent: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { parent: path.slice(0, slash), name: path.slice(slash + 1) }
}
