// Real directories of the browser, on the page, like the ones that a user picks.
import { beforeEach, expect, test } from 'vitest'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { exportTo, importFrom } from './transfer.ts'

const name = 'transfer-test'

async function fresh(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  await root.removeEntry(name, { recursive: true }).catch(() => {})
  return await root.getDirectoryHandle(name, { create: true })
}

let directory: FileSystemDirectoryHandle
beforeEach(async () => {
  directory = await fresh()
})

test('out and in again gives the same files, byte for byte', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
  const fs = createVfs(
    memory({ '/p/a.txt': 'a\r\n\uFEFF', '/p/d/e/é💾': bytes, '/p/empty': '', '/p/none/': null, '/other': 'x' }),
  )
  await fs.symlink('a.txt', '/p/link')
  expect(await exportTo(fs, directory, { path: '/p' })).toEqual({ fileCount: 3, sizeBytes: 70_006, skipped: ['/p/link'] })

  const back = createVfs(memory({ '/q/kept': 'kept', '/q/a.txt': 'old' }))
  expect(await importFrom(directory, back, { path: '/q' })).toEqual({ fileCount: 3, sizeBytes: 70_006, skipped: [] })
  expect(await back.readFile('/q/d/e/é💾')).toEqual(bytes)
  expect(await back.readFile('/q/a.txt')).toEqual(await fs.readFile('/p/a.txt'))
  expect((await back.readdir('/q')).map(entry => entry.name)).toEqual(['a.txt', 'd', 'empty', 'kept', 'none'])
})

test('a shorter file replaces a longer one whole', async () => {
  await exportTo(createVfs(memory({ '/a': 'a long text' })), directory, { path: '/' })
  await exportTo(createVfs(memory({ '/a': 'short' })), directory, { path: '/' })
  expect(await (await (await directory.getFileHandle('a')).getFile()).text()).toBe('short')
})

test('too much, or an abort, changes nothing', async () => {
  await exportTo(createVfs(memory({ '/a': '1', '/b': '2', '/c/d': '3' })), directory, { path: '/' })
  const fs = createVfs(memory())
  await expect(importFrom(directory, fs, { path: '/', maxFiles: 2 })).rejects.toMatchObject({ code: 'transfer-limit' })
  await expect(importFrom(directory, fs, { path: '/', signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  expect(await fs.readdir('/')).toEqual([])
  const empty = await fresh()
  const full = createVfs(memory({ '/a': '1', '/b': '2', '/c/d': '3' }))
  await expect(exportTo(full, empty, { path: '/', maxFiles: 2 })).rejects.toMatchObject({ code: 'transfer-limit' })
  for await (const left of empty.keys()) expect(left).toBe('nothing')
})

test('what a crash of Chromium left behind is told and not taken over', async () => {
  await directory.getFileHandle('a.txt.crswap', { create: true })
  const fs = createVfs(memory())
  expect(await importFrom(directory, fs, { path: '/' })).toEqual({ fileCount: 0, sizeBytes: 0, skipped: ['/a.txt.crswap'] })
})
