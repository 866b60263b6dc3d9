// A script may print a million words, each a message. They are sent together: when they are many, when they have waited, and always
// before the script waits for something, so that nothing it said is lost when it is ended.

import { joinBytes } from '../../core/bytes.ts'

export interface OutputBuffer {
  add(channel: 'stdout' | 'stderr', bytes: Uint8Array): void
  flush(): void
  /** Called at every turn of a busy script: sends what has waited long enough. */
  flushOld(): void
}

const maxWaitMs = 20
const maxBufferedBytes = 64 * 1024

export function createOutputBuffer(
  send: (channel: 'stdout' | 'stderr', bytes: Uint8Array) => void,
  now: () => number = () => performance.now(),
): OutputBuffer {
  let channel: 'stdout' | 'stderr' = 'stdout'
  let parts: Uint8Array[] = []
  let sizeBytes = 0
  let sentAtMs = Number.NEGATIVE_INFINITY
  const flush = (): void => {
    if (sizeBytes === 0) return
    // A copy, also of a single part: it is sent away for good, and the interpreter may keep its own.
    const bytes = joinBytes(parts, sizeBytes)
    parts = []
    sizeBytes = 0
    sentAtMs = now()
    send(channel, bytes)
  }
  const flushOld = (): void => {
    if (sizeBytes > 0 && now() - sentAtMs >= maxWaitMs) flush()
  }
  return {
    add: (added, bytes) => {
      if (bytes.length === 0) return
      if (added !== channel) flush()
      channel = added
      parts.push(bytes)
      sizeBytes += bytes.length
      if (sizeBytes >= maxBufferedBytes) flush()
      else flushOld()
    },
    flush,
    flushOld,
  }
}
