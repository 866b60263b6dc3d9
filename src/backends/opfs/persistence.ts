// Asks the browser not to evict this site's files when the disk is full.

import { browserPlatform, type StorageManager } from './platform.ts'

/** The browser's answer to `requestPersistence`. */
export type PersistencePermission = 'granted' | 'denied' | 'no-answer' | 'unsupported'

let asked: Promise<PersistencePermission> | undefined

/**
 * Call it on the page, best after the person did something: workers cannot ask, and Firefox shows a question. It asks once however often
 * it is called. `no-answer` after `timeoutMs` (default 5,000): Firefox waits for the person, perhaps for ever.
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
