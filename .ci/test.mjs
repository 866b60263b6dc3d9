// npm test: everything that must pass before a change is merged. `npm test -- --only lint,types` selects steps; `--deep` runs the long
// ones, and `--then-deep 0.02` runs both, the long ones with that share of their seeds. Needs Node and git to start; installs the rest.
// Plain Node, because it runs before anything is installed.
import { ensureBrowsers } from './install-browsers.mjs'
import { ensureInstalled } from './install.mjs'
import { Progress, repeatedFailures } from './progress.mjs'
import { deepLanes, quickLanes } from './steps.mjs'

const totals = { passed: 0, failed: 0 }
const broken = new Set()

// If npm is killed, this process is not told, and its output would not be read any more.
if (process.env.npm_lifecycle_event !== undefined) {
  const { ppid } = process
  setInterval(() => process.ppid !== ppid && process.exit(1), 1000).unref()
}

try {
  const rounds = choose(process.argv.slice(2))
  await ensureInstalled()
  if (rounds.flat(2).some(step => step.needsBrowsers)) await ensureBrowsers()
  // A lane waits much of its time, for one thread, for pages or for servers, and the others work meanwhile.
  for (const lanes of rounds) await Promise.all(lanes.map(runLane))
} catch (error) {
  console.log(`✗ set-up: ${error.message}`)
  totals.failed++
}
console.log(repeatedFailures())
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 ? 1 : 0)

async function runLane(steps) {
  for (const step of steps) await runStep(step)
}

async function runStep(step) {
  const blockedBy = step.needs?.find(name => broken.has(name))
  if (blockedBy) {
    console.log(`✗ ${titleOf(step)}: not run, because ${blockedBy} failed`)
    return count(step, { passed: 0, failed: 1 })
  }
  const progress = new Progress(titleOf(step))
  let outcome
  try {
    outcome = await step.run(progress)
  } catch (error) {
    outcome = { passed: 0, failed: 1, output: error.stack }
  }
  progress.end(outcome)
  count(step, outcome)
}

function titleOf({ name, title = name }) {
  return title
}

function count(step, { passed, failed }) {
  totals.passed += passed
  totals.failed += failed
  if (failed > 0) broken.add(step.name)
}

/** The rounds to run, one after the other; each has lanes, and each lane has steps. */
function choose(args) {
  const rounds = roundsOf(args)
  const at = args.indexOf('--only')
  if (at < 0) return rounds
  const steps = rounds.flat(2)
  const names = (args[at + 1] ?? '').split(',')
  const unknown = names.filter(name => !steps.some(step => step.name === name))
  if (unknown.length > 0)
    throw new Error(`There is no step "${unknown.join('", "')}". Steps: ${steps.map(step => step.name).join(', ')}.`)
  return rounds.map(lanes => lanes.map(lane => lane.filter(step => names.includes(step.name))))
}

function roundsOf(args) {
  const at = args.indexOf('--then-deep')
  if (at < 0) return [args.includes('--deep') ? deepLanes(process.env.ANCHORAGE_DEEP ?? '1') : quickLanes]
  const share = args[at + 1]
  if (!(Number(share) > 0)) throw new Error('--then-deep needs a share of the seeds, such as 0.02.')
  // Built already.
  return [quickLanes, deepLanes(share).map(lane => lane.filter(step => step.name !== 'build'))]
}
