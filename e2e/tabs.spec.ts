// One stored filesystem in several tabs of a real browser: they all work, one of them dies or sleeps, and nothing is lost or done twice.

import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, test, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import { build } from 'esbuild'
import type { Answer, Order } from './tabs-worker.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let server: Server
let origin = ''

test.beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [here('tabs-worker.ts')],
    alias: { 'anchorage/fs/opfs': here('../src/backends/opfs/index.ts') },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const script = outputFiles[0]?.text ?? ''
  server = createServer((request, response) => {
    const isScript = request.url === '/worker.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>tab</title>')
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  origin = `http://localhost:${address.port}`
})

test.afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

type Place = 'opfs' | 'indexeddb'
const places = ['opfs', 'indexeddb'] as const

interface Tab {
  readonly page: Page
  order(order: Order): Promise<unknown>
}

class OrderFailed extends Error {
  readonly code: string
  readonly details: unknown

  constructor({ code, message, details }: Extract<Answer, { readonly code: string }>) {
    super(`${code} ${message}`)
    this.code = code
    this.details = details
  }
}

async function openTab(context: BrowserContext, name: string, place: Place = 'opfs'): Promise<Tab> {
  const page = await context.newPage()
  await page.goto(origin)
  await page.evaluate(() => {
    const worker = new Worker('/worker.js', { type: 'module' })
    Object.assign(globalThis, {
      order: (order: unknown) =>
        new Promise(resolve => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', event => resolve(event.data))
          port1.start()
          worker.postMessage(order, [port2])
        }),
    })
  })
  const order = async (what: Order): Promise<unknown> => {
    const answer = await page.evaluate(
      sent => (globalThis as unknown as { order(order: unknown): Promise<unknown> }).order(sent),
      what,
    )
    const told = answer as Answer
    if ('code' in told) throw new OrderFailed(told)
    return told.value
  }
  await order({ do: 'open', name, place })
  return { page, order }
}

const wordsOf = async (tab: Tab, path = '/log'): Promise<readonly string[]> =>
  String(await tab.order({ do: 'read', path }))
    .split('\n')
    .filter(word => word !== '')

/** Each once, and those of one tab in the order in which it made them. */
function expectOnceInOrder(words: readonly string[]): void {
  expect(new Set(words).size, 'a word is there twice').toBe(words.length)
  const last = new Map<string, number>()
  for (const word of words) {
    const [tag = '', index] = word.split('.')
    expect(Number(index), `the order of ${tag}`).toBeGreaterThan(last.get(tag) ?? -1)
    last.set(tag, Number(index))
  }
}

const numbered = (tag: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${tag}.${index}`)

for (const place of places) {
  test(`two tabs make a thousand edits of one file in ${place}: none is lost, none is done twice`, async ({ context }) => {
    const first = await openTab(context, 'thousand', place)
    await first.order({ do: 'write', path: '/log', text: '' })
    const second = await openTab(context, 'thousand', place)
    await Promise.all([
      first.order({ do: 'edit', path: '/log', tag: 'first', count: 500 }),
      second.order({ do: 'edit', path: '/log', tag: 'second', count: 500 }),
    ])
    await second.order({ do: 'flush' })
    const words = await wordsOf(second)
    expect(await wordsOf(first)).toEqual(words)
    expectOnceInOrder(words)
    expect([...words].sort()).toEqual([...numbered('first', 500), ...numbered('second', 500)].sort())
    // Both worked at the same time, and not one after the other.
    const turns = words.filter((word, index) => index > 0 && word.split('.')[0] !== words[index - 1]?.split('.')[0]).length
    expect(turns).toBeGreaterThan(20)

    const [one, two] = [await heardBy(first), await heardBy(second)]
    expect(one.length).toBe(1_001)
    const common = one.slice(one.length - two.length)
    expect(two.map(({ seq }) => seq)).toEqual(common.map(({ seq }) => seq))
    expect(one.filter(({ origin: by }) => by === 'other')).toHaveLength(500)
    expect(two.filter(({ origin: by }) => by === 'own')).toHaveLength(500)
  })
}

interface Heard {
  readonly seq: number
  readonly origin: string
}

const heardBy = async (tab: Tab): Promise<readonly Heard[]> => (await tab.order({ do: 'heard' })) as readonly Heard[]

test('a tab that is new gets in while the others work', async ({ context }) => {
  const first = await openTab(context, 'late')
  await first.order({ do: 'write', path: '/log', text: '' })
  const working = first.order({ do: 'edit', path: '/log', tag: 'first', count: 200 })
  const second = await openTab(context, 'late')
  await second.order({ do: 'edit', path: '/log', tag: 'second', count: 50 })
  await working
  await second.order({ do: 'write', path: '/end', text: 'x' })
  const words = await wordsOf(second)
  expect(words).toEqual(await wordsOf(first))
  expect(words).toHaveLength(250)
  expectOnceInOrder(words)
})

const deaths = [
  { how: 'closed', kill: async (tab: Tab) => await tab.page.close() },
  { how: 'crashed', kill: crash },
] as const

for (const { how, kill, place } of places.flatMap(at => deaths.map(death => ({ ...death, place: at })))) {
  test(`the tab that has the files in ${place} is ${how} while two others edit`, async ({ context, browserName }) => {
    test.skip(how === 'crashed' && browserName !== 'chromium', 'only the protocol of Chromium can crash a tab')
    const first = await openTab(context, how, place)
    await first.order({ do: 'write', path: '/log', text: '' })
    const second = await openTab(context, how, place)
    const third = await openTab(context, how, place)
    // It goes with its tab, and is answered by nobody then.
    first.order({ do: 'edit', path: '/log', tag: 'first', count: 10_000 }).catch(() => {})
    const others = [
      second.order({ do: 'edit', path: '/log', tag: 'second', count: 100 }),
      third.order({ do: 'edit', path: '/log', tag: 'third', count: 100 }),
    ]
    await expect.poll(async () => ((await second.order({ do: 'edited' })) as readonly string[]).length).toBeGreaterThan(10)
    const acknowledged = (await first.order({ do: 'edited' })) as readonly string[]
    await kill(first)
    const killedAtMs = Date.now()
    await second.order({ do: 'write', path: '/after', text: 'goes on' })
    const tookMs = Date.now() - killedAtMs
    test.info().annotations.push({ type: 'succession', description: `${tookMs} ms` })
    console.log(`succession in ${place} after the leader was ${how}: ${tookMs} ms`)
    await Promise.all(others)
    // Until a tab has joined the next one that has the files, it shows the last edits of the one that is gone.
    await expect.poll(async () => (await wordsOf(third)).join() === (await wordsOf(second)).join()).toBe(true)
    const words = await wordsOf(second)
    expectOnceInOrder(words)
    expect(words).toEqual(expect.arrayContaining([...acknowledged, ...numbered('second', 100), ...numbered('third', 100)]))
  })
}

async function crash({ page }: Tab): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = new Promise(resolve => page.once('crash', resolve))
  // It answers nothing any more.
  session.send('Page.crash').catch(() => {})
  await crashed
}

test('the tab that has the files is paused: the others are told, and nothing is done twice', async ({ context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only the protocol of Chromium can pause a worker')
  const first = await openTab(context, 'paused')
  await first.order({ do: 'write', path: '/log', text: 'before\n' })
  const second = await openTab(context, 'paused')
  const worker = await workerOf(first.page)
  await worker.send('Debugger.enable')
  await worker.send('Debugger.pause')
  const failed = await second.order({ do: 'write', path: '/log', text: 'while it is paused\n' }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'EAGAIN', details: { reason: 'leader-unresponsive', fate: 'unknown' } })
  // What was committed can still be read, and the next change is known not to have been made.
  expect(await wordsOf(second)).toEqual(['before'])
  const next = await second.order({ do: 'write', path: '/log', text: 'no' }).catch((error: unknown) => error)
  expect(next).toMatchObject({ code: 'EAGAIN', details: { reason: 'leader-unresponsive', fate: 'not-done' } })
  await worker.send('Debugger.resume')
  await worker.send('Debugger.disable')
  await expect(async () => await second.order({ do: 'write', path: '/after', text: 'goes on' })).toPass()
  // It was paused before it read the request, which came too late then: it was not carried out, and never will be.
  expect(await wordsOf(first)).toEqual(['before'])
  expect(await wordsOf(second)).toEqual(['before'])
  expect(await first.order({ do: 'read', path: '/after' })).toBe('goes on')
})

/** A paused tab that is then closed is succeeded like any other. */
test('the tab that has the files is paused, and closed for it', async ({ context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only the protocol of Chromium can pause a worker')
  const first = await openTab(context, 'paused-closed')
  await first.order({ do: 'write', path: '/log', text: '' })
  const second = await openTab(context, 'paused-closed')
  const worker = await workerOf(first.page)
  await worker.send('Debugger.enable')
  await worker.send('Debugger.pause')
  const written = second.order({ do: 'edit', path: '/log', tag: 'second', count: 3 })
  await new Promise(resolve => setTimeout(resolve, 1_000))
  await first.page.close()
  await written
  expect(await wordsOf(second)).toEqual(numbered('second', 3))
})

interface WorkerSession {
  send(method: string): Promise<void>
}

/** The page's only worker, through the page's own session: Playwright has none for workers. */
async function workerOf(page: Page): Promise<WorkerSession> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const attached = new Promise<string>(resolve => {
    session.once('Target.attachedToTarget', ({ sessionId }) => resolve(sessionId))
  })
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  const sessionId = await attached
  let lastId = 0
  return {
    async send(method) {
      const id = ++lastId
      const answered = new Promise<void>((resolve, reject) => {
        session.on('Target.receivedMessageFromTarget', ({ message }) => {
          const answer = JSON.parse(message) as { id?: number; error?: { message: string } }
          if (answer.id !== id) return
          if (answer.error === undefined) resolve()
          else reject(new Error(answer.error.message))
        })
      })
      await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
      await answered
    },
  }
}
