// The leader alone: its answers to requests that arrive twice, too late, or in pieces.

import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { createStamps } from '../../../vfs/tree/stamps.ts'
import { draftPrimitives } from '../../../vfs/tree/transaction.ts'
import { VfsError } from '../../../vfs/error.ts'
import { patchedContent } from '../../../vfs/patch.ts'
import { basisOf, exactNode } from '../../../vfs/tree/basis.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import { openLog } from '../log/open.ts'
import { Leader, type StoredLater } from './leader.ts'
import { type Message, parseMessage, protocolVersion } from './messages.ts'
import { type Prepared, prepared } from './requests.ts'

function setUp(disk: FakeDisk = new FakeDisk(), later?: StoredLater, epoch = 2) {
  const open = openLog(disk.storage(), { clock: () => 1_000 })
  const said: Message[] = []
  let nowMs = 1_000
  const leader = new Leader({
    clientId: 'leader',
    open,
    network: { broadcast: message => said.push(message), send: (_to, message) => said.push(message), close() {} },
    now: () => nowMs,
    flush: async () => open.log.flush(),
    epoch,
    ...(later === undefined ? {} : { later }),
  })
  const stamps = createStamps(() => 1_000, 1e6, 1e6)
  const appending = (text: string, sequence: number): Prepared => {
    const base = open.store.tree.freeze()
    const edits: Edit[] = []
    draftPrimitives({ stamps }, new Tree(base), edits).write(parsePath('/f'), new TextEncoder().encode(text), { append: true })
    return prepared({ edits, basis: basisOf(base, edits), expect: [], isTogether: false }, sequence, 5_000)
  }
  const ask = ({ request }: Prepared): unknown => {
    leader.hear({ protocol: protocolVersion, from: 'tab', kind: 'request', request })
    const answer = said.filter(message => message.kind === 'answer').at(-1)
    return answer?.kind === 'answer' ? answer.outcome.is : undefined
  }
  const text = (): string => new TextDecoder().decode(open.store.fs.read(parsePath('/f')))
  return { disk, open, leader, said, appending, ask, text, later: (ms: number) => (nowMs += ms) }
}

test('what comes twice is done once, and answered twice', () => {
  const { appending, ask, text } = setUp()
  const one = appending('one ', 1)
  expect([ask(one), ask(one), text()]).toEqual(['done', 'done', 'one '])
  const two = appending('two ', 2)
  expect([ask(two), ask(one), ask(two), text()]).toEqual(['done', 'done', 'done', 'one two '])
})

test('a change of a content is made in what the file has, and is refused where that is too short', () => {
  const { open, ask, text } = setUp()
  open.store.fs.write(parsePath('/f'), new TextEncoder().encode('0123456789'.repeat(10)))
  const base = open.store.tree.freeze()
  const before = patchedContent(new Uint8Array(200_000).fill(48), new Uint8Array(1), 0)
  const changing = (at: number, sequence: number): Prepared => {
    // A follower that has other bytes at the beginning, which it does not send.
    const held = new Tree(base)
    const [edit] = writing(held, before)
    if (edit !== undefined) held.apply(edit)
    const edits = writing(held, patchedContent(before, new Uint8Array(3).fill(120), at))
    const bundle = { edits, basis: basisOf(open.store.tree.freeze(), edits), expect: [], isTogether: false, base: held.freeze() }
    return prepared(bundle, sequence, 5_000, true)
  }
  const sent = changing(100, 1)
  expect(sent.request.edits).toMatchObject([
    { node: { content: { is: 'changed', at: 100, bytes: new Uint8Array(3).fill(120) } } },
  ])
  expect([ask(sent), text()]).toEqual(['done', `${'0123456789'.repeat(10)}xxx`])
  expect([ask(changing(150_000, 2)), text().length]).toEqual(['refused', 103])
})

/** A change of the content of '/f' to `bytes`. */
function writing(tree: Tree, bytes: FileContent): Edit[] {
  const node = exactNode(tree, parsePath('/f'))
  if (node?.kind !== 'file') throw new Error('the file is not there')
  const stamp = { path: parsePath('/f'), atMs: 1, rev: 1e7 }
  return [{ kind: 'put', ...stamp, node: { ...node, bytes, ino: 1e7, rev: 1e7 }, change: 'modify' }]
}

test('what an earlier leader carried out is done, and is not done again', () => {
  const first = setUp()
  const one = first.appending('one ', 1)
  expect(first.ask(one)).toBe('done')
  first.leader.end()
  const second = setUp(first.disk)
  expect([second.ask(one), second.text(), second.open.log.transaction]).toEqual(['done', 'one ', 1])
})

test('where a commit is stored later, the tree of another leader is sent again: it may never have been stored', async () => {
  const first = setUp()
  first.ask(first.appending('one ', 1))
  first.leader.end()
  const welcomed = async (later: StoredLater | undefined): Promise<Message | undefined> => {
    const { leader, said, open } = setUp(first.disk, later, 7)
    const { transaction } = open.log
    leader.hear({ protocol: protocolVersion, from: 'tab', kind: 'hello', transaction, knownEpoch: 1, needsNumbers: false })
    await Promise.resolve()
    return said.find(message => message.kind === 'welcome')
  }
  expect(await welcomed(undefined)).not.toHaveProperty('tree')
  const later = { stored: () => Promise.resolve(), isFull: false }
  expect(await welcomed(later)).toMatchObject({ epoch: 7, tree: { pageCount: 1 } })
})

test('where a commit is stored later, it is answered then, and refused if it never is', async () => {
  let finish: (failure?: VfsError) => void = () => {}
  const stored = (): Promise<void> =>
    new Promise((resolve, reject) => {
      finish = failure => (failure === undefined ? resolve() : reject(failure))
    })
  const { leader, appending, ask, said } = setUp(new FakeDisk(), { stored, isFull: false }, 7)
  const answers = (): readonly string[] =>
    said.flatMap(message => (message.kind === 'answer' ? [`${message.sequence} ${message.outcome.is}`] : []))
  ask(appending('one ', 1))
  expect(answers()).toEqual([])
  finish()
  await Promise.resolve()
  expect(answers()).toEqual(['1 done'])
  ask(appending('two ', 2))
  const full = new VfsError('ENOSPC', 'write')
  const refused = leader.fail(full)
  finish(full)
  await Promise.resolve()
  expect(answers()).toEqual(['1 done', '2 refused'])
  // The same request may still arrive. Its caller was told that it failed.
  const next = setUp(new FakeDisk(), { stored, isFull: true, refused }, 8)
  expect(next.ask(next.appending('two ', 2))).toBe('refused')
  expect(next.open.log.transaction).toBe(0)
})

test('what was refused stays refused, though it could be done now', () => {
  const { disk, open, appending, ask } = setUp()
  disk.quotaBytes = disk.usedBytes
  const one = appending('one ', 1)
  expect(ask(one)).toBe('refused')
  disk.quotaBytes = Infinity
  expect(ask(one)).toBe('refused')
  expect(open.store.fs.list(parsePath('/'))).toEqual([])
})

test('what comes too late is never done', () => {
  const { open, appending, ask, later } = setUp()
  const one = appending('one ', 1)
  later(10_000)
  expect(ask(one)).toBe('expired')
  later(-10_000)
  expect(ask(one)).toBe('expired')
  expect(open.log.transaction).toBe(0)
})

test('what comes in pieces is asked for again while one is missing', () => {
  const { leader, appending, ask, text } = setUp()
  const large = appending('x'.repeat(1_500_000), 1)
  const part = (index: number): void =>
    leader.hear({
      protocol: protocolVersion,
      from: 'tab',
      kind: 'part',
      sequence: 1,
      index,
      bytes: large.sent.slice(index * 1024 * 1024, (index + 1) * 1024 * 1024),
    })
  part(1)
  expect(ask(large)).toBe('incomplete')
  part(0)
  part(1)
  expect([ask(large), text().length]).toEqual(['done', 1_500_000])
})

test('after its end it does and says nothing', () => {
  const { leader, appending, ask, open, said } = setUp()
  leader.end()
  const count = said.length
  expect(ask(appending('one', 1))).toBeUndefined()
  open.store.fs.write(parsePath('/own'), new Uint8Array())
  expect([open.log.transaction, said.length]).toEqual([1, count])
})

test('what others say on the channel is not heard', () => {
  for (const data of [
    undefined,
    'hello',
    {},
    { protocol: 2, kind: 'hello', from: 'x' },
    { protocol: 1, kind: 'else', from: 'x' },
  ]) {
    expect(parseMessage(data)).toBeUndefined()
  }
  expect(parseMessage({ protocol: 1, kind: 'ping', from: 'x' })).toBeDefined()
})
