// A walk across the wire as an async iterable. Chunks are fetched as they are consumed, so a page that stops early costs one chunk.

import type { WalkEntry, WalkOptions } from '../vfs/vfs.ts'
import type { Connection } from './connection.ts'
import type { WireWalkOptions } from './wire.ts'

/** The options without the signal, which stays on the page. */
export function withoutSignal({ signal: _signal, ...options }: WalkOptions): WireWalkOptions {
  return options
}

export async function* walkAcross(
  connect: () => Promise<Connection['request']>,
  root: string,
  options: WireWalkOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<WalkEntry, void, undefined> {
  signal?.throwIfAborted()
  const request = await connect()
  const walkId = await request('openWalk', [root, options])
  let isOpen = true
  try {
    while (isOpen) {
      const chunk = await request('nextWalk', [walkId], { signal, label: `walk ${root}` })
      isOpen = !chunk.isDone
      for (const entry of chunk.entries) {
        signal?.throwIfAborted()
        yield entry
      }
    }
  } catch (error) {
    // A failed walk is closed in the worker. One that was aborted here is still open there.
    isOpen &&= signal?.aborted === true
    throw error
  } finally {
    if (isOpen) await closeQuietly(request, walkId)
  }
}

async function closeQuietly(request: Connection['request'], walkId: number): Promise<void> {
  try {
    await request('closeWalk', [walkId])
  } catch {
    // This fails only if the worker is lost, and then the walk is gone too. It must not hide the reason for leaving the loop.
  }
}
