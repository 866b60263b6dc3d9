// Opens a database for one piece of work: loads the engine on first use, includes the files beside it, and fetches what is read.

import { nextTurn } from '../../core/pause.ts'
import type { Engine } from './capi.ts'
import { Connection, SqlError, type ConnectionUse } from './connection.ts'
import { EngineFiles } from './file-system.ts'
import { MissingBytes, PagedFile, PieceCache, type RangeSource } from './paged-file.ts'

/** A database with its journals: SQLite takes their content into account. */
export interface DatabaseFiles {
  readonly main: RangeSource
  /** The write-ahead log, `-wal`. */
  readonly wal?: RangeSource | undefined
  /** The rollback journal, `-journal`. */
  readonly journal?: RangeSource | undefined
}

/** The changes of a piece of work; an empty file was removed. Absent: unchanged. */
export interface ChangedFiles {
  readonly main?: Uint8Array
  readonly wal?: Uint8Array
  readonly journal?: Uint8Array
}

/** The engine cannot run here, and why. */
export class EngineUnavailable extends Error {}

/** The work needed more of a slow database than may be kept in memory. */
export class TooMuchRead extends Error {}

/** How much of a database is kept in memory if its bytes arrive later. */
const heldMaxBytes = 192 * 1024 * 1024
/** Each attempt fetches more than the previous one, so this number is enough to reach the memory limit. */
const maxAttempts = 500

const names = { main: 'db', wal: 'db-wal', journal: 'db-journal' } as const

/** The header of a database, whose first part is always the same. */
export const headBytes = 100
const magicBytes = 16
const magic = 'SQLite format 3\0'

/** Whether a file that starts like this is a database. */
export function isDatabase(head: Uint8Array): boolean {
  return head.length >= magicBytes && String.fromCharCode(...head.subarray(0, magicBytes)) === magic
}

const encodingOffset = 59
const utf8 = 1

/** Whether the database uses UTF-16, which this engine does not support: it would show wrong characters. */
export function isUtf16(head: Uint8Array): boolean {
  return isDatabase(head) && (head[encodingOffset] ?? utf8) > utf8
}

/**
 * Runs `work` on an open database. It may run several times with the same content, until all that it reads is here: it must change
 * nothing except the database. Throws what `work` throws, {@link EngineUnavailable}, {@link TooMuchRead}, {@link SqlError}.
 */
export async function withDatabase<T>(
  files: DatabaseFiles,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<T>,
  use: ConnectionUse = 'document',
): Promise<{ readonly result: T; readonly changed: ChangedFiles }> {
  const caches = Object.entries(names).flatMap(([role, name]) => {
    const source = files[role as keyof typeof names]
    return source === undefined ? [] : [{ name, cache: new PieceCache(source, heldMaxBytes) }]
  })
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    signal.throwIfAborted()
    const { engine, engineFiles } = await loadEngine()
    const table = new Map(caches.map(({ name, cache }) => [name as string, new PagedFile(cache)]))
    let connection: Connection | undefined
    try {
      connection = new Connection(engine, engineFiles, String(++opened), table, use)
      const result = await work(connection)
      connection.close()
      if (!caches.some(({ cache }) => cache.isWaiting)) return { result, changed: changedFiles(table, caches) }
    } catch (error) {
      // A trap leaves the engine's memory in an unknown state, so the next call gets a new engine.
      if (isTrap(error)) dropEngine()
      else connection?.close()
      if (!caches.some(({ cache }) => cache.isWaiting) && !(error instanceof MissingBytes)) throw translate(error)
    }
    for (const { cache } of caches) {
      await cache.arrived()
      if (cache.isOverLimit) throw new TooMuchRead()
    }
    await nextTurn()
  }
  throw new TooMuchRead()
}

let opened = 0
let loading: Promise<{ engine: Engine; engineFiles: EngineFiles }> | undefined

function dropEngine(): void {
  loading = undefined
}

function loadEngine(): Promise<{ engine: Engine; engineFiles: EngineFiles }> {
  loading ??= startEngine()
  loading.catch(dropEngine)
  return loading
}

async function startEngine(): Promise<{ engine: Engine; engineFiles: EngineFiles }> {
  refuseWithoutCompiler()
  const { startEngine: start } = await import('./engine.ts')
  const engine = await start()
  return { engine, engineFiles: new EngineFiles(engine) }
}

/** The smallest valid module. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

/** Cloudflare Workers and pages with a strict policy do not compile modules at run time. */
function refuseWithoutCompiler(): void {
  const { WebAssembly } = globalThis as { WebAssembly?: { readonly Module: new (bytes: Uint8Array) => unknown } }
  if (WebAssembly === undefined) throw new EngineUnavailable('there is no WebAssembly')
  try {
    Reflect.construct(WebAssembly.Module, [emptyModule])
  } catch (error) {
    throw new EngineUnavailable(error instanceof Error ? error.message : String(error))
  }
}

function changedFiles(
  table: ReadonlyMap<string, PagedFile>,
  caches: readonly { readonly name: string; readonly cache: PieceCache }[],
): ChangedFiles {
  const changed: { main?: Uint8Array; wal?: Uint8Array; journal?: Uint8Array } = {}
  for (const role of ['main', 'wal', 'journal'] as const) {
    const name = names[role]
    const before = caches.find(cached => cached.name === name)
    const file = table.get(name)
    if (before === undefined || file?.isChanged === false) continue
    // SQLite removes a journal at the end; an empty one means the same.
    changed[role] = file === undefined ? new Uint8Array() : file.bytes()
  }
  return changed
}

function isTrap(error: unknown): boolean {
  const { WebAssembly } = globalThis as { WebAssembly?: { readonly RuntimeError?: abstract new () => Error } }
  return WebAssembly?.RuntimeError !== undefined && error instanceof WebAssembly.RuntimeError
}

function translate(error: unknown): unknown {
  return isTrap(error) ? new SqlError('the database made SQLite fail; it is damaged', 11) : error
}
