// Runs the peers in turns and prints the results as ratios: how many times as long as ours each of them took.
import { countOf, planOf, rows } from './fs-scenario.mjs'

const budgetRows = ['write', 'read', 'stat', 'list']
const timeBudget = 0.1
/** Used instead of a peer: the cost of copying alone. */
export const floor = 'floor'

/**
 * Returns whether ours kept its budgets. A budget that copying alone exceeds is reported and does not count. `names` are the peers, grouped
 * by synchronous and asynchronous; `measure({ how, name, size })` returns the result of `takeTurn` in a fresh heap; `print` prints a line.
 * `isMeasured(name, size)` leaves out a peer that would take too long.
 * Peers take `turns(size)` turns each, starting with a different one each time.
 */
export async function compare(names, { sizes, fileBytes, turns, measure, isMeasured, isBudgeted, print }) {
  let isKept = true
  const growth = new Map()
  for (const size of sizes) {
    const plan = planOf(size, fileBytes)
    const { ms: floorMs } = await bestOf([floor], turns(size), name => measure({ how: 'sync', name, size })).then(best =>
      best.get(floor),
    )
    for (const [how, all] of Object.entries(names)) {
      const group = all.filter(name => isMeasured(name, size))
      const best = await bestOf(group, turns(size), name => measure({ how, name, size }))
      const others = group.filter(name => name !== 'ours')
      print(
        `\n${size} files, ${how === 'sync' ? 'at once' : 'by promise'}, the best of ${turns(size)} turns, each in a heap of its own`,
      )
      print(
        `${''.padEnd(34)}${'ours'.padStart(12)}${others.map(name => name.padStart(28)).join('')}${'copying alone'.padStart(24)}`,
      )
      for (const row of rows) {
        const msOf = name => best.get(name)?.ms[row.id]
        const ours = msOf('ours')
        if (ours === undefined) continue
        const shown = others.map(name =>
          (msOf(name) === undefined ? '-' : `${perCall(msOf(name), row, plan)}  x${ratio(msOf(name), ours)}`).padStart(28),
        )
        // A peer that lacks the operation is not compared.
        const isAhead = others.every(name => msOf(name) === undefined || msOf(name) > ours)
        const allowedMs = best.has('memfs') && budgetRows.includes(row.id) ? timeBudget * msOf('memfs') : Infinity
        const isPossible = floorMs[row.id] === undefined || floorMs[row.id] <= allowedMs
        const over = `  over ${timeBudget} of memfs${isPossible ? '' : ', and so is copying alone'}`
        const verdict = !isAhead ? '  behind' : isBudgeted(size) && ours > allowedMs ? over : ''
        if (isBudgeted(size) && verdict !== '' && (!isAhead || isPossible)) isKept = false
        const least =
          floorMs[row.id] === undefined ? '' : `${perCall(floorMs[row.id], row, plan)}  x${(floorMs[row.id] / ours).toFixed(2)}`
        print(
          `${row.what.padEnd(34)}${perCall(ours, row, plan).padStart(12)}${shown.join('')}${least.padStart(24)}${verdict}`.trimEnd(),
        )
        const key = `${row.what}, ${how === 'sync' ? 'at once' : 'by promise'}`
        growth.set(key, [...(growth.get(key) ?? []), perCall(ours, row, plan)])
      }
      for (const name of group) if (!copiesAll(best.get(name))) print(explainCopies(name, best.get(name).copies))
    }
  }
  print(`\nHow ours grows: ${sizes.join(', ')} files`)
  for (const [what, costs] of growth) print(`${what.padEnd(46)}${costs.map(cost => cost.padStart(12)).join('')}`)
  return isKept
}

async function bestOf(names, turns, measure) {
  const best = new Map()
  for (let turn = 0; turn < turns; turn++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + turn) % names.length]
      const { ms, copies } = await measure(name)
      const known = best.get(name)?.ms ?? {}
      best.set(name, {
        copies,
        ms: Object.fromEntries(Object.entries(ms).map(([row, value]) => [row, Math.min(value, known[row] ?? Infinity)])),
      })
    }
  }
  return best
}

function copiesAll({ copies }) {
  return copies.write && copies.read
}

function explainCopies(name, copies) {
  const what = [copies.write ? '' : 'what it is given', copies.read ? '' : 'what it hands out']
    .filter(part => part !== '')
    .join(' and ')
  return `${name} does not copy ${what}, so changing the array changes the file: the caller's copy is part of its time.`
}

function perCall(ms, row, plan) {
  return `${((1000 * ms) / countOf(row, plan)).toFixed(2)} µs`
}

function ratio(theirs, ours) {
  const times = theirs / Math.max(ours, 0.001)
  return times >= 100 ? times.toFixed(0) : times.toFixed(1)
}
