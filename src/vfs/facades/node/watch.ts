// `fs.watch`: names that came, went or changed, without saying what exactly happened.

import { basename, isInside, parsePath, type VfsPath } from '../../../core/path.ts'
import type { Change } from '../../backend.ts'
import type { Vfs } from '../../vfs.ts'
import { abortError, asNode } from './errors.ts'

/** A change that `watch` reports. */
export interface WatchEvent {
  readonly eventType: 'rename' | 'change'
  /** From the watched directory; of a watched file its own name. */
  readonly filename: string
}

/** Options of `watch`. */
export interface WatchFileOptions {
  readonly recursive?: boolean
  readonly signal?: AbortSignal
  /** Events that wait for a slow reader; more are dropped. Default 2048. */
  readonly maxQueue?: number
}

/** Ends with the signal's AbortError, or when its reader stops. */
export async function* watchPath(
  vfs: Vfs,
  path: string,
  shown: string,
  options: WatchFileOptions,
): AsyncGenerator<WatchEvent, void> {
  const { signal, recursive = false, maxQueue = 2048 } = options
  // A function, for the compiler takes a property that it has seen false for false forever.
  const isAborted = (): boolean => signal?.aborted === true
  if (isAborted()) throw abortError(signal)
  const isDirectory = (await asNode({ syscall: 'watch', path: shown }, () => vfs.stat(path))).kind === 'directory'
  const top = parsePath(await vfs.realpath(path))
  const queue: WatchEvent[] = []
  let wake: () => void = () => {}
  const end = await vfs.watch(
    top,
    ({ changes }) => {
      for (const event of changes.flatMap(change => eventsOf(change, top, isDirectory))) {
        if (queue.length < maxQueue) queue.push(event)
      }
      wake()
    },
    { recursive },
  )
  const onAbort = (): void => wake()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      if (isAborted()) throw abortError(signal)
      const event = queue.shift()
      if (event !== undefined) yield event
      else {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    end()
  }
}

function eventsOf(change: Change, top: VfsPath, isDirectory: boolean): readonly WatchEvent[] {
  const eventType = change.type === 'modify' || change.type === 'attributes' ? 'change' : 'rename'
  const nameOf = (path: VfsPath): string | undefined => {
    if (path === top) return isDirectory ? undefined : basename(top)
    return isInside(path, top) ? path.slice(top === '/' ? 1 : top.length + 1) : undefined
  }
  const names = [change.oldPath, change.path].map(path => (path === undefined ? undefined : nameOf(path)))
  return names.flatMap(filename => (filename === undefined ? [] : [{ eventType, filename }]))
}
