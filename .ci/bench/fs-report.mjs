// Runs the peers in turns and prints what came out as ratios: how many times as long as ours each of them took.
import { countOf, floorOf, planOf, rows, run } from './fs-scenario.mjs'

const budgetRows = ['write', 'read', 'stat', 'list']
const timeBudget = 0.1

/**
 * Returns whether ours kept its budgets; one that copying alone breaks is told, and does not count. `print` takes a line; `collect` frees what the last run left.
 * Each round opens a fresh filesystem of each peer, beginning with another one, so that no peer has the warm or the cold place.
 */
export async function compare(peers, { sizes, fileBytes, rounds, isBudgeted, print, now, collect = () => {} }) {
  let isKept = true
  // What a program does for the first time is slow in its own way, and is not what is asked.
  for (const group of Object.values(peers))
    for (const open of Object.values(group)) await run(await open(), planOf(300, fileBytes), now)
  const growth = new Map()
  for (const size of sizes) {
    const plan = planOf(size, fileBytes)
    const floor = await bestFloor(plan, rounds(size), now, collect)
    for (const [how, group] of Object.entries(peers)) {
      const names = Object.keys(group)
      const times = new Map(names.map(name => [name, []]))
      for (let round = 0; round < rounds(size); round++) {
        for (let turn = 0; turn < names.length; turn++) {
          const name = names[(turn + round) % names.length]
          times.get(name).push(await run(await group[name](), plan, now))
          await settle(collect)
        }
      }
      print(
        `\n${size} files, ${how === 'sync' ? 'at once' : 'by promise'}${rounds(size) > 1 ? `, the best of ${rounds(size)}` : ''}`,
      )
      print(
        `${''.padEnd(34)}${'ours'.padStart(12)}${names
          .filter(name => name !== 'ours')
          .map(name => name.padStart(28))
          .join('')}${'copying alone'.padStart(24)}`,
      )
      for (const row of rows) {
        // The best, for whatever else the machine does only ever adds.
        const msOf = name => Math.min(...times.get(name).map(ms => ms[row.id]))
        const ours = msOf('ours')
        const others = names.filter(name => name !== 'ours')
        const shown = others.map(name => `${perCall(msOf(name), row, plan)}  x${ratio(msOf(name), ours)}`.padStart(28))
        const isAhead = others.every(name => msOf(name) > ours)
        const isCheap = !times.has('memfs') || !budgetRows.includes(row.id) || ours <= timeBudget * msOf('memfs')
        const floorMs = floor[row.id]
        const isPossible = floorMs === undefined || !times.has('memfs') || floorMs <= timeBudget * msOf('memfs')
        const over = `  over ${timeBudget} of memfs${isPossible ? '' : ', and so is copying alone'}`
        const verdict = !isAhead ? '  behind' : isBudgeted(size) && !isCheap ? over : ''
        if (isBudgeted(size) && verdict !== '' && (!isAhead || isPossible)) isKept = false
        const least = floorMs === undefined ? '' : `${perCall(floorMs, row, plan)}  x${(floorMs / ours).toFixed(2)}`
        print(
          `${row.what.padEnd(34)}${perCall(ours, row, plan).padStart(12)}${shown.join('')}${least.padStart(24)}${verdict}`.trimEnd(),
        )
        const key = `${row.what}, ${how === 'sync' ? 'at once' : 'by promise'}`
        growth.set(key, [...(growth.get(key) ?? []), perCall(ours, row, plan)])
      }
    }
  }
  print(`\nHow ours grows: ${sizes.join(', ')} files`)
  for (const [what, costs] of growth) print(`${what.padEnd(46)}${costs.map(cost => cost.padStart(12)).join('')}`)
  return isKept
}

/** The engine goes on cleaning up in threads of its own, which whoever comes next must not pay for. */
async function settle(collect) {
  collect()
  await new Promise(resolve => setTimeout(resolve, 50))
}

async function bestFloor(plan, rounds, now, collect) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    times.push(floorOf(plan, now))
    await settle(collect)
  }
  return { write: Math.min(...times.map(ms => ms.write)), read: Math.min(...times.map(ms => ms.read)) }
}

function perCall(ms, row, plan) {
  return `${((1000 * ms) / countOf(row, plan)).toFixed(2)} µs`
}

function ratio(theirs, ours) {
  const times = theirs / Math.max(ours, 0.001)
  return times >= 100 ? times.toFixed(0) : times.toFixed(1)
}
