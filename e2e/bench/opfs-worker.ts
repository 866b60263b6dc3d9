// What the OPFS benchmark measures, in a dedicated worker of a browser with a profile on disk.

import { openOpfs } from 'anchorage/fs/opfs'

type Backend = Awaited<ReturnType<typeof openOpfs>>
type Path = Parameters<Backend['read']>[0]

const path = (text: string): Path => text as Path
const content = new Uint8Array(4096).map((_, index) => (index * 31) & 255)

function fileName(index: number): string {
  return `/d${Math.floor(index / 100)}/f${index}`
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function fill(fs: Backend, count: number): void {
  for (let index = 0; index < count; index++) {
    fs.sync?.write(path(fileName(index)), content, { parents: index % 100 === 0 })
  }
}

async function ours(name: string, count: number): Promise<Record<string, number>> {
  const results: Record<string, number> = {}
  const fs = await openOpfs({ name })
  results['import'] = await timed(async () => {
    fill(fs, count)
    await fs.flush()
  })
  results['read'] =
    (await timed(() => {
      for (let index = 0; index < 2_000; index++) fs.sync?.read(path(fileName((index * 7919) % count)))
    })) / 2_000
  results['edit'] =
    (await timed(async () => {
      for (let index = 0; index < 200; index++) {
        fs.sync?.write(path(fileName(index * 3)), content)
        await fs.flush()
      }
    })) / 200
  results['rename'] = await timed(async () => {
    await fs.rename(path('/d0'), path('/moved'))
    await fs.flush()
  })
  results['close'] = await timed(() => fs.close())
  let again: Backend | undefined
  results['mount'] = await timed(async () => {
    again = await openOpfs({ name })
    await again.lookup(path(fileName(count - 1)))
  })
  results['read cold'] =
    (await timed(() => {
      for (let index = 0; index < 2_000; index++) again?.sync?.read(path(fileName(100 + ((index * 7919) % (count - 100)))))
    })) / 2_000
  await again?.close()
  return results
}

interface SyncHandle {
  truncate(sizeBytes: number): void
  write(bytes: Uint8Array, options: { at: number }): number
  flush(): void
  close(): void
}

/** TypeScript has it for workers only. */
function syncHandle(file: FileSystemFileHandle): Promise<SyncHandle> {
  return (file as unknown as { createSyncAccessHandle(): Promise<SyncHandle> }).createSyncAccessHandle()
}

/** One OPFS file for each file: what most libraries do. */
async function fileEach(name: string, count: number): Promise<Record<string, number>> {
  const results: Record<string, number> = {}
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true })
  const write = async (directory: FileSystemDirectoryHandle, file: string): Promise<void> => {
    const handle = await syncHandle(await directory.getFileHandle(file, { create: true }))
    handle.truncate(0)
    handle.write(content, { at: 0 })
    handle.flush()
    handle.close()
  }
  results['import'] = await timed(async () => {
    for (let start = 0; start < count; start += 100) {
      const directory = await root.getDirectoryHandle(`d${start / 100}`, { create: true })
      for (let index = start; index < start + 100; index++) await write(directory, `f${index}`)
    }
  })
  const first = await root.getDirectoryHandle('d0')
  results['edit'] =
    (await timed(async () => {
      for (let index = 0; index < 50; index++) await write(first, `f${index}`)
    })) / 50
  results['read cold'] =
    (await timed(async () => {
      for (let index = 0; index < 50; index++) await (await (await first.getFileHandle(`f${index}`)).getFile()).arrayBuffer()
    })) / 50
  return results
}

addEventListener('message', (event: MessageEvent<{ what: 'ours' | 'fileEach'; name: string; count: number }>) => {
  const { what, name, count } = event.data
  const measured = what === 'ours' ? ours(name, count) : fileEach(name, count)
  measured.then(
    results => postMessage(results),
    (error: unknown) => postMessage({ error: String(error) }),
  )
})
