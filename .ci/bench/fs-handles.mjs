// Writing 1 kB at a time through a file handle: ours in memory, on a volume of memfs and on a disk, and Node's own on a disk, in turns in
// one process.
import { promises as nodeFs } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const times = 5
/** More for few calls, so that the engine has compiled them. */
const roundsOf = count => Math.max(3, 10_000 / count)
const line = new Uint8Array(1000).fill(65)

const ways = {
  'write 1 kB at the end of a handle': (_index, _count) => null,
  'write 1 kB anywhere in a handle': (index, count) => ((index * 7919) % count) * line.length,
}

/** Whether each takes at most five times Node's processor time. */
export async function compareHandles({ counts, now, print }) {
  const [{ createWorkspace }, { memory }, { memfs }, { node }, { toNodeFs }, { Volume }] = await Promise.all([
    import('anchorage'),
    import('anchorage/fs/memory'),
    import('anchorage/fs/memfs'),
    import('anchorage/fs/node'),
    import('anchorage/fs/node-facade'),
    import('memfs'),
  ])
  const directory = await nodeFs.mkdtemp(join(tmpdir(), 'bench-handles-'))
  const backends = {
    memory: () => memory(),
    memfs: () => memfs(new Volume()),
    node: () => node(directory),
  }
  let isFast = true
  try {
    print('\nFile handles, processor time of one call')
    for (const count of counts) {
      for (const [what, placeOf] of Object.entries(ways)) {
        for (const [name, open] of Object.entries(backends)) {
          const best = { ours: Infinity, node: Infinity }
          for (let round = 0; round < roundsOf(count); round++) {
            const workspace = await createWorkspace({ fs: open(), root: '/', shell: 'none' })
            const ours = toNodeFs(workspace.fs).promises
            best.ours = Math.min(best.ours, await writeAll(ours, '/ours', count, placeOf, now))
            best.node = Math.min(best.node, await writeAll(nodeFs, join(directory, 'f'), count, placeOf, now))
            await workspace.dispose()
          }
          const ratio = best.ours / best.node
          isFast &&= ratio <= times
          const [ours, node] = [best.ours, best.node].map(ms => `${((ms / count) * 1000).toFixed(1)} µs`)
          print(
            `${`${what}, ${name}`.padEnd(44)}${String(count).padStart(8)} times   ours ${ours}   node ${node}   x${ratio.toFixed(2)}${ratio > times ? `   over ${times}` : ''}`,
          )
        }
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
