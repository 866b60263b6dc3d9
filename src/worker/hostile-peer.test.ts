// The other end of a worker's port is not trusted: raw messages that Comlink itself would obey must have no effect.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeWorker, type FakeWorker } from '../testing/wire/pair.ts'
import { fileVerbs } from './file-verbs.ts'
import { wireVerbs, type Reader } from './protocol.ts'
import { wireVersion } from './wire.ts'

const refused: string[] = []
let worker: FakeWorker
const replies: unknown[] = []
let lastId = 0

beforeEach(() => {
  refused.length = 0
  replies.length = 0
  worker = createFakeWorker({ report: reason => refused.push(reason) })
  worker.addEventListener('message', (event: unknown) => replies.push(Reflect.get(Object(event), 'data')))
  worker.start?.()
})
afterEach(() => worker.terminate())

/** The reply to a message, or `undefined` if none came before the reply to a later valid one. */
async function send(message: Record<string, unknown>, transfer: Transferable[] = []): Promise<unknown> {
  lastId += 1
  const id = `m${lastId}`
  worker.postMessage({ id, ...message }, transfer)
  await answers()
  return replies.find(reply => Reflect.get(Object(reply), 'id') === id)
}

/** The host answers a valid call: it still works, and all earlier replies have been sent. */
async function answers(): Promise<void> {
  lastId += 1
  const id = `ping${lastId}`
  worker.postMessage({ id, type: 'APPLY', path: ['ping'], argumentList: [] })
  await expect.poll(() => replies.some(reply => Reflect.get(Object(reply), 'id') === id), { interval: 2 }).toBe(true)
}

const raw = (value: unknown): { type: string; value: unknown } => ({ type: 'RAW', value })
const apply = (path: unknown, ...args: unknown[]): Record<string, unknown> => ({
  type: 'APPLY',
  path,
  argumentList: args.map(raw),
})

const hostile: readonly [name: string, message: Record<string, unknown>][] = [
  ['the constructor of functions', apply(['ping', 'constructor'], 'return 1')],
  ['the constructor of constructors', apply(['constructor', 'constructor'], 'return globalThis')],
  ['a prototype', apply(['__proto__'])],
  ['a prototype deeper down', apply(['call', '__proto__', 'polluted'])],
  ['toString', apply(['toString'])],
  ['hasOwnProperty', apply(['hasOwnProperty'], 'x')],
  ['bind', apply(['call', 'bind'], {})],
  ['apply', apply(['call', 'apply'], null, [])],
  ['no path', apply([])],
  ['a path that is no list', apply('call')],
  ['a path of a number', apply([0])],
  ['an object as a name', apply([{ toString: 'ping' }])],
  ['an unknown function', apply(['eval'], '1')],
  ['reading a function', { type: 'GET', path: ['call'] }],
  ['reading the root', { type: 'GET', path: [] }],
  ['setting a property', { type: 'SET', path: ['call'], value: raw(1) }],
  ['setting a prototype', { type: 'SET', path: ['__proto__', 'polluted'], value: raw(true) }],
  ['constructing', { type: 'CONSTRUCT', path: ['call'], argumentList: [] }],
  ['another endpoint', { type: 'ENDPOINT' }],
  ['an unknown type', { type: 'EVAL', path: ['ping'] }],
  ['a type that is an object', { type: { toString: 'APPLY' }, path: ['ping'] }],
  ['arguments that are no list', { type: 'APPLY', path: ['ping'], argumentList: { length: 1, map: 1 } }],
  ['no arguments', { type: 'APPLY', path: ['ping'] }],
  ['an argument without a form', { type: 'APPLY', path: ['ping'], argumentList: [null] }],
  [
    'an argument of an unknown handler',
    { type: 'APPLY', path: ['ping'], argumentList: [{ type: 'HANDLER', name: 'nope', value: 1 }] },
  ],
  ['a proxy as argument', { type: 'APPLY', path: ['ping'], argumentList: [{ type: 'HANDLER', name: 'proxy', value: 1 }] }],
  [
    'a throw as argument',
    { type: 'APPLY', path: ['ping'], argumentList: [{ type: 'HANDLER', name: 'throw', value: { isError: true, value: {} } }] },
  ],
  [
    'a callback that is no port',
    { type: 'APPLY', path: ['call'], argumentList: [{ type: 'HANDLER', name: 'anchorage.callback', value: {} }] },
  ],
  [
    'a signal with a broken reason',
    {
      type: 'APPLY',
      path: ['call'],
      argumentList: [
        { type: 'HANDLER', name: 'anchorage.signal', value: { kind: 'aborted', reason: { kind: 'error', name: {} } } },
      ],
    },
  ],
  ['too many arguments', apply(['ping'], ...Array.from({ length: 100 }, (_, index) => index))],
]

describe('is refused with an error, and the host goes on:', () => {
  test.each(hostile)('%s', async (_name, message) => {
    expect(await send(message)).toMatchObject({ type: 'HANDLER', name: 'throw', value: { anchorage: { code: 'wire-refused' } } })
    expect(refused).toHaveLength(1)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('is dropped with a report, and the host goes on:', () => {
  const dropped: readonly unknown[] = [
    'text',
    7,
    [],
    [['APPLY']],
    { type: 'APPLY' },
    { id: 7, type: 'APPLY', path: ['ping'] },
    { id: '' },
  ]
  test.each([
    ...dropped.map(message => [message]),
    [{ id: 'x'.repeat(10_000), type: 'APPLY', path: ['ping'], argumentList: [] }],
  ])('%j', async message => {
    worker.postMessage(message)
    await answers()
    expect(refused).toHaveLength(1)
    expect(replies).toHaveLength(1)
  })
})

test('RELEASE does not end the host', async () => {
  expect(await send({ type: 'RELEASE' })).toBeUndefined()
  await answers()
})

describe('once connected', () => {
  beforeEach(async () => {
    await send(apply(['connect'], wireVersion, {}))
  })

  const calls: readonly [name: string, message: Record<string, unknown>, code: string][] = [
    ['connecting again', apply(['connect'], wireVersion, {}), 'already-connected'],
    ['a verb from a prototype', apply(['file'], undefined, 'constructor', ['x']), 'wire-refused'],
    ['the verb __proto__', apply(['file'], undefined, '__proto__', []), 'wire-refused'],
    ['a verb that only the worker has', apply(['file'], undefined, 'sync', []), 'wire-refused'],
    ['batch as a verb', apply(['file'], undefined, 'batch', []), 'wire-refused'],
    ['arguments that are no list', apply(['file'], undefined, 'readFile', '/workspace/a.txt'), 'wire-refused'],
    ['a path that is an object', apply(['file'], undefined, 'readFile', [{ toString: 1 }]), 'wire-refused'],
    ['data that is an object', apply(['file'], undefined, 'writeFile', ['/x', { length: 3 }]), 'wire-refused'],
    ['an option of the wrong type', apply(['file'], undefined, 'mkdir', ['/x', { recursive: 'yes' }]), 'wire-refused'],
    [
      'an option outside its list',
      apply(['file'], undefined, 'writeFile', ['/x', '', { create: 'constructor' }]),
      'wire-refused',
    ],
    ['a session that was never opened', apply(['call'], 99, 'echo', {}), 'not-open'],
    ['a session id that is a name', apply(['call'], 'constructor', 'echo', {}), 'not-open'],
    ['a batch that was never opened', apply(['file'], { batch: 1 }, 'readFile', ['/x']), 'not-open'],
    ['a snapshot that was never opened', apply(['file'], { snapshot: 1 }, 'readFile', ['/x']), 'not-open'],
    ['a write into a snapshot', apply(['file'], {}, 'writeFile', ['/x', '']), 'not-open'],
    ['a toolset from a prototype', apply(['openToolset'], 'constructor'), 'unknown-toolset'],
    ['a watch without a listener', apply(['openWatch'], '/', {}, 'listener'), 'wire-refused'],
  ]
  test.each(calls)('%s is an error', async (_name, message, code) => {
    expect(await send(message)).toMatchObject({ name: 'throw', value: { anchorage: { code } } })
  })

  test('a __proto__ among expected revisions is a path like any other', async () => {
    const expect_: unknown = JSON.parse('{"__proto__": 5}')
    expect(await send(apply(['openBatch'], expect_))).toMatchObject({ name: 'throw' })
    expect(Reflect.get({}, '5')).toBeUndefined()
  })

  test('open handles are bounded', async () => {
    for (let index = 0; index < 1_000; index += 1) worker.postMessage({ id: `w${index}`, ...apply(['openWalk'], '/') })
    expect(await send(apply(['openWalk'], '/'))).toMatchObject({ value: { anchorage: { code: 'too-many-open' } } })
  })
})

test('a version that does not match is refused', async () => {
  expect(await send(apply(['connect'], wireVersion + 1, {}))).toMatchObject({ value: { anchorage: { code: 'wire-version' } } })
})

test('every listed function asks for a workspace first', async () => {
  for (const verb of wireVerbs.keys()) {
    if (['connect', 'ping', 'dispose'].includes(verb) || verb.startsWith('close')) continue
    expect([verb, await send(apply([verb]))]).toMatchObject([verb, { name: 'throw' }])
  }
})

/** Values that a page that follows the types cannot send. */
const wrong: readonly unknown[] = [{ toString: 'x' }, [['x']], 'constructor', 7, null, true, { kind: {} }]

/** The values of `wrong` that a reader refuses. */
function refusedBy(read: Reader<unknown>): readonly unknown[] {
  return wrong.filter(value => {
    try {
      read(value)
      return false
    } catch {
      return true
    }
  })
}

/** A value that a reader accepts, so that the arguments after it are checked. */
function takenBy(read: Reader<unknown>): unknown {
  return ['/workspace/a.txt', 7, [], undefined].find(value => !refusedBy(read).includes(value) && isTaken(read, value))
}

function isTaken(read: Reader<unknown>, value: unknown): boolean {
  try {
    read(value)
    return true
  } catch {
    return false
  }
}

/** One row for each argument and each value that it must refuse; the arguments before it are valid. */
function wrongArguments(readers: readonly Reader<unknown>[]): readonly (readonly unknown[])[] {
  return readers.flatMap((read, index) => refusedBy(read).map(value => [...readers.slice(0, index).map(takenBy), value]))
}

describe('arguments that the table does not allow are refused:', () => {
  beforeEach(async () => {
    await send(apply(['connect'], wireVersion, {}))
  })

  test.each([...wireVerbs].filter(([verb]) => verb !== 'connect'))('%s', async (verb, { read }) => {
    for (const args of wrongArguments(read)) {
      expect([args, await send(apply([verb], ...args))]).toMatchObject([args, { value: { anchorage: { code: 'wire-refused' } } }])
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test.each(Object.entries<readonly Reader<unknown>[]>(fileVerbs))('file, %s', async (verb, readers) => {
    for (const args of wrongArguments(readers)) {
      const answer = await send(apply(['file'], undefined, verb, args))
      expect([args, answer]).toMatchObject([args, { value: { anchorage: { code: 'wire-refused' } } }])
    }
  })

  test('the tables name functions that the files have, and each has rows to refuse', () => {
    const { fs } = worker.workspace
    for (const [verb, readers] of Object.entries<readonly Reader<unknown>[]>(fileVerbs)) {
      expect([verb, typeof Reflect.get(fs, verb)]).toEqual([verb, 'function'])
      expect([verb, wrongArguments(readers).length >= readers.length]).toEqual([verb, true])
    }
  })
})
