// One filesystem's turn, in a process or a page of its own: whoever comes second in a heap pays for what the first one left there, and
// an engine that has seen several kinds of filesystem at one place calls each of them more slowly.
import { floorOf, planOf, run } from './fs-scenario.mjs'

const warmUpFiles = 1000
const warmUpRounds = 3

/**
 * The best of `rounds` fresh filesystems: milliseconds by row, for whatever else the machine does only ever adds. `open` makes one, or is
 * absent for copying alone. `collect` frees what is no longer used.
 */
export async function takeTurn(open, { size, fileBytes, rounds, now, collect }) {
  // The engine goes on cleaning up in threads of its own, which the next row must not pay for.
  const settle = async () => {
    collect()
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  const once = async plan => (open === undefined ? floorOf(plan, { now, settle }) : run(await open(), plan, { now, settle }))
  // What a program does for the first time is slow in its own way, and is not what is asked.
  for (let round = 0; round < warmUpRounds; round++) await once(planOf(warmUpFiles, fileBytes))
  const plan = planOf(size, fileBytes)
  const best = {}
  for (let round = 0; round < rounds; round++) {
    await settle()
    const ms = await once(plan)
    for (const [row, value] of Object.entries(ms)) best[row] = Math.min(value, best[row] ?? Infinity)
  }
  return { ms: best, copies: open === undefined ? undefined : await copiesOf(await open()) }
}

/** Whether a filesystem copies by itself what it is given, and what it hands out: found out by changing both. */
async function copiesOf(fs) {
  const { write, read } = fs.uncopied ?? fs
  await fs.mkdirp('/p')
  const given = new Uint8Array([1, 2])
  await write('/p/copied', given)
  given[0] = 9
  const handedOut = await read('/p/copied')
  const isGivenCopied = handedOut[0] === 1
  handedOut[1] = 9
  return { write: isGivenCopied, read: (await read('/p/copied'))[1] === 2 }
}
