// What the OPFS benchmark measures, in a dedicated worker of a browser with a profile on disk.

import { openPeer, type PeerName } from './opfs-peers.ts'

export interface Job {
  readonly peer: PeerName
  readonly name: string
  readonly fileCount: number
  /** `import`: into a new one, at once where it can. `mount`: opens what another worker left, and reads a file. `again`: more than that. */
  readonly what: 'fill' | 'import' | 'mount' | 'again'
}

/** Milliseconds, the last three for each file. */
export type Figures = Readonly<Record<string, number>>

const content = new Uint8Array(4096).map((_, index) => (index * 31) & 255)
const perDirectory = 100
const sampleCount = 200
/** There and back, so often or for so long. */
const renames = { count: 8, patienceMs: 2_000 }

function fileName(index: number): string {
  return `/big/d${Math.floor(index / perDirectory)}/f${index}`
}

/** The same for all: every name is asked for at most once. */
function* sampled(fileCount: number): Generator<number, void> {
  for (let index = 0; index < Math.min(sampleCount, fileCount); index++) yield (index * 7919) % fileCount
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN
}

async function measure({ peer, name, fileCount, what }: Job): Promise<Figures> {
  const figures: Record<string, number> = {}
  const files = Array.from({ length: fileCount }, (_, index) => fileName(index))
  const directories = ['/big', ...Array.from({ length: Math.ceil(fileCount / perDirectory) }, (_, index) => `/big/d${index}`)]
  if (what === 'fill') {
    const fs = await openPeer(peer, name)
    figures['each'] = await timed(async () => {
      for (const path of directories) await fs.mkdir(path)
      for (const path of files) await fs.write(path, content)
      await fs.flush()
    })
    // Where nothing takes many files at once they are written one by one.
    figures['import'] = figures['each']
    figures['edit'] =
      (await timed(async () => {
        for (let index = 0; index < 50; index++) {
          await fs.write(fileName(index * 3), content)
          await fs.flush()
        }
      })) / 50
    await fs.close()
    return figures
  }
  if (what === 'import') {
    const fs = await openPeer(peer, name)
    if (fs.writeAll !== undefined) {
      figures['import'] = await timed(async () => {
        await fs.writeAll?.(directories, files, content)
        await fs.flush()
      })
    }
    await fs.close()
    return figures
  }
  let fs: Awaited<ReturnType<typeof openPeer>> | undefined
  figures['mount'] = await timed(async () => {
    fs = await openPeer(peer, name)
    await fs.read(fileName(fileCount - 1))
  })
  const opened = fs
  if (opened === undefined) throw new Error('it did not open')
  if (what === 'mount') {
    await opened.close()
    return figures
  }
  figures['read'] =
    (await timed(async () => {
      for (const index of sampled(fileCount)) await opened.read(fileName(index))
    })) / Math.min(sampleCount, fileCount)
  // A directory of a thousand files, ten times a hundred.
  if (fileCount <= 10_000) {
    const times: number[] = []
    const startedAt = performance.now()
    while (times.length < renames.count && performance.now() - startedAt < renames.patienceMs) {
      const [from, to] = times.length % 2 === 0 ? (['/big', '/moved'] as const) : (['/moved', '/big'] as const)
      times.push(
        await timed(async () => {
          await opened.rename(from, to)
          await opened.flush()
        }),
      )
    }
    figures['rename'] = median(times)
  }
  await opened.close()
  return figures
}

addEventListener('message', (event: MessageEvent<Job>) => {
  measure(event.data).then(
    figures => postMessage(figures),
    (error: unknown) => postMessage({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }),
  )
})
