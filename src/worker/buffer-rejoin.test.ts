// If the worker of an editor ends, the text is not lost: the editor opens the file again in the next worker, with its unsaved
// changes.

import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { BufferConflict } from '../buffers/buffer.ts'
import { textOf } from '../testing/tool-session.ts'
import { createFakeWorker, type FakeWorker } from '../testing/wire/pair.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { connectWorkerLike } from './client.ts'

const rows: readonly {
  readonly name: string
  readonly typed: string
  /** The text that another program wrote while there was no worker; `null` if it removed the file. */
  readonly onDisk?: string | null
  /** The editor's text, and the file's, once it has been saved. */
  readonly saved: string
  readonly conflict?: BufferConflict
}[] = [
  { name: 'nothing was typed', typed: '', saved: 'one\ntwo\nthree\n' },
  { name: 'nothing was typed, and the file changed', typed: '', onDisk: 'one\n2\nthree\n', saved: 'one\n2\nthree\n' },
  { name: 'unsaved text', typed: 'typed ', saved: 'typed one\ntwo\nthree\n' },
  { name: 'unsaved text, and other lines changed', typed: 'typed ', onDisk: 'one\ntwo\n3\n', saved: 'typed one\ntwo\n3\n' },
  {
    name: 'unsaved text, and the same line changed',
    typed: 'typed ',
    onDisk: '1\ntwo\nthree\n',
    saved: 'typed one\ntwo\nthree\n',
    conflict: { kind: 'changed', text: '1\ntwo\nthree\n' },
  },
  {
    name: 'unsaved text, and the file was removed',
    typed: 'typed ',
    onDisk: null,
    saved: 'typed one\ntwo\nthree\n',
    conflict: { kind: 'removed' },
  },
]

test.each(rows)('$name', async ({ typed, onDisk, saved, conflict }) => {
  const before = 'one\ntwo\nthree\n'
  // Each worker has a separate view of the disk, so that a worker that has ended is not notified.
  const diskWith = (text: string | null): VfsBackend =>
    memory(text === null ? { '/workspace/b': '' } : { '/workspace/a.txt': text })
  const workers: FakeWorker[] = []
  const workspace = await connectWorkerLike(
    () => {
      const text = workers.length === 0 || onDisk === undefined ? before : onDisk
      const worker = createFakeWorker({}, () => createWorkspace({ fs: diskWith(text), shell: 'none', root: '/workspace' }))
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
  workers[0]?.fail('it ended')
  // The next call starts the next worker.
  await expect.poll(() => workspace.fs.exists('/workspace').catch(() => false)).toBe(true)
  expect(workers).toHaveLength(2)
  await expect.poll(() => buffer.conflict).toEqual(conflict)
  await expect.poll(() => buffer.text).toBe(saved)
  if (conflict !== undefined) {
    // Nothing is overwritten, and no typed text is lost.
    await expect(buffer.save()).rejects.toMatchObject({ code: 'buffer-conflict' })
    buffer.change([{ from: 0, insert: '!' }])
    await buffer.save({ overwrite: true })
    expect([await workspace.fs.readText('/workspace/a.txt'), buffer.conflict, lost]).toEqual([`!${saved}`, undefined, []])
    return await workspace.dispose()
  }
  const tools = await workspace.toolset('ah')
  await expect.poll(async () => textOf(await tools.call('read', { path: 'a.txt' }))).toContain(saved.split('\n')[0])
  buffer.change([{ from: 0, insert: '!' }])
  await buffer.save()
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe(`!${saved}`)
  expect(lost).toEqual([])
  await workspace.dispose()
})
