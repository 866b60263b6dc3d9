// One filesystem's turn, in a separate process or page: otherwise the second one would pay for what the first one left in the heap, and an
// engine that has seen several kinds of filesystem at one call site calls each of them more slowly.
import { floorOf, planOf, run } from './fs-scenario.mjs'

const warmUpFiles = 1000
const warmUpRounds = 3

/**
 * The best of `rounds` fresh filesystems: milliseconds by row. The best counts, because other work on the machine can only add time. `open`
 * creates one, or is absent for copying alone. `collect` frees unused memory.
 */
export async function takeTurn(open, { size, fileBytes, rounds, now, collect }) {
  // The engine continues cleaning up in other threads, which must not be counted for the next row.
  const settle = async () => {
    collect()
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  const once = async plan => (open === undefined ? floorOf(plan, { now, settle }) : run(await open(), plan, { now, settle }))
  // The first execution of a program is slower, and is not what is measured.
  for (let round = 0; round < Math.min(rounds, warmUpRounds); round++) await once(planOf(Math.min(size, warmUpFiles), fileBytes))
  const plan = planOf(size, fileBytes)
  const best = {}
  for (let round = 0; round < rounds; round++) {
    await settle()
    const ms = await once(plan)
    for (const [row, value] of Object.entries(ms)) best[row] = Math.min(value, best[row] ?? Infinity)
  }
  return { ms: best, copies: open === undefined ? undefined : await copiesOf(await open()) }
}

/** Whether a filesystem copies its arguments and its results: found out by changing both. */
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
