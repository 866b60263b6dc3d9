// Listings: names, entries with kinds, whole trees, and a directory that is read one entry at a time.

import { childPath, type VfsPath } from '../../../core/path.ts'
import type { EntryKind } from '../../backend.ts'
import { isVfsError } from '../../error.ts'
import { call, type Primitives, type Steps } from '../../steps.ts'
import { checkFunction, coded } from './arguments.ts'
import { decoded, encoded } from './encodings.ts'
import { ownError } from './errors.ts'
import { normal } from './paths.ts'
import { NodeDirent } from './stats.ts'
import { asCall, type NodeSystem } from './system.ts'

/** Options of `readdir`. */
export interface ReaddirOptions {
  readonly encoding?: string | null
  readonly withFileTypes?: boolean
  readonly recursive?: boolean
}

/** Names, or entries with `withFileTypes`. */
export type ReaddirResult = string[] | NodeDirent[] | Uint8Array[]

/** `shown` is the path as it was given; the names in a recursive listing start below it. */
export function* readDirectory(
  system: NodeSystem,
  path: VfsPath,
  shown: string,
  options: ReaddirOptions & { readonly parent?: Uint8Array | undefined },
  asBuffer: (bytes: Uint8Array) => Uint8Array,
): Steps<ReaddirResult> {
  const bytesOf = (name: string): Uint8Array => asBuffer(encoded(name, 'utf8'))
  // Node reads this option without checking its type.
  const withFileTypes = Boolean(options.withFileTypes)
  const encoding = options.encoding || 'utf8'
  const nameAs = (name: string): string | Uint8Array =>
    encoding === 'buffer' ? bytesOf(name) : encoding === 'utf8' ? name : String(decoded(encoded(name, 'utf8'), encoding))
  const isRecursive = options.recursive === true
  // Node follows links if it returns only names.
  const depth = !isRecursive ? 'one level' : withFileTypes ? 'all levels' : 'all levels, through links'
  const found = yield* visited(system, 'scandir', path, shown, depth, withFileTypes ? nameAs : undefined)
  const { parent } = options
  if (withFileTypes) {
    return found.map(({ entry, below, kind }) =>
      parent === undefined || below.includes('/') ? entry : new NodeDirent(entry.name, kind, parent),
    )
  }
  // All of one type, because there is one encoding.
  return found.map(({ below }) => nameAs(below)) as string[] | Uint8Array[]
}

type Depth = 'one level' | 'all levels' | 'all levels, through links'

interface Listing {
  readonly path: VfsPath
  readonly shown: string
  /** From the top, with a slash at the end; empty for the top. */
  readonly below: string
  /** The real paths of the directory and of those that it was reached through. */
  readonly way: readonly VfsPath[]
}

interface Visited {
  readonly entry: NodeDirent
  readonly kind: EntryKind
  /** The path from the top. */
  readonly below: string
}

/** The entries of a directory, and those of the directories below, level by level. */
export function* listed(...args: Parameters<typeof visited>): Steps<NodeDirent[]> {
  return (yield* visited(...args)).map(({ entry }) => entry)
}

function* visited(
  { on, rights }: NodeSystem,
  syscall: 'scandir' | 'opendir',
  top: VfsPath,
  shown: string,
  depth: Depth,
  nameAs: (name: string) => string | Uint8Array = name => name,
): Steps<Visited[]> {
  const found: Visited[] = []
  const pending: Listing[] = [{ path: top, shown, below: '', way: [top] }]
  for (const directory of pending) {
    if (directory.below !== '') yield* asCall({ syscall, path: directory.shown }, () => rights.list(directory.path, syscall))
    for (const { name, kind } of yield* call(on, 'list', directory.path)) {
      const below = `${directory.below}${name}`
      found.push({ entry: new NodeDirent(nameAs(name), kind, directory.shown), kind, below })
      if (depth === 'one level') continue
      const at = childPath(directory.path, name)
      const isLink = kind === 'symlink' && depth === 'all levels, through links'
      const path = kind === 'directory' ? at : isLink ? yield* directoryBehind(on, at) : undefined
      // If Node returns only names, it looks up each one, and does not enter a directory whose lookup fails.
      if (depth !== 'all levels' && !(yield* rights.isReachable(at))) continue
      // Node follows a cycle of links until Linux refuses the path. With two such links that takes exponential time.
      if (path === undefined || directory.way.includes(path)) continue
      pending.push({
        path,
        shown: normal(`${directory.shown}/${name}`),
        below: `${below}/`,
        way: [...directory.way, path],
      })
    }
  }
  return found
}

function* directoryBehind(on: Primitives, link: VfsPath): Steps<VfsPath | undefined> {
  try {
    const path = yield* call(on, 'realpath', link)
    return (yield* call(on, 'lookup', path)).kind === 'directory' ? path : undefined
  } catch (error) {
    if (isVfsError(error)) return undefined
    throw error
  }
}

/** Node's `Dir`. The listing is taken when it is opened. */
export class NodeDir {
  /** As programs see it in Node. */
  static readonly name: string = 'Dir'
  readonly #path: string | Uint8Array
  readonly #entries: readonly NodeDirent[]
  readonly #bufferSize: number
  #nextIndex = 0
  /** The number of entries that calls have loaded so far. A call that needs more waits for them. */
  #loaded = 0
  #isClosed = false
  #waiting = 0

  constructor(entries: readonly NodeDirent[], path: string | Uint8Array, bufferSize: number) {
    if (!Array.isArray(entries)) throw coded(new TypeError('The "handle" argument must be specified'), 'ERR_MISSING_ARGS')
    this.#bufferSize = bufferSize
    this.#path = path
    this.#entries = entries
    // Not in the types: a consumer's compiler may not know these symbols, and a platform may not have them.
    const { dispose, asyncDispose } = Symbol as { readonly dispose?: symbol; readonly asyncDispose?: symbol }
    if (dispose !== undefined) Object.defineProperty(this, dispose, { value: () => this.#isClosed || this.closeSync() })
    if (asyncDispose !== undefined)
      Object.defineProperty(this, asyncDispose, { value: async () => this.#isClosed || this.closeSync() })
  }

  /** The path as it was given to `opendir`. */
  get path(): string {
    // With the encoding `buffer` it is bytes, which the caller expects.
    return this.#path as string
  }

  entries(): AsyncGenerator<NodeDirent, void> {
    return this[Symbol.asyncIterator]()
  }

  /** The next entry; null after the last. */
  read(): Promise<NodeDirent | null>
  read(callback: (error: Error | null, entry?: NodeDirent | null) => void): void
  read(callback?: (error: Error | null, entry?: NodeDirent | null) => void): Promise<NodeDirent | null> | void {
    // Node throws this instead of rejecting with it.
    this.#checkOpen()
    if (callback !== undefined) checkFunction('callback', callback)
    if (this.#waiting > 0 || this.#nextIndex >= this.#loaded) return this.#answered(() => this.#next(), callback)
    const entry = this.#next()
    return this.#answered(() => entry, callback, false)
  }

  readSync(): NodeDirent | null {
    this.#checkIdle()
    return this.#next()
  }

  #next(): NodeDirent | null {
    this.#checkOpen()
    if (this.#nextIndex >= this.#loaded) this.#loaded = Math.min(this.#loaded + this.#bufferSize, this.#entries.length)
    return this.#entries[this.#nextIndex++] ?? null
  }

  close(): Promise<void>
  close(callback: (error: Error | null) => void): void
  close(callback?: (error: Error | null) => void): Promise<void> | void {
    if (callback !== undefined) checkFunction('callback', callback)
    // Calls that wait for an answer come first.
    if (this.#waiting > 0 || this.#isClosed) return this.#answered(() => this.#close(), callback)
    this.#close()
    return this.#answered(() => undefined, callback)
  }

  closeSync(): void {
    this.#checkIdle()
    this.#close()
  }

  #close(): void {
    this.#checkOpen()
    this.#isClosed = true
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NodeDirent, void> {
    try {
      for (let entry = this.#next(); entry !== null; entry = this.#next()) yield entry
    } finally {
      if (!this.#isClosed) this.#close()
    }
  }

  #checkOpen(): void {
    if (this.#isClosed) throw ownError('ERR_DIR_CLOSED', 'Directory handle was closed')
  }

  /** While an asynchronous call has not answered, a synchronous one is refused, as in Node. */
  #checkIdle(): void {
    this.#checkOpen()
    if (this.#waiting > 0) {
      throw ownError(
        'ERR_DIR_CONCURRENT_OPERATION',
        'Cannot do synchronous work on directory handle with concurrent asynchronous operations',
      )
    }
  }

  #answered<T>(act: () => T, callback: ((error: Error | null, value?: T) => void) | undefined, isWork = true): Promise<T> | void {
    if (callback !== undefined) checkFunction('callback', callback)
    const done = isWork ? this.#soon(act) : Promise.resolve(act())
    if (callback === undefined) return done
    void settle(done, callback)
  }

  async #soon<T>(act: () => T): Promise<T> {
    this.#waiting++
    try {
      await Promise.resolve()
      return act()
    } finally {
      this.#waiting--
    }
  }
}

async function settle<T>(done: Promise<T>, callback: (error: Error | null, value?: T) => void): Promise<void> {
  let answer: readonly [error: Error | null, value?: T]
  try {
    const value = await done
    answer = value === undefined ? [null] : [null, value]
  } catch (error) {
    answer = [error instanceof Error ? error : new Error(String(error))]
  }
  queueMicrotask(() => callback(...answer))
}
