// What the OPFS benchmark measures, in a dedicated worker of a browser with a profile on disk.

import { openPeer, type PeerName } from './opfs-peers.ts'

export interface Job {
  readonly peer: PeerName
  readonly name: string
  readonly fileCount: number
  /** `again`: opens what another worker left, and reads. */
  readonly what: 'fill' | 'again'
}

/** Milliseconds, the last three for each file. */
export type Figures = Readonly<Record<string, number>>

const content = new Uint8Array(4096).map((_, index) => (index * 31) & 255)
const perDirectory = 100
const sampleCount = 200

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

async function measure({ peer, name, fileCount, what }: Job): Promise<Figures> {
  const figures: Record<string, number> = {}
  if (what === 'fill') {
    const fs = await openPeer(peer, name)
    figures['import'] = await timed(async () => {
      await fs.mkdir('/big')
      for (let index = 0; index < fileCount; index++) {
        if (index % perDirectory === 0) await fs.mkdir(`/big/d${index / perDirectory}`)
        await fs.write(fileName(index), content)
      }
      await fs.flush()
    })
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
  let fs: Awaited<ReturnType<typeof openPeer>> | undefined
  figures['mount'] = await timed(async () => {
    fs = await openPeer(peer, name)
    await fs.read(fileName(fileCount - 1))
  })
  const opened = fs
  if (opened === undefined) throw new Error('it did not open')
  figures['read'] =
    (await timed(async () => {
      for (const index of sampled(fileCount)) await opened.read(fileName(index))
    })) / Math.min(sampleCount, fileCount)
  // A directory of a thousand files, ten times a hundred.
  if (fileCount <= 10_000) {
    figures['rename'] = await timed(async () => {
      await opened.rename('/big', '/moved')
      await opened.flush()
    })
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
