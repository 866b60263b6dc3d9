// Asks the browser not to evict this site's files when the disk is full.

import { browserPlatform, type StorageManager } from './platform.ts'

/** The browser's answer to `requestPersistence`. */
export type PersistencePermission = 'granted' | 'denied' | 'no-answer' | 'unsupported'

let asked: Promise<PersistencePermission> | undefined

/**
 * Call it on the page, preferably after a user action: workers cannot ask, and Firefox shows a prompt. However often it is called, it asks
 * once. Resolves to `no-answer` after `timeoutMs` (default 5,000), because Firefox waits for the user without a limit.
 */
export function requestPersistence(timeoutMs = 5_000): Promise<PersistencePermission> {
  asked ??= ask(browserPlatform().storage, timeoutMs)
  return asked
}

async function ask(storage: StorageManager | undefined, timeoutMs: number): Promise<PersistencePermission> {
  if (storage?.persist === undefined) return 'unsupported'
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<PersistencePermission>(resolve => {
    timer = setTimeout(() => resolve('no-answer'), timeoutMs)
  })
  try {
    return await Promise.race([storage.persist().then(isGranted => (isGranted ? 'granted' : 'denied')), silence])
  } finally {
    clearTimeout(timer)
  }
}
