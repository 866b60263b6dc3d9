// Collects the output of a script, so that many short writes become one message. The buffer is sent when it is full, after a
// short time, and always before the script waits, so that no output is lost if the script is ended.

import { joinBytes } from '../../core/bytes.ts'

export interface OutputBuffer {
  add(channel: 'stdout' | 'stderr', bytes: Uint8Array): void
  flush(): void
  /** Called at each step of a busy script. Sends output that has waited long enough. */
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
    // The part is copied because the result is transferred, while the interpreter may still use the original.
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
