// Writes through an open file of the machine: each writes only its own bytes, and the file stays the one that it is.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { VfsPath } from '../../core/path.ts'
import { seeds } from '../../testing/depth.ts'
import { fastTemporary } from '../../testing/fuzz/oracle.ts'
import { forSeeds } from '../../testing/random.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { toNodeFs } from '../../vfs/facades/node/index.ts'
import { hostedBackend } from '../../vfs/hosted/hosted-backend.ts'
import { node } from './index.ts'
import { nodeHost } from './node-host.ts'

interface Subject {
  readonly fs: ReturnType<typeof createVfs>
  readonly directory: string
}

function temporary(): Subject {
  const directory = mkdtempSync(join(fastTemporary, 'node-handles-'))
  const backend = node(directory)
  onTestFinished(async () => {
    await backend.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { fs: createVfs(backend), directory }
}

test('a file stays the same one, under both of its names, and each write is a new revision', async () => {
  const { fs, directory } = temporary()
  const { promises } = toNodeFs(fs)
  await promises.writeFile('/f', 'hello')
  await promises.link('/f', '/other')
  const [{ ino }, { rev }] = [statSync(join(directory, 'f')), await fs.stat('/f')]
  const handle = await promises.open('/f', 'r+')
  await handle.write('J', 0)
  await handle.write('!', 5)
  await handle.write('?', 8)
  await handle.close()
  expect(readFileSync(join(directory, 'other'), 'latin1')).toBe('Jello!\0\0?')
  expect(statSync(join(directory, 'f')).ino).toBe(ino)
  expect((await fs.stat('/f')).rev).toBeGreaterThan(rev)
  await expect(fs.writeFile('/f', 'late', { ifRev: rev })).rejects.toMatchObject({ code: 'ESTALE' })
})

test('what was written to an open file is on the disk after it is closed or synced, and the disk is not waited for before', async () => {
  const synced: string[] = []
  const directory = mkdtempSync(join(fastTemporary, 'node-handles-'))
  const host = nodeHost(directory, { isDurable: true, maxFileBytes: 2 ** 31 - 1 })
  const settle = (path: VfsPath): void => {
    synced.push(path)
    host.settle?.(path)
  }
  const flush = (): void => {
    synced.push('/')
    host.flush()
  }
  const { backend } = hostedBackend({ ...host, settle, flush }, node(directory).caps, Date.now)
  onTestFinished(async () => {
    await backend.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const { promises } = toNodeFs(createVfs(backend))
  const handle = await promises.open('/f', 'w')
  for (const text of ['a', 'b', 'c']) await handle.write(text)
  expect(synced).toEqual([])
  await handle.sync()
  expect(synced).toEqual(['/'])
  await handle.write('d')
  await promises.rename('/f', '/g')
  await handle.close()
  expect(synced).toEqual(['/', '/g'])
  expect(readFileSync(join(directory, 'g'), 'latin1')).toBe('abcd')
})

test('a part of a file that may not be written in place is written with the rest of it', async () => {
  const directory = mkdtempSync(join(fastTemporary, 'node-handles-'))
  const host = nodeHost(directory, { isDurable: false, maxFileBytes: 2 ** 31 - 1 })
  const { backend } = hostedBackend({ ...host, patch: () => false }, node(directory).caps, Date.now)
  onTestFinished(async () => {
    await backend.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const fs = createVfs(backend)
  const { promises } = toNodeFs(fs)
  await promises.writeFile('/f', 'hello', { mode: 0o640 })
  const [{ ino }, { rev }] = [statSync(join(directory, 'f')), await fs.stat('/')]
  const handle = await promises.open('/f', 'r+')
  await handle.write('J', 0)
  await handle.write('!!', 4)
  await handle.close()
  expect(readFileSync(join(directory, 'f'), 'latin1')).toBe('Jell!!')
  const { ino: after, mode } = statSync(join(directory, 'f'))
  expect([after === ino, mode & 0o777]).toEqual([false, 0o640])
  // No name was added or removed.
  expect((await fs.stat('/')).rev).toBe(rev)
})

test('an open file has what was written to it, also after it was renamed and unlinked', async () => {
  await forSeeds(seeds({ quick: 5, deep: 100 }), async random => {
    const { promises } = toNodeFs(temporary().fs)
    const handle = await promises.open('/f', 'w+')
    let expected = new Uint8Array()
    for (let count = 0; count < 60; count++) {
      const bytes = new Uint8Array(1 + random.below(300)).fill(1 + random.below(255))
      const at = random.chance(0.4) ? expected.length : random.below(expected.length + 50)
      await handle.write(bytes, 0, bytes.length, at)
      const next = new Uint8Array(Math.max(expected.length, at + bytes.length))
      next.set(expected)
      next.set(bytes, at)
      expected = next
      if (count === 20) await promises.rename('/f', '/g')
      if (count === 40 && random.chance(0.5)) await promises.unlink('/g')
    }
    const all = new Uint8Array(expected.length + 1)
    const { bytesRead } = await handle.read(all, 0, all.length, 0)
    expect(all.subarray(0, bytesRead)).toEqual(expected)
    await handle.close()
  })
})

test('after the last byte that a number can name there is nothing to read', async () => {
  const { promises } = toNodeFs(temporary().fs)
  await promises.writeFile('/f', 'hello')
  const handle = await promises.open('/f')
  expect((await handle.read(new Uint8Array(3), 0, 3, (2n ** 62n) as never)).bytesRead).toBe(0)
  await handle.close()
})
