// The history of a store: numbered records in a database beside the store's.

import { deleteDB, openDB } from 'idb'
import type { NumberedRecord, RecordStorage } from '../../../core/record-storage.ts'
import type { VfsError } from '../../../vfs/error.ts'
import { besideStore } from './beside-store.ts'

type Table = 'heads' | 'bodies'

/** What was written together is one value of each table: a value costs much more than its bytes. Its key is the first number in it. */
interface Chunk {
  readonly key: number
  readonly records: Map<number, { readonly head: string; readonly start: number; readonly end: number }>
}

/** A chunk in the table of heads; a text is the head of a record by itself, as earlier releases wrote them. */
type StoredHeads = string | readonly (readonly [number: number, head: string, start: number, end: number])[]

/** The part of the library's object that we use. Declared here because the library's types depend on DOM types. */
interface Database {
  get(table: Table, key: number): Promise<unknown>
  getAll(table: Table): Promise<unknown[]>
  getAllKeys(table: Table): Promise<unknown[]>
  transaction(
    tables: readonly Table[],
    mode: 'readwrite',
    options: { readonly durability: 'relaxed' },
  ): { readonly done: Promise<void>; objectStore(table: Table): ObjectStore }
  close(): void
}

interface ObjectStore {
  put(value: StoredHeads | Uint8Array, key: number): Promise<unknown>
  delete(key: number): Promise<void>
}

/** How long changes are collected before they are written. */
const pauseMs = 1_000

export function historyDatabase(name: string, onProblem: (problem: VfsError) => void): RecordStorage {
  /** By the number of each record. */
  const chunks = new Map<number, Chunk>()
  let read: { readonly key: number; readonly bytes: unknown } | undefined
  const using = besideStore('history', () => open(name), onProblem)
  return {
    heads: () =>
      using(async database => {
        const [keys, values] = await Promise.all([database.getAllKeys('heads'), database.getAll('heads')])
        chunks.clear()
        for (const [index, key] of keys.entries()) {
          const chunk = chunkOf(Number(key), values[index] as StoredHeads)
          for (const number of chunk.records.keys()) chunks.set(number, chunk)
        }
        return [...chunks]
          .map(([number, { records }]) => [number, records.get(number)?.head ?? ''] as const)
          .toSorted(([a], [b]) => a - b)
      }, []),
    body: number =>
      using(async database => {
        const chunk = chunks.get(number)
        const place = chunk?.records.get(number)
        if (chunk === undefined || place === undefined) return undefined
        // An undo reads one record after the other.
        if (read?.key !== chunk.key) read = { key: chunk.key, bytes: await database.get('bodies', chunk.key) }
        return read.bytes instanceof Uint8Array ? read.bytes.slice(place.start, place.end) : undefined
      }, undefined),
    change: (added, removed) =>
      using(async database => {
        const { chunk, bytes } = chunkWith(added)
        const left = new Map<Chunk, Set<number>>()
        for (const number of removed) {
          const holding = chunks.get(number)
          if (holding === undefined) continue
          const numbers = left.get(holding) ?? new Set(holding.records.keys())
          numbers.delete(number)
          left.set(holding, numbers)
        }
        const transaction = database.transaction(['heads', 'bodies'], 'readwrite', { durability: 'relaxed' })
        const [heads, bodies] = [transaction.objectStore('heads'), transaction.objectStore('bodies')]
        const requests: Promise<unknown>[] = []
        if (added.length > 0) requests.push(heads.put(storedHeads(chunk), chunk.key), bodies.put(bytes, chunk.key))
        // The bytes of a removed record go with the last one that was written with it.
        for (const [holding, numbers] of left) {
          if (numbers.size === 0) requests.push(heads.delete(holding.key), bodies.delete(holding.key))
          else requests.push(heads.put(storedHeads(holding, numbers), holding.key))
        }
        await Promise.all([...requests, transaction.done])
        for (const number of chunk.records.keys()) chunks.set(number, chunk)
        for (const number of removed) {
          chunks.get(number)?.records.delete(number)
          chunks.delete(number)
        }
        return true
      }, false),
    pause: () => new Promise(resolve => void setTimeout(resolve, pauseMs)),
  }
}

function chunkWith(added: readonly NumberedRecord[]): { readonly chunk: Chunk; readonly bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(added.reduce((sum, { body }) => sum + body.length, 0))
  const records: Chunk['records'] = new Map()
  let start = 0
  for (const { number, head, body } of added) {
    bytes.set(body, start)
    records.set(number, { head, start, end: (start += body.length) })
  }
  return { chunk: { key: added[0]?.number ?? 0, records }, bytes }
}

function chunkOf(key: number, stored: StoredHeads): Chunk {
  const whole = { start: 0, end: Infinity }
  const records = Array.isArray(stored)
    ? stored.map(([number, head, start, end]) => [number, { head, start, end }] as const)
    : [[key, { head: String(stored), ...whole }] as const]
  return { key, records: new Map(records) }
}

function storedHeads({ records }: Chunk, only?: ReadonlySet<number>): StoredHeads {
  return [...records]
    .filter(([number]) => only === undefined || only.has(number))
    .map(([number, { head, start, end }]) => [number, head, start, end] as const)
}

/** Does nothing if the database does not exist. */
export async function deleteHistoryDatabase(name: string): Promise<void> {
  await deleteDB(nameOf(name))
}

async function open(name: string): Promise<Database> {
  const database = await openDB(nameOf(name), 1, {
    upgrade(fresh) {
      fresh.createObjectStore('heads')
      fresh.createObjectStore('bodies')
    },
  })
  return database as unknown as Database
}

function nameOf(name: string): string {
  return `anchorage-history:${name}`
}
