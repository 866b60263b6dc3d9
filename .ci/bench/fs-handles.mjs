// Writing 1 kB at a time through a file handle: ours in memory, and Node's own on a disk, in turns in one process.
import { promises as nodeFs } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const times = 5
const rounds = 3
const line = new Uint8Array(1000).fill(65)

const ways = {
  'write 1 kB at the end of a handle': (_index, _count) => null,
  'write 1 kB anywhere in a handle': (index, count) => ((index * 7919) % count) * line.length,
}

/** Whether each takes at most five times Node's processor time. */
export async function compareHandles({ counts, now, print }) {
  const [{ createWorkspace }, { memory }, { toNodeFs }] = await Promise.all([
    import('anchorage'),
    import('anchorage/fs/memory'),
    import('anchorage/fs/node-facade'),
  ])
  const directory = await nodeFs.mkdtemp(join(tmpdir(), 'bench-handles-'))
  let isFast = true
  try {
    print('\nFile handles, processor time of one call')
    for (const count of counts) {
      for (const [what, placeOf] of Object.entries(ways)) {
        const best = { ours: Infinity, node: Infinity }
        for (let round = 0; round < rounds; round++) {
          const ours = toNodeFs((await createWorkspace({ fs: memory(), shell: 'none' })).fs).promises
          best.ours = Math.min(best.ours, await writeAll(ours, '/f', count, placeOf, now))
          best.node = Math.min(best.node, await writeAll(nodeFs, join(directory, 'f'), count, placeOf, now))
        }
        const ratio = best.ours / best.node
        isFast &&= ratio <= times
        const [ours, node] = [best.ours, best.node].map(ms => `${((ms / count) * 1000).toFixed(1)} µs`)
        print(
          `${what.padEnd(36)}${String(count).padStart(8)} times   ours ${ours}   node ${node}   x${ratio.toFixed(2)}${ratio > times ? `   over ${times}` : ''}`,
        )
      }
    }
  } finally {
    await nodeFs.rm(directory, { recursive: true })
  }
  return isFast
}

async function writeAll(fs, path, count, placeOf, now) {
  const handle = await fs.open(path, 'w+')
  try {
    // The second way writes over what is there.
    if (placeOf(0, count) !== null) await handle.writeFile(new Uint8Array(count * line.length))
    const startedAt = now()
    for (let index = 0; index < count; index++) await handle.write(line, 0, line.length, placeOf(index, count))
    const tookMs = now() - startedAt
    if ((await handle.stat()).size !== count * line.length) throw new Error(`${path} has another size`)
    return tookMs
  } finally {
    await handle.close()
  }
}
