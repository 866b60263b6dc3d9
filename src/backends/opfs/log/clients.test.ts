// After every crash the store knows which requests of which tab were carried out: exactly those whose transaction is there.
import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { seeds } from '../../../testing/depth.ts'
import { everyCut, FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { describeTree, smallLog } from '../../../testing/opfs/log-session.ts'
import { changeOf, type Edit } from '../../../vfs/tree/edit.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import { ClientTable, type Mark } from './clients.ts'
import { openLog, type OpenLog } from './open.ts'

function commitFor(open: OpenLog, clientId: string, sequence: number, text: string): void {
  const { store, log } = open
  const { stamps } = store
  const candidate = new Tree(store.tree.freeze())
  const atMs = stamps.nowMs()
  const facts = { mode: 0o644, mtimeMs: atMs, ctimeMs: atMs, ino: stamps.nextIno(), rev: stamps.nextRev() }
  const bytes = log.hold(new TextEncoder().encode(text))
  const edit: Edit = {
    kind: 'put',
    path: parsePath(`/${clientId}-${sequence}`),
    node: { kind: 'file', bytes, nlink: 1, ...facts },
    change: 'create',
    atMs,
    rev: stamps.nextRev(),
  }
  candidate.apply(edit)
  log.admit([edit], { clientId, sequence, lastRev: stamps.lastRev, lastIno: stamps.lastIno })
  store.tree.become(candidate)
  store.feed.publish([changeOf(edit)])
}

const shown = (open: OpenLog): string => `${JSON.stringify(open.log.clients.entries)} ${describeTree(open.store.fs)}`

/** Enough for a change of the tab itself, and a checkpoint. */
const steps = seeds({ quick: 5, deep: 14 })

test('cut at every byte, it is that of a committed state', () => {
  const disk = new FakeDisk()
  const open = openLog(disk.storage(), smallLog)
  const states = new Set([shown(open)])
  for (let step = 1; step <= steps; step++) {
    commitFor(open, `tab${step % 3}`, step, 'x'.repeat(step * 3))
    states.add(shown(open))
    if (step % 4 === 0) open.store.fs.write(parsePath('/own'), Uint8Array.of(step))
    states.add(shown(open))
    if (step % 5 === 0) open.log.checkpoint(open.state())
  }
  expect(states.size).toBeGreaterThan(steps)
  const found = new Set<string>()
  for (const { contents } of everyCut(disk.writes)) {
    // Before the store existed, opening it gives a new one.
    const again = openLog(new FakeDisk(contents).storage(), smallLog)
    if (again.isNew) continue
    found.add(shown(again))
  }
  expect([...found].filter(state => !states.has(state))).toEqual([])
  expect(found.size).toBe(states.size)
})

test('numbers that were given away are not given again', () => {
  const disk = new FakeDisk()
  const open = openLog(disk.storage(), smallLog)
  const { store, log } = open
  const { stamps } = store
  const lease = open.lease(5_000_000)
  log.note({ clientId: '', sequence: 0, lastRev: stamps.lastRev, lastIno: stamps.lastIno })
  const again = openLog(new FakeDisk(disk.contents()).storage(), smallLog)
  expect(again.store.stamps.nextRev()).toBeGreaterThan(lease.rev + lease.count)
  expect(again.store.stamps.nextIno()).toBeGreaterThan(lease.ino + lease.count)
  expect(again.log.clients.entries).toEqual([])
  expect(again.log.transaction).toBe(0)
})

test('who was not heard of for long is forgotten first', () => {
  const table = new ClientTable()
  const mark = (clientId: string, sequence: number): Mark => ({ clientId, sequence, lastRev: 0, lastIno: 0 })
  for (let count = 0; count < 300; count++) {
    table.note(mark(`tab${count}`, 1))
    table.note(mark('busy', count + 1))
  }
  expect([table.lastOf('busy'), table.lastOf('tab299'), table.lastOf('tab0')]).toEqual([300, 1, 0])
  expect(table.entries).toHaveLength(256)
})
