// Where the files of a store can be kept here: in OPFS with synchronous handles, else in IndexedDB, else in memory until the page goes.
// Only what the browser cannot do counts as missing: a full disk or a file that somebody else has open does not lead to another place.

import type { DirectoryHandle, Platform } from './platform.ts'

/** Where the files of a store can be kept. */
export type StorageKind = 'opfs' | 'indexeddb' | 'memory'

export const storageKinds: readonly StorageKind[] = ['opfs', 'indexeddb', 'memory']

/** Either the value, or the reason why it is missing, as the end of a sentence. */
export type Found<T> = { readonly is: 'there'; readonly value: T } | { readonly is: 'missing'; readonly reason: string }

/** Where the files of a store are, each time that it is opened. */
export interface Persistence {
  readonly name: string
  readonly storage: StorageKind
  /** False in memory: the files go with the worker. */
  readonly persistent: boolean
  /** Why it is not a better place, or that it is the best one. A sentence for the person. */
  readonly message: string
}

/** What {@link Persistence} says of the best place. */
export const messageInOpfs = 'The files are kept in the origin private file system.'

/** Of the files that the log of a store is made of. */
export const logName: RegExp = /^\d{1,9}\.log$/

export function missing(reason: string): { readonly is: 'missing'; readonly reason: string } {
  return { is: 'missing', reason }
}

export async function findOpfs({ storage, hasSyncHandles }: Platform): Promise<Found<DirectoryHandle>> {
  if (storage?.getDirectory === undefined) return missing('there is no origin private file system on this page')
  if (!hasSyncHandles) return missing('this browser has no synchronous file handles')
  try {
    return { is: 'there', value: await storage.getDirectory() }
  } catch (error) {
    return missing(`the browser keeps no files for this page, as in a private window (${nameOf(error)})`)
  }
}

/** The directory of the store of `name`, if one was ever written below `root`. */
export async function findStore(root: DirectoryHandle, name: string): Promise<DirectoryHandle | undefined> {
  try {
    const directory = await (await root.getDirectoryHandle('anchorage')).getDirectoryHandle(name)
    for await (const file of directory.keys()) if (logName.test(file)) return directory
    return undefined
  } catch (error) {
    if (nameOf(error) === 'NotFoundError') return undefined
    throw error
  }
}

/** WebKitGTK has the function and refuses every call of it; Safari's private windows refuse even the file. */
export async function probeHandles(root: DirectoryHandle): Promise<Found<true>> {
  const name = `anchorage-probe-${probeCount++}-${Date.now()}`
  try {
    const file = await root.getFileHandle(name, { create: true })
    const handle = await file.createSyncAccessHandle?.()
    handle?.close()
    return handle === undefined ? missing('this browser has no synchronous file handles') : { is: 'there', value: true }
  } catch (error) {
    if (nameOf(error) === 'QuotaExceededError') return { is: 'there', value: true }
    return missing(`the browser does not open files synchronously (${nameOf(error)})`)
  } finally {
    // A leftover is empty and harmless; the next probe has a name of its own.
    await root.removeEntry(name).catch(() => {})
  }
}

let probeCount = 0

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
