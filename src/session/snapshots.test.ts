import { describe, expect, it } from 'vitest'

import { parsePath } from '../core/path.ts'
import { SnapshotStore } from './snapshots.ts'

const path = parsePath('/workspace/f.txt')
const other = parsePath('/workspace/g.txt')

describe('authorize', () => {
  it('knows the text that was shown', () => {
    const store = new SnapshotStore(1000)
    const tag = store.record(path, 'f.txt', 'a\n')
    expect(store.authorize(path, tag, 'a\n')).toEqual({ kind: 'current' })
  })

  it('knows the tag of the last text, and of no other', () => {
    const store = new SnapshotStore(1000)
    const tag = store.record(path, 'f.txt', 'a\n')
    expect(store.latestTag(path, 'a\n')).toBe(tag)
    expect(store.latestTag(path, 'a \n')).toBeUndefined()
    expect(store.latestTag(other, 'a\n')).toBeUndefined()
    store.record(path, 'f.txt', 'b\n')
    expect(store.latestTag(path, 'a\n')).toBeUndefined()
  })

  it('names the live tag and gives the snapshot when the file moved on', () => {
    const store = new SnapshotStore(1000)
    const tag = store.record(path, 'f.txt', 'a\n')
    expect(store.authorize(path, tag, 'b\n')).toMatchObject({
      kind: 'stale',
      snapshot: { kind: 'kept', text: 'a\n' },
      liveTag: expect.stringMatching(/^[0-9A-F]{4}$/),
    })
  })

  it('does not take a tag of another path or another session', () => {
    const store = new SnapshotStore(1000)
    const tag = store.record(path, 'f.txt', 'a\n')
    expect(store.authorize(other, tag, 'a\n').kind).toBe('unknown')
    expect(new SnapshotStore(1000).authorize(path, tag, 'a\n').kind).toBe('unknown')
  })

  it('sees through a shared tag: the short tag is an index, not an identity', () => {
    const store = new SnapshotStore(1000)
    const tag = store.record(path, 'f.txt', 'collision-389\n')
    expect(store.authorize(path, tag, 'collision-445\n')).toMatchObject({ kind: 'same-tag-other-text', liveTag: tag })
    store.record(path, 'f.txt', 'collision-445\n')
    expect(store.authorize(path, tag, 'collision-445\n').kind).toBe('current')
    expect(store.authorize(path, tag, 'third\n')).toMatchObject({ kind: 'stale', snapshot: { kind: 'ambiguous' } })
  })

  it('sees through trailing blanks, which a tag does not hold', () => {
    const store = new SnapshotStore(1000)
    const tag = store.record(path, 'f.txt', 'a\n')
    expect(store.authorize(path, tag, 'a  \n').kind).toBe('same-tag-other-text')
  })

  it('still authorises a text that is too heavy to keep', () => {
    const store = new SnapshotStore(10)
    const tag = store.record(path, 'f.txt', 'x'.repeat(100))
    expect(store.authorize(path, tag, 'x'.repeat(100)).kind).toBe('current')
    expect(store.authorize(path, tag, 'y')).toMatchObject({ kind: 'stale', snapshot: { kind: 'dropped' } })
  })

  it('still authorises a text that made room for others, and knows it again', () => {
    const store = new SnapshotStore(30)
    const tag = store.record(path, 'f.txt', 'first\n')
    for (const text of ['second\n', 'third\n', 'fourth\n']) store.record(other, 'g.txt', text)
    expect(store.authorize(path, tag, 'y')).toMatchObject({ kind: 'stale', snapshot: { kind: 'dropped' } })
    expect(store.authorize(path, tag, 'first  \n').kind).toBe('same-tag-other-text')
    expect(store.authorize(path, tag, 'first\n').kind).toBe('current')
    expect(store.record(path, 'f.txt', 'first\n')).toBe(tag)
    expect(store.authorize(path, tag, 'y')).toMatchObject({ snapshot: { kind: 'kept', text: 'first\n' } })
  })

  it('does not take the hash of what a newer text of the file has replaced', () => {
    const store = new SnapshotStore(30)
    const tag = store.record(path, 'f.txt', 'first\n')
    for (const text of ['second\n', 'third\n', 'fourth\n']) store.record(path, 'f.txt', text)
    expect(store.authorize(path, tag, 'first\n')).toMatchObject({ kind: 'same-tag-other-text', snapshot: { kind: 'dropped' } })
  })

  it('says that a tag may have been forgotten, once any was', () => {
    const store = new SnapshotStore(1000, 3)
    const tag = store.record(path, 'f.txt', 'a\n')
    expect(store.authorize(path, '0000', 'a\n')).toMatchObject({ kind: 'unknown', mayBeForgotten: false })
    for (let index = 0; index < 3; index++) store.record(other, 'g.txt', `${index}\n`)
    expect(store.authorize(path, tag, 'a\n')).toMatchObject({ kind: 'unknown', mayBeForgotten: true })
  })
})

it('finds a text by the header that was displayed', () => {
  const store = new SnapshotStore(1000)
  const tag = store.record(path, 'f.txt', 'a\n')
  expect([store.textOf('f.txt', tag), store.textOf('f.txt', '0000'), store.textOf('g.txt', tag)]).toEqual([
    'a\n',
    undefined,
    undefined,
  ])
})
