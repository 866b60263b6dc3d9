// In Firefox the page starts the workers of scripts, because a worker that starts a worker may hang.
import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { deferred } from '../core/deferred.ts'
import type { WebWorkerLike } from '../core/start-worker.ts'
import { startedBy } from '../core/started-worker.ts'
import { connectWorkspace } from './client.ts'
import { startWorkersFor } from './own-worker.ts'
import { PageStarter, startForWorker } from './page-workers.ts'
import { patient } from '../testing/patient.ts'

test('scripts run in workers that the page starts in Firefox, and that the worker starts elsewhere', async () => {
  const worker = new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
  const workspace = await connectWorkspace(worker, { ...patient, fs: memory(), root: '/' })
  const tools = await workspace.toolset('atomic')
  // What the shell loads must not take of the second.
  await tools.call('bash', { command: 'true' })
  const looped = await tools.call('bash', { command: 'echo 1 > a; while :; do :; done', timeout: 1 })
  expect(looped.isError).toBe(true)
  const answered = await tools.call('bash', { command: 'cat a; printf "%s" "$(seq 3)" | wc -l' })
  expect(JSON.stringify(answered.content)).toMatch(/1\\n2/)
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const isFirefox = navigator.userAgent.includes('Gecko/')
  expect(loaded.some(name => name.includes('shell-worker'))).toBe(isFirefox)
  await workspace.dispose()
})

const echo = `data:text/javascript,addEventListener('message', ({ data }) => postMessage(data, [data.buffer]))`

test('what the worker and a worker of the page say to each other arrives, in order and without a copy', async () => {
  const { starter, end } = pageAndWorker()
  const worker = starter.start(echo, 'module')
  const heard: unknown[] = []
  const all = deferred<void>()
  worker.addEventListener('message', event => {
    heard.push((event as MessageEvent<{ readonly number: number }>).data.number)
    if (heard.length === 3) all.resolve()
  })
  const buffers = [1, 2, 3].map(() => new ArrayBuffer(8))
  for (const [index, buffer] of buffers.entries()) worker.postMessage({ number: index, buffer }, [buffer])
  await all.promise
  expect(heard).toEqual([0, 1, 2])
  expect(buffers.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
  end()
})

test('a worker has the type that the bundler wrote', async () => {
  const { starter, end } = pageAndWorker()
  const classic = `data:text/javascript,importScripts('data:text/javascript,postMessage(1)')`
  const heard = deferred<unknown>()
  const make = (): WebWorkerLike => new Worker(classic)
  const worker = startedBy((script, type) => starter.start(script, type), make)
  worker.addEventListener('message', event => heard.resolve((event as MessageEvent).data))
  worker.addEventListener('error', event => heard.resolve(event))
  expect(await heard.promise).toBe(1)
  end()
})

test.each([
  ['a script that is not there', new URL('./no-such-script.js', import.meta.url).href],
  ['a script that throws', `data:text/javascript,throw new Error('no')`],
  ['an address that is none', 'https://['],
])('%s is reported as an error', async (_, script) => {
  const { starter, end } = pageAndWorker()
  const failed = deferred<void>()
  starter.start(script, 'module').addEventListener('error', () => failed.resolve())
  await failed.promise
  end()
})

test('a worker of the host, without a connection, hides the messages of this from its host', async () => {
  const worker = new Worker(new URL('../testing/own-worker.ts', import.meta.url), { type: 'module' })
  const end = startWorkersFor(worker)
  const heard: unknown[] = []
  const answered = deferred<void>()
  worker.addEventListener('error', answered.reject)
  worker.addEventListener('message', ({ data }) => {
    heard.push(data)
    answered.resolve()
  })
  worker.postMessage('hello')
  await answered.promise
  const isFirefox = navigator.userAgent.includes('Gecko/')
  expect(heard).toMatchObject([{ text: expect.stringMatching(/^3\b/), received: ['hello'], isStartedByPage: isFirefox }])
  end()
  worker.terminate()
})

function pageAndWorker(): { readonly starter: PageStarter; readonly end: () => void } {
  const { port1, port2 } = new MessageChannel()
  const whenEnded = deferred<Error>()
  startForWorker(port2, whenEnded.promise)
  port1.start()
  port2.start()
  return {
    starter: new PageStarter(port1),
    end: () => {
      whenEnded.resolve(new Error('ended'))
      port1.close()
    },
  }
}
