import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf } from '../../../testing/tool-session.ts'

describe('who may edit what changed', () => {
  it('inserts at the head and the tail, which are where they were, and says so', async () => {
    const session = await openToolSession({ f: 'a\nb\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', 'completely\ndifferent\n')
    expect(await session.text('edit', { input: `[f#${tag}]\ninsert head:\n+x\ninsert tail:\n+z` })).toContain(
      `Warning: f changed since you saw it under #${tag}.`,
    )
    expect(await session.file('f')).toBe('x\ncompletely\ndifferent\nz\n')
  })

  it('does not even then with a tag that was never given', async () => {
    const session = await openToolSession({ f: 'a\n' })
    expect((await session.failure('edit', { input: '[f#0000]\ninsert tail:\n+z' })).code).toBe('edit-tag-unknown')
    expect(await session.file('f')).toBe('a\n')
  })

  it('says that what it saw is no longer in memory', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\nd\n', g: 'x'.repeat(200) }, { limits: { snapshotMaxBytes: 100 } })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    for (const index of [1, 2, 3, 4, 5, 6]) await session.text('write', { path: 'h', content: `${index}`.repeat(10) })
    await session.fs.writeFile('/workspace/f', 'a\nb\nc\nd\ne\n')
    const failure = await session.failure('edit', { input: `[f#${tag}]\nreplace 1..1:\n+A` })
    expect(failure).toMatchObject({ code: 'edit-tag-stale', text: expect.stringContaining('no longer in memory') })
  })
})

describe('an edit of a file that somebody else changed', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\n'
  const rows: readonly (readonly [name: string, live: string, operations: string, after: string | undefined, says: string])[] = [
    ['above', `x\n${before}`, 'replace 4..4:\n+D', `x\n${before.replace('d', 'D')}`, 'Line 4 is line 5 now.'],
    ['below', `${before}x\n`, 'replace 4..4:\n+D', `${before.replace('d', 'D')}x\n`, 'every other change was kept'],
    ['two lines away', before.replace('f', 'F'), 'replace 4..4:\n+D', before.replace('f', 'F').replace('d', 'D'), 'kept'],
    ['in the neighbour', before.replace('e', 'E'), 'replace 4..4:\n+D', undefined, 'edit-tag-stale'],
    ['in the line itself', before.replace('d', 'dd'), 'replace 4..4:\n+D', undefined, 'edit-tag-stale'],
    [
      'to what the edit says',
      before.replace('d', 'D'),
      'replace 4..4:\n+D',
      before.replace('d', 'D'),
      'already holds this change',
    ],
    [
      'in its line endings',
      before.replaceAll('\n', '\r\n'),
      'replace 4..4:\n+D',
      before.replace('d', 'D').replaceAll('\n', '\r\n'),
      '#',
    ],
    [
      'in trailing blanks elsewhere',
      before.replace('a', 'a  '),
      'replace 4..4:\n+D',
      before.replace('a', 'a  ').replace('d', 'D'),
      'kept',
    ],
    ['by a copy of the block', before + before, 'replace 4..4:\n+D', undefined, 'edit-tag-stale'],
  ]
  it.each(rows)('%s', async (_name, live, operations, after, says) => {
    const session = await openToolSession({ f: before })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', live)
    const result = await session.call('edit', { input: `[f#${tag}]\n${operations}` })
    expect([result.isError, await session.file('f')]).toEqual([after === undefined, after ?? live])
    expect(textOf(result)).toContain(says)
  })

  it('whose change is there already is told so, and the rest of the call is written', async () => {
    const session = await openToolSession({ f: before, g: before })
    const [f, g] = [tagIn(await session.text('read', { path: 'f' })), tagIn(await session.text('read', { path: 'g' }))]
    await session.fs.writeFile('/workspace/f', before.replace('d', 'D'))
    const input = `[f#${f}]\nreplace 4..4:\n+D\n[g#${g}]\nreplace 4..4:\n+D`
    const result = await session.call('edit', { input })
    expect(textOf(result)).toContain('f changed since you saw it, and already holds this change.')
    expect(result.details).toMatchObject({ files: ['g'], alreadyApplied: ['f'] })
    expect(await session.file('g')).toBe(before.replace('d', 'D'))
  })

  it('gives a tag that the next edit can use', async () => {
    const session = await openToolSession({ f: before })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', `x\n${before}`)
    const next = tagIn(await session.text('edit', { input: `[f#${tag}]\nreplace 4..4:\n+D` }))
    await session.text('edit', { input: `[f#${next}]\nreplace 5..5:\n+X` })
    expect(await session.file('f')).toBe(`x\n${before.replace('d', 'X')}`)
  })
})
