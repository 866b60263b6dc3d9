import { expect, test } from 'vitest'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { treeBackend } from '../../../vfs/tree/tree-backend.ts'
import { openLog } from '../log/open.ts'
import { Leading } from './leading.ts'
import type { Message } from './messages.ts'

test('a leader that could store nothing does not leave its epoch to the next one', () => {
  const disk = new FakeDisk()
  const epochs: number[] = []
  for (let life = 0; life < 3; life++) {
    const open = openLog(disk.storage(), { clock: () => 1_000 })
    const backend = treeBackend(() => open.store)
    const hear = (message: Message): void => {
      if (message.kind === 'leading') epochs.push(message.epoch)
    }
    const network = { broadcast: hear, send: () => {}, close: () => {} }
    const options = { clientId: `tab${life}`, network, now: () => 1_000, lastEpoch: epochs.at(-1) ?? 0, onTaken: () => {} }
    new Leading({ backend, open, end: () => {} }, options).end()
  }
  expect(epochs).toEqual([1_000, 1_001, 1_002])
})
