// Where the files of a store can be kept: in OPFS with synchronous handles, otherwise in IndexedDB, otherwise in memory until the page
// ends. Only a feature that the browser does not have counts as missing. A full disk, or a file that is in use, does not lead to another
// place.

import type { DirectoryHandle, Platform } from './platform.ts'

/** Where the files of a store can be kept. */
export type StorageKind = 'opfs' | 'indexeddb' | 'memory'

export const storageKinds: readonly StorageKind[] = ['opfs', 'indexeddb', 'memory']

/** Either the value, or the reason why it is missing, worded as the end of a sentence. */
export type Found<T> = { readonly is: 'there'; readonly value: T } | { readonly is: 'missing'; readonly reason: string }

/** Where the files of a store are, reported at each opening. */
export interface Persistence {
  readonly name: string
  readonly storage: StorageKind
  /** False in memory: the files are lost with the worker. */
  readonly persistent: boolean
  /** Why a better place cannot be used, or that this is the best one. A sentence for the user. */
  readonly message: string
}

/** The message of {@link Persistence} for the best place. */
export const messageInOpfs = 'The files are kept in the origin private file system.'

/** The names of the files that make up a log. */
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
    return missing(`the browser stores no files for this page, for example because the window is private (${nameOf(error)})`)
  }
}

/** The directory of the store `name`, if one was ever created below `root`. */
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

/** WebKitGTK has the function and refuses every call of it. Safari's private windows refuse even to create the file. */
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
    // A leftover file is empty and harmless, because the next probe uses another name.
    await root.removeEntry(name).catch(() => {})
  }
}

let probeCount = 0

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
