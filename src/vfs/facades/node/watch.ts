// `fs.watch`: reports names that appeared, disappeared or changed, without details.

import { basename, isInside, type VfsPath } from '../../../core/path.ts'
import type { Change, ChangeBatch, Unsubscribe } from '../../backend.ts'
import { backendOf } from '../../backend-of.ts'
import { call, type Steps } from '../../steps.ts'
import { checkBoolean, checkFunction, checkInteger, checkSignal, invalidValue, optionsOf } from './arguments.ts'
import { Emitter } from './emitter.ts'
import { checkEncoding, encoded } from './encodings.ts'
import { abortError, nodeError, ownError } from './errors.ts'
import type { NodePath } from './paths.ts'
import { BigIntStats, NodeStats } from './stats.ts'
import { asCall, type NodeSystem, used } from './system.ts'

/** One event of `fs.promises.watch`. */
export interface WatchEvent {
  readonly eventType: 'rename' | 'change'
  /** Relative to the watched directory; for a watched file its name. */
  readonly filename: string | Uint8Array
}

/** Options of `watch`. */
export interface WatchFileOptions {
  readonly persistent?: boolean
  readonly recursive?: boolean
  readonly encoding?: string | null
  readonly signal?: AbortSignal
  /** The number of events that wait for a slow reader; further ones are dropped. Default 2048. */
  readonly maxQueue?: number
  /** The action when the queue is full: `ignore` (default) drops the event, `error` ends the watch with ERR_FS_WATCH_QUEUE_OVERFLOW. */
  readonly overflow?: 'ignore' | 'error'
}

interface Watched {
  readonly top: VfsPath
  readonly isDirectory: boolean
  /** The name of a watched file in events: the last name of the given path, which may be a link. */
  readonly name: string
}

/** `isPromised`: the function in `promises` takes no encoding instead of options, and checks `persistent`. */
export function parseWatchOptions(given: unknown, isPromised: boolean): WatchFileOptions {
  const options = optionsOf<WatchFileOptions>(given, !isPromised)
  if (isPromised) checkBoolean('options.persistent', options.persistent ?? true)
  if (isPromised ? (options.recursive ?? false) !== false : options.recursive)
    checkBoolean('options.recursive', options.recursive)
  checkEncoding(options.encoding)
  checkSignal(options.signal)
  const { maxQueue, overflow = 'ignore' } = options
  if (maxQueue !== undefined) checkInteger('options.maxQueue', maxQueue)
  if (overflow !== 'ignore' && overflow !== 'error')
    throw invalidValue('options.overflow', overflow, "must be one of: 'ignore', 'error'")
  return options
}

/** The target of a watch. Its steps run before the watch is set. */
export function watched(system: NodeSystem, path: NodePath): Steps<Watched> {
  const given = system.given(path)
  return asCall({ syscall: 'watch', path: given.shown || undefined }, function* () {
    const at = yield* used(system, given, 'watch')
    const { kind } = yield* call(system.on, 'lookup', at)
    return { top: yield* call(system.on, 'realpath', at), isDirectory: kind === 'directory', name: basename(at) }
  })
}

/** Sets the watch at once if the filesystem is in this thread, so that no change is missed; otherwise soon. */
export function subscribe(
  system: NodeSystem,
  watched: Watched,
  options: WatchFileOptions,
  onEvent: (event: WatchEvent) => void,
  onError: (error: unknown) => void,
): Unsubscribe {
  const { top } = watched
  const { recursive = false } = options
  const listener = ({ changes }: ChangeBatch): void => {
    for (const change of changes) {
      for (const event of eventsOf(change, watched, recursive)) {
        const { encoding } = options
        const isPlain = !encoding || encoding === 'utf8'
        onEvent(isPlain ? event : { ...event, filename: system.shown(encoded(event.filename, 'utf8'), encoding) })
      }
    }
  }
  const backend = backendOf(system.vfs)
  const settings = { recursive }
  if (backend?.watch !== undefined) return backend.watch(top, listener, settings)
  let isEnded = false
  let end: Unsubscribe | undefined
  system.vfs.watch(top, listener, settings).then(
    unsubscribe => {
      if (isEnded) unsubscribe()
      else end = unsubscribe
    },
    (error: unknown) => onError(nodeError({ syscall: 'watch', path: top }, error)),
  )
  return () => {
    isEnded = true
    end?.()
  }
}

/** The result of `fs.watch`: an emitter of `change`, `error` and `close`. */
export class NodeWatcher extends Emitter {
  static override readonly name: string = 'FSWatcher'
  #end: Unsubscribe | undefined
  #isClosed = false

  start(system: NodeSystem, target: Watched, options: WatchFileOptions): void {
    if (this.#isClosed) return
    const onEvent = ({ eventType, filename }: WatchEvent): void => void this.emit('change', eventType, filename)
    this.#end = subscribe(system, target, options, onEvent, error => this.fail(error))
    const { signal } = options
    if (signal?.aborted === true) queueMicrotask(() => this.close())
    signal?.addEventListener('abort', () => this.close(), { once: true })
  }

  fail(error: unknown): void {
    if (!this.#isClosed) this.emit('error', error)
  }

  /** May be called twice. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#end?.()
    queueMicrotask(() => this.emit('close'))
  }

  /** A watch keeps no process alive. */
  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

/** `fs.promises.watch`. Its first step checks the options and sets the watch. Ends with the signal's AbortError, or when the consumer stops reading. */
export async function* watchPath(
  system: NodeSystem,
  find: () => Watched | Promise<Watched>,
  given: unknown,
): AsyncGenerator<WatchEvent, void> {
  const options = parseWatchOptions(given, true)
  const { signal, maxQueue = 2048, overflow } = options
  // A function, because the compiler would assume that a property that was false stays false.
  const isAborted = (): boolean => signal?.aborted === true
  if (isAborted()) throw abortError(signal)
  const queue: WatchEvent[] = []
  let wake: () => void = () => {}
  let failure: { readonly error: unknown } | undefined
  const found = find()
  const end = subscribe(
    system,
    found instanceof Promise ? await found : found,
    options,
    event => {
      if (queue.length < maxQueue) queue.push(event)
      else if (overflow === 'error') {
        const message = `fs.watch() queued more than ${maxQueue} events`
        failure ??= { error: ownError('ERR_FS_WATCH_QUEUE_OVERFLOW', message) }
      }
      wake()
    },
    error => {
      failure = { error }
      wake()
    },
  )
  const onAbort = (): void => wake()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      if (isAborted()) throw abortError(signal)
      if (failure !== undefined) throw failure.error
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

interface NamedEvent {
  readonly eventType: 'rename' | 'change'
  readonly filename: string
}

function eventsOf(change: Change, { top, isDirectory, name }: Watched, isRecursive: boolean): readonly NamedEvent[] {
  const eventType = change.type === 'modify' || change.type === 'attributes' ? 'change' : 'rename'
  const nameOf = (path: VfsPath): string | undefined => {
    if (path === top) return isDirectory ? undefined : name
    if (!isInside(path, top)) return undefined
    const below = path.slice(top === '/' ? 1 : top.length + 1)
    // A move between the watched directory and one below it has a name in each.
    return isRecursive || !below.includes('/') ? below : undefined
  }
  const names = [change.oldPath, change.path].map(path => (path === undefined ? undefined : nameOf(path)))
  return names.flatMap(filename => (filename === undefined ? [] : [{ eventType, filename }]))
}

type AnyStats = NodeStats | BigIntStats
type StatListener = (current: AnyStats, previous: AnyStats) => void

/** Options of `watchFile`. */
export interface StatWatchOptions {
  /** Milliseconds between two lookups of the file; default 5007. */
  readonly interval: number
  readonly bigint: boolean
  /** Default true: a watcher keeps the process alive. */
  readonly persistent: boolean
}

interface Timer {
  ref?(): unknown
  unref?(): unknown
}

/** `fs.watchFile`: polls one file or name. */
export class StatWatcher extends Emitter {
  readonly #look: () => Promise<AnyStats>
  readonly #intervalMs: number
  #isPersistent: boolean
  #previous: AnyStats | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(look: () => Promise<AnyStats>, { interval = 5007, persistent = true }: Partial<StatWatchOptions>) {
    super()
    this.#look = look
    this.#intervalMs = interval
    this.#isPersistent = persistent
    void this.#tick()
  }

  listen(listener: unknown): void {
    checkFunction('listener', listener)
    this.on('change', listener as StatListener)
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    clearTimeout(this.#timer)
    queueMicrotask(() => this.emit('stop'))
  }

  /** The process stays alive while the file is watched. */
  ref(): this {
    this.#isPersistent = true
    ;(this.#timer as Timer | undefined)?.ref?.()
    return this
  }

  unref(): this {
    this.#isPersistent = false
    ;(this.#timer as Timer | undefined)?.unref?.()
    return this
  }

  async #tick(): Promise<void> {
    const current = await this.#look()
    if (this.#isStopped) return
    const previous = this.#previous ?? current
    this.#previous = current
    const isFirstMissing = previous === current && Number(current.nlink) === 0
    const hasChanged =
      current.mtimeMs !== previous.mtimeMs || current.ctimeMs !== previous.ctimeMs || current.ino !== previous.ino
    if (hasChanged || isFirstMissing) this.emit('change', current, previous)
    this.#timer = setTimeout(() => void this.#tick(), this.#intervalMs)
    if (!this.#isPersistent) this.unref()
  }
}

/** The stats that `watchFile` reports for a missing name. */
export function missingStats(isBig: boolean): AnyStats {
  const nothing = new NodeStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  return isBig ? new BigIntStats(nothing) : nothing
}
