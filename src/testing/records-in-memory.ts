// The storage of a history as a stored filesystem has it, in memory: it outlives a history, and a test can damage it.

import type { RecordStorage } from '../core/record-storage.ts'

export interface RecordsInMemory extends RecordStorage {
  readonly stored: Map<number, { readonly head: string; readonly body: Uint8Array }>
}

/** `hasRoom`: whether a change is taken. */
export function recordsInMemory(hasRoom: () => boolean = () => true): RecordsInMemory {
  const stored: RecordsInMemory['stored'] = new Map()
  return {
    stored,
    heads: async () => [...stored].map(([number, { head }]) => [number, head] as const),
    body: async number => stored.get(number)?.body.slice(),
    async change(added, removed) {
      if (!hasRoom()) return false
      for (const { number, head, body } of added) stored.set(number, { head, body: body.slice() })
      for (const number of removed) stored.delete(number)
      return true
    },
    pause: async () => {},
  }
}
