// The parts of the browser that we use. Declared here, because the portable code compiles without DOM types and each part may be missing.

export interface SyncHandle {
  read(target: Uint8Array, options: { readonly at: number }): number
  write(bytes: Uint8Array, options: { readonly at: number }): number
  getSize(): number
  truncate(sizeBytes: number): void
  flush(): void
  close(): void
}

export interface FileHandle {
  readonly kind: 'file'
  readonly name: string
  createSyncAccessHandle?(): Promise<SyncHandle>
  createWritable?(): Promise<WritableFile>
  getFile(): Promise<{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }>
}

export interface WritableFile {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  close(): Promise<void>
}

/** The part of the browser's `FileSystemDirectoryHandle` that is used. */
export interface DirectoryHandle {
  readonly kind: 'directory'
  readonly name: string
  getDirectoryHandle(name: string, options?: { readonly create?: boolean }): Promise<DirectoryHandle>
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<FileHandle>
  removeEntry(name: string, options?: { readonly recursive?: boolean }): Promise<void>
  keys(): AsyncIterable<string>
  values(): AsyncIterable<FileHandle | DirectoryHandle>
}

export interface StorageManager {
  getDirectory?(): Promise<DirectoryHandle>
  estimate?(): Promise<{ readonly usage?: number; readonly quota?: number }>
  persist?(): Promise<boolean>
}

export interface LockManager {
  request(name: string, options: { readonly signal: AbortSignal }, hold: () => Promise<unknown>): Promise<unknown>
}

export interface Platform {
  readonly storage: StorageManager | undefined
  readonly locks: LockManager | undefined
  /** Files can be opened synchronously only in a dedicated worker, so a store is opened only there. */
  readonly isDedicatedWorker: boolean
  readonly hasSyncHandles: boolean
  readonly hasIndexedDb: boolean
  /** Warns the developer if the host has no listener. */
  readonly warn: (message: string) => void
}

/** Returns a function that asks for this site's storage quota, if the browser reports one. */
export function quotaOf({ storage }: Platform): () => Promise<number | undefined> {
  return async () => (await storage?.estimate?.())?.quota
}

interface BrowserScope {
  readonly navigator?: { readonly storage?: StorageManager; readonly locks?: LockManager }
  readonly indexedDB?: object
  readonly console?: { warn(message: string): void }
}

/** Reads the global scope. Parts of it are missing outside a browser, on an insecure page and in private windows. */
export function browserPlatform(): Platform {
  const scope = globalThis as BrowserScope
  const { navigator } = scope
  return {
    storage: navigator?.storage,
    locks: navigator?.locks,
    isDedicatedWorker: 'DedicatedWorkerGlobalScope' in globalThis,
    hasSyncHandles: 'FileSystemSyncAccessHandle' in globalThis,
    hasIndexedDb: indexedDbOf(scope) !== undefined,
    warn: message => scope.console?.warn(message),
  }
}

/** If cookies are blocked, even reading the property throws. */
function indexedDbOf(scope: BrowserScope): object | undefined {
  try {
    return scope.indexedDB
  } catch {
    return undefined
  }
}
