// The worker that the OPFS tests end at any moment: it does what a message says and answers when it is done.

import { childPath, parsePath, rootPath } from '../../core/path.ts'
import { openOpfs, type OpfsBackend, type OpfsOptions, type Persistence } from '../../backends/opfs/index.ts'
import { transactionsForever } from './marks.ts'
import { type ContractRow, runContract } from '../contract.ts'
import { hasCapability } from '../vfs-contract/context.ts'
import { vfsContract } from '../vfs-contract/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { capsOf, type SubjectName, subjects } from './subjects.ts'

export type Order =
  | { readonly do: 'row'; readonly index: number; readonly subject: SubjectName }
  | { readonly do: 'open'; readonly options: OpfsOptions }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'list' }
  | { readonly do: 'flush' }
  | { readonly do: 'flush-mirror' }
  | { readonly do: 'close' }
  | { readonly do: 'commit-forever' }
  | { readonly do: 'wipe' }
  /** From now on the browser seems not to have this feature. */
  | { readonly do: 'take-away'; readonly what: 'opfs' | 'indexeddb' }
  | { readonly do: 'facts' }

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string }
  /** For `commit-forever`: this many transactions were flushed. */
  | { readonly flushed: number }

let storeCount = 0
const rowsPerStore = 20
/** Opening a store takes longer than most rows, so the store of a row is emptied and used for the next one. */
const left = new Map<SubjectName, { readonly store: OpfsBackend; readonly rowCount: number }>()

function rowOf(subject: SubjectName, index: number): ContractRow | undefined {
  const used = left.get(subject)
  left.delete(subject)
  const rows = runContract(vfsContract, {
    can: capability => hasCapability(capsOf(subject), capability),
    async open() {
      const context = used?.store ?? (await openOpfs({ name: `contract-${subject}-${storeCount++}`, ...subjects[subject] }))
      return { context, close: () => leave(subject, context, (used?.rowCount ?? 0) + 1) }
    },
  })
  return rows[index]
}

async function leave(subject: SubjectName, store: OpfsBackend, rowCount: number): Promise<void> {
  if (rowCount === rowsPerStore) return await store.close()
  const fs = createVfs(store)
  for (const { name } of await fs.readdir(rootPath)) await fs.rm(childPath(rootPath, name), { recursive: true })
  left.set(subject, { store, rowCount })
}

let backend: OpfsBackend | undefined
let persistence: Persistence | undefined
let warnings = 0
const warn = console.warn.bind(console)
console.warn = (...said: unknown[]) => {
  warnings++
  warn(...said)
}

function takeAway(what: 'opfs' | 'indexeddb'): void {
  if (what === 'indexeddb') Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
  else {
    const refused = (): Promise<never> => Promise.reject(new DOMException('as in a private window', 'SecurityError'))
    Object.defineProperty(navigator.storage, 'getDirectory', { value: refused })
  }
}

async function run(order: Order): Promise<unknown> {
  if (order.do === 'row') return await rowOf(order.subject, order.index)?.run()
  if (order.do === 'wipe') {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry('anchorage', { recursive: true }).catch(() => {})
    for (const { name } of await indexedDB.databases())
      if (name?.startsWith('anchorage:') === true) indexedDB.deleteDatabase(name)
    return undefined
  }
  if (order.do === 'open') {
    const onPersistence = (told: Persistence): void => {
      persistence = told
    }
    backend = await openOpfs({ ...order.options, onPersistence })
    return undefined
  }
  if (order.do === 'take-away') return takeAway(order.what)
  const fs = backend
  if (fs === undefined) throw new Error('nothing is open')
  switch (order.do) {
    case 'write':
      await fs.write(parsePath(order.path), new TextEncoder().encode(order.text), { parents: true })
      return undefined
    case 'read':
      return new TextDecoder().decode(await fs.read(parsePath(order.path)))
    case 'remove':
      return await fs.remove(parsePath(order.path), 'file')
    case 'list': {
      const found: Record<string, string> = {}
      const visit = async (at: typeof rootPath): Promise<void> => {
        for (const { name, kind } of await fs.list(at)) {
          const path = childPath(at, name)
          if (kind === 'directory') await visit(path)
          else if (kind === 'file') found[path] = new TextDecoder().decode(await fs.read(path))
        }
      }
      await visit(rootPath)
      return found
    }
    case 'flush':
      return await fs.flush()
    case 'facts':
      return { persistence, warnings, caps: fs.caps, usage: await fs.usage?.() }
    case 'flush-mirror':
      return await fs.flushMirror()
    case 'close':
      return await fs.close()
    case 'commit-forever':
      return await transactionsForever(fs, flushed => postMessage({ flushed } satisfies Answer))
  }
}

addEventListener('message', (event: MessageEvent<Order>) => {
  run(event.data).then(
    value => postMessage({ ok: true, value } satisfies Answer),
    (error: unknown) => {
      const { message } = error instanceof Error ? error : { message: String(error) }
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      postMessage({ ok: false, code, message } satisfies Answer)
    },
  )
})
