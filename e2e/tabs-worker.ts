// What the tabs of e2e/tabs.spec.ts do, each in its own dedicated worker on one stored filesystem.

import { openOpfs } from 'anchorage/fs/opfs'

type Backend = Awaited<ReturnType<typeof openOpfs>>
type Path = Parameters<Backend['read']>[0]

export type Order =
  | { readonly do: 'open'; readonly name: string; readonly place?: 'opfs' | 'indexeddb' }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'flush' }
  /** Adds `count` words to the file, each by an edit of its own, and tells after each that it was done. */
  | { readonly do: 'edit'; readonly path: string; readonly tag: string; readonly count: number }
  | { readonly do: 'edited' }
  | { readonly do: 'heard' }

export type Answer = { readonly value: unknown } | { readonly code: string; readonly message: string; readonly details: unknown }

const path = (text: string): Path => text as Path
const encoder = new TextEncoder()
const decoder = new TextDecoder()

let fs: Backend | undefined
const heard: { readonly seq: number; readonly origin: 'own' | 'other'; readonly path: string }[] = []
const edited: string[] = []

/** What the file holds and a word more: on what was there, or not at all. */
async function addWord(backend: Backend, at: Path, word: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const { rev } = await backend.lookup(at)
    const before = decoder.decode(await backend.read(at))
    try {
      await backend.batch?.(transaction => transaction.write(at, encoder.encode(`${before}${word}\n`)), {
        expect: new Map([[at, rev]]),
      })
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESTALE')) throw error
    }
  }
  throw new Error(`${word}: others were always faster`)
}

async function edit(backend: Backend, { path: text, tag, count }: Order & { readonly do: 'edit' }): Promise<void> {
  for (let index = 0; index < count; index++) {
    const word = `${tag}.${index}`
    if (index % 2 === 0) await addWord(backend, path(text), word)
    else await backend.write(path(text), encoder.encode(`${word}\n`), { append: true })
    edited.push(word)
    // The other tabs' messages have their turn, as between two calls of a page.
    await new Promise(resolve => setTimeout(resolve))
  }
}

async function run(order: Order): Promise<unknown> {
  if (order.do === 'edited') return [...edited]
  if (order.do === 'heard') return [...heard]
  if (order.do === 'open') {
    fs = await openOpfs({ name: order.name, ...(order.place === undefined ? {} : { storage: [order.place] }) })
    fs.watch?.(path('/'), ({ changes }) => {
      for (const change of changes) {
        heard.push({ seq: change.seq, origin: change.origin === undefined ? 'own' : 'other', path: change.path })
      }
    })
    return fs.caps.sync
  }
  if (fs === undefined) throw new Error('nothing is open')
  switch (order.do) {
    case 'write':
      await fs.write(path(order.path), encoder.encode(order.text), { parents: true })
      return undefined
    case 'read':
      return decoder.decode(await fs.read(path(order.path)))
    case 'flush':
      return await fs.flush()
    case 'edit':
      return await edit(fs, order)
  }
}

addEventListener('message', ({ data, ports }: MessageEvent<Order>) => {
  const [port] = ports
  run(data).then(
    value => port?.postMessage({ value } satisfies Answer),
    (error: unknown) => {
      const { message } = error instanceof Error ? error : { message: String(error) }
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      const details = error instanceof Error && 'details' in error ? error.details : undefined
      port?.postMessage({ code, message, details } satisfies Answer)
    },
  )
})
