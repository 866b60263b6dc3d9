import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import type { ChangeBatch } from '../../../vfs/backend.ts'
import { followingFeed } from './following-feed.ts'

test('a feed that loses its place tells everybody to list again, once', async () => {
  const feed = followingFeed()
  const heard: ChangeBatch[] = []
  const end = feed.watch(parsePath('/'), batch => heard.push(batch))
  feed.publish([{ type: 'create', path: parsePath('/a'), kind: 'file', rev: 1 }], 'another')
  await Promise.resolve()
  feed.skipTo(20)
  feed.publish([{ type: 'create', path: parsePath('/b'), kind: 'file', rev: 2 }])
  await Promise.resolve()
  await Promise.resolve()
  expect(heard).toEqual([
    { changes: [{ seq: 1, type: 'create', path: '/a', kind: 'file', rev: 1, origin: 'another' }], overflow: false },
    { changes: [], overflow: true },
    { changes: [{ seq: 21, type: 'create', path: '/b', kind: 'file', rev: 2 }], overflow: false },
  ])
  const late: ChangeBatch[] = []
  feed.watch(parsePath('/'), batch => late.push(batch), { sinceSeq: 1 })
  await Promise.resolve()
  expect(late.map(({ overflow }) => overflow)).toEqual([true])
  end()
  feed.skipTo(30)
  await Promise.resolve()
  expect(heard).toHaveLength(3)
})
