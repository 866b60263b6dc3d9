// An editor whose worker has ended: its text is not lost. It opens the file again in the next worker and takes along what was not saved.

import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { parsePath } from '../core/path.ts'
import { textOf } from '../testing/tool-session.ts'
import { createFakeWorker, type FakeWorker } from '../testing/wire/pair.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { connectWorkerLike } from './client.ts'

const rows: readonly {
  readonly name: string
  readonly typed: string
  /** What another program wrote while there was no worker. */
  readonly onDisk?: string
  /** The editor's text, and the file's, once it has been saved; `undefined` if the buffer is lost. */
  readonly saved: string | undefined
}[] = [
  { name: 'nothing was typed', typed: '', saved: 'one\ntwo\nthree\n' },
  { name: 'nothing was typed, and the file changed', typed: '', onDisk: 'one\n2\nthree\n', saved: 'one\n2\nthree\n' },
  { name: 'unsaved text', typed: 'typed ', saved: 'typed one\ntwo\nthree\n' },
  { name: 'unsaved text, and other lines changed', typed: 'typed ', onDisk: 'one\ntwo\n3\n', saved: 'typed one\ntwo\n3\n' },
  { name: 'unsaved text, and the same line changed', typed: 'typed ', onDisk: '1\ntwo\nthree\n', saved: undefined },
]

test.each(rows)('$name', async ({ typed, onDisk, saved }) => {
  const disk = memory({ '/workspace/a.txt': 'one\ntwo\nthree\n' })
  const workers: FakeWorker[] = []
  const workspace = await connectWorkerLike(
    () => {
      const worker = createFakeWorker({}, () => createWorkspace({ fs: disk, shell: 'none', root: '/workspace' }))
      workers.push(worker)
      return worker
    },
    { callTimeoutMs: 500, limits: { searchTimeoutMs: 50 } },
  )
  const buffer = await workspace.buffers.open('a.txt')
  const lost: unknown[] = []
  buffer.on('lost', error => lost.push(error))
  if (typed !== '') buffer.change([{ from: 0, insert: typed }])
  workers[0]?.freeze()
  if (onDisk !== undefined) await disk.write(parsePath('/workspace/a.txt'), new TextEncoder().encode(onDisk))
  workers[0]?.fail('it ended')
  // The next call starts the next worker.
  await expect.poll(() => workspace.fs.exists('/workspace/a.txt').catch(() => false)).toBe(true)
  expect(workers).toHaveLength(2)
  if (saved === undefined) {
    await expect.poll(() => lost).toMatchObject([{ code: 'buffer-lost' }])
    expect([buffer.text.includes(typed), await workspace.fs.readText('/workspace/a.txt')]).toEqual([true, onDisk])
    return await workspace.dispose()
  }
  await expect.poll(() => buffer.text).toBe(saved)
  const tools = await workspace.toolset('ah')
  await expect.poll(async () => textOf(await tools.call('read', { path: 'a.txt' }))).toContain(saved.split('\n')[0])
  buffer.change([{ from: 0, insert: '!' }])
  await buffer.save()
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe(`!${saved}`)
  expect(lost).toEqual([])
  await workspace.dispose()
})
