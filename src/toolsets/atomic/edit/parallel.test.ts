import { describe, expect, it } from 'vitest'

import { memory } from '../../../backends/memory/index.ts'
import type { ApprovalRequest } from '../../../session/policy/approve.ts'
import { openToolSession, tagIn, textOf, type ToolSession } from '../../../testing/tool-session.ts'
import { createFakeWorker } from '../../../testing/wire/pair.ts'
import { buildWorkspace } from '../../../worker/build-workspace.ts'
import { connectWorkerLike } from '../../../worker/client.ts'

describe('edits sent at once with one tag', () => {
  /** Sends all operations side by side; each as one call. */
  async function sendAtOnce(
    session: ToolSession,
    operations: readonly string[],
  ): Promise<readonly Awaited<ReturnType<ToolSession['call']>>[]> {
    const tag = tagIn(await session.text('read', { path: 'f' }))
    return Promise.all(operations.map(operation => session.call('edit', { input: `[f#${tag}]\n${operation}` })))
  }

  const rows: readonly (readonly [name: string, operations: readonly string[], after: string, errors: readonly unknown[]])[] = [
    ['different lines', ['replace 1..1:\n+A', 'replace 4..4:\n+D'], 'A b c D e ', [undefined, undefined]],
    ['neighbouring lines', ['replace 2..2:\n+B\n+B2', 'delete 3'], 'a B B2 d e ', [undefined, undefined]],
    ['one place, in the order sent', ['insert after 2:\n+x', 'insert after 2:\n+y'], 'a b x y c d e ', [undefined, undefined]],
    ['head and tail', ['insert tail:\n+z', 'insert head:\n+0', 'delete 3'], '0 a b d e z ', [undefined, undefined, undefined]],
    [
      'the same line',
      ['replace 2..2:\n+B', 'replace 2..2:\n+C'],
      'a b c d e ',
      ['edit-parallel-overlap', 'edit-parallel-overlap'],
    ],
    [
      'overlapping ranges, and one that would fit',
      ['replace 1..3:\n+X', 'delete 3..4', 'replace 5..5:\n+E'],
      'a b c d e ',
      ['edit-parallel-overlap', 'edit-parallel-overlap', 'edit-parallel-overlap'],
    ],
    [
      'an anchor that goes away',
      ['delete 2..3', 'insert after 3:\n+x'],
      'a b c d e ',
      ['edit-parallel-overlap', 'edit-parallel-overlap'],
    ],
    [
      'one that cannot be applied alone',
      ['replace 1..1:\n+A', 'replace 9..9:\n+I'],
      'A b c d e ',
      [undefined, 'edit-line-out-of-range'],
    ],
    ['one that changes nothing', ['replace 1..1:\n+a', 'replace 2..2:\n+B'], 'a B c d e ', [undefined, undefined]],
    ['one that is no script', ['replace 1..1:', 'replace 2..2:\n+B'], 'a B c d e ', ['edit-empty-body', undefined]],
  ]
  it.each(rows)('%s', async (_name, operations, after, errors) => {
    const session = await openToolSession({ f: 'a\nb\nc\nd\ne\n' })
    const results = await sendAtOnce(session, operations)
    expect(results.map(({ details }) => (details['error'] as { code?: unknown } | undefined)?.code)).toEqual(errors)
    expect(await session.file('f')).toBe(after.replaceAll(' ', '\n'))
  })

  it('tell of each other, also of one that is no script', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\nd\ne\n' })
    for (const bad of ['replace 1..1:', 'replace 9..9:\n+x']) {
      const results = await sendAtOnce(session, [bad, 'replace 2..2:\n+B', 'replace 5..5:\n+E'])
      expect(results.map(({ isError }) => isError)).toEqual([true, false, false])
      for (const result of results) expect(textOf(result)).toContain('sent at once')
      await session.fs.writeFile('/workspace/f', 'a\nb\nc\nd\ne\n')
    }
    const alone = await sendAtOnce(session, ['replace 1..1:'])
    expect(alone.map(textOf).join()).not.toContain('sent at once')
  })

  it('each gets the final tag and its own lines, numbered as they are now', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    const [first, second] = await sendAtOnce(session, ['insert head:\n+0', 'replace 3..3:\n+C'])
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const note = 'Applied together with another edit that was sent at once; shown is this one.'
    expect(first && textOf(first)).toBe(`${note}\n[f#${tag}]\n0 lines → 1; lines below moved by +1\n+1\n 2:a\n 3:b`)
    expect(second && textOf(second)).toBe(`${note}\n[f#${tag}]\n1 line → 1\n 2:a\n 3:b\n+4`)
    expect(first?.details).toMatchObject({ parallelCalls: 2, files: ['f'] })
  })

  it('become one change of the filesystem', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    const batches: number[] = []
    const stop = await session.fs.watch('/', batch => batches.push(batch.changes.length))
    await sendAtOnce(session, ['replace 1..1:\n+A', 'replace 3..3:\n+C'])
    await Promise.resolve()
    expect(batches).toEqual([1])
    stop()
  })

  it('merge under several names of one file, which never wait for each other', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    await session.fs.symlink('f', '/workspace/link')
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const results = await Promise.all([
      session.call('edit', { input: `[f#${tag}]\nreplace 1..1:\n+A` }),
      session.call('edit', { input: `[link#${tag}]\nreplace 3..3:\n+C` }),
    ])
    expect(results.map(({ isError }) => isError)).toEqual([false, false])
    expect(await session.file('f')).toBe('A\nb\nC\n')
  })

  it('go on without the one that is aborted', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const controller = new AbortController()
    const aborted = session.call('edit', { input: `[f#${tag}]\nreplace 1..1:\n+A` }, { signal: controller.signal })
    const stays = session.call('edit', { input: `[f#${tag}]\nreplace 3..3:\n+C` })
    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    expect((await stays).isError).toBe(false)
    expect(await session.file('f')).toBe('a\nb\nC\n')
  })

  it('of many files are written together or not at all', async () => {
    const session = await openToolSession({ a: 'a\nb\n', b: 'a\nb\n' })
    const header = async (path: string): Promise<string> => `[${path}#${tagIn(await session.text('read', { path }))}]`
    const [a, b] = [await header('a'), await header('b')]
    const results = await Promise.all([
      session.call('edit', { input: `${a}\nreplace 1..1:\n+A\n${b}\nreplace 1..1:\n+A` }),
      session.call('edit', { input: `${b}\nreplace 2..2:\n+B\n${a}\nreplace 1..1:\n+X` }),
    ])
    expect(results.map(({ isError }) => isError)).toEqual([true, true])
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\nb\n', 'a\nb\n'])
  })
})

it('where a person is asked, all that is written together is approved together', async () => {
  const asked: ApprovalRequest[] = []
  const approve = (request: ApprovalRequest): Promise<'allow'> => {
    asked.push(request)
    return Promise.resolve('allow')
  }
  const session = await openToolSession({ f: 'a\nb\nc\n' }, { policy: { level: 'ask', approve } })
  const tag = tagIn(await session.text('read', { path: 'f' }))
  const send = (operation: string, signal?: AbortSignal): ReturnType<ToolSession['call']> =>
    session.call('edit', { input: `[f#${tag}]\n${operation}` }, signal === undefined ? {} : { signal })
  const controller = new AbortController()
  const left = send('delete 2', controller.signal)
  const results = Promise.all([send('replace 1..1:\n+A'), send('replace 3..3:\n+C')])
  controller.abort('enough')
  await expect(left).rejects.toBe('enough')
  expect((await results).map(({ isError }) => isError)).toEqual([false, false])
  expect(
    asked.map(({ effect }) => (effect.kind === 'write' ? effect.changes.map(({ diff }) => diff?.match(/^[-+]\w.*$/gm)) : effect)),
  ).toEqual([[['-a', '+A', '-c', '+C']]])
  expect(await session.file('f')).toBe('A\nb\nC\n')
})

it('edits sent at once over the wire of a worker are merged as well', async () => {
  const worker = createFakeWorker({}, buildWorkspace)
  const workspace = await connectWorkerLike(worker, { fs: memory({ f: 'a\nb\nc\n' }), shell: 'none' })
  const tools = await workspace.toolset('atomic', { edit: { repairs: false } })
  const tag = tagIn(textOf(await tools.call('read', { path: 'f' })))
  const results = await Promise.all(
    ['replace 1..1:\n+A', 'replace 2..2:\n+B', 'insert tail:\n+d'].map(operation =>
      tools.call('edit', { input: `[f#${tag}]\n${operation}` }),
    ),
  )
  expect(results.map(({ isError, details }) => [isError, details['parallelCalls']])).toEqual([
    [false, 3],
    [false, 3],
    [false, 3],
  ])
  expect(await workspace.fs.readText('/workspace/f')).toBe('A\nB\nc\nd\n')
  await workspace.dispose()
})

it('a resolver of blocks cannot cross the wire, and that is said', async () => {
  const worker = createFakeWorker({}, buildWorkspace)
  const workspace = await connectWorkerLike(worker, { fs: memory({}), shell: 'none' })
  const opening = workspace.toolset('atomic', { edit: { blocks: () => undefined } })
  await expect(opening).rejects.toMatchObject({ code: 'toolset-options' })
  await workspace.dispose()
})
