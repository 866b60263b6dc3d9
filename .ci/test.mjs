// npm test: everything that must pass before a change is merged. `npm test -- --only lint,types` selects steps; `--deep` runs the long
// ones. Needs Node and git to start; installs the rest. Plain Node, because it runs before anything is installed.
import { ensureBrowsers } from './install-browsers.mjs'
import { ensureInstalled } from './install.mjs'
import { Progress } from './progress.mjs'
import { deepLanes, quickLanes } from './steps.mjs'

const totals = { passed: 0, failed: 0 }
const broken = new Set()

// If npm is killed, this process is not told, and its output would not be read any more.
if (process.env.npm_lifecycle_event !== undefined) {
  const { ppid } = process
  setInterval(() => process.ppid !== ppid && process.exit(1), 1000).unref()
}

try {
  const lanes = choose(process.argv.slice(2))
  await ensureInstalled()
  if (lanes.flat().some(step => step.needsBrowsers)) await ensureBrowsers()
  // A lane waits much of its time, for one thread, for pages or for servers, and the other works meanwhile.
  await Promise.all(lanes.map(runLane))
} catch (error) {
  console.log(`✗ set-up: ${error.message}`)
  totals.failed++
}
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 ? 1 : 0)

async function runLane(steps) {
  for (const step of steps) await runStep(step)
}

async function runStep(step) {
  const blockedBy = step.needs?.find(name => broken.has(name))
  if (blockedBy) {
    console.log(`✗ ${step.name}: not run, because ${blockedBy} failed`)
    return count(step, { passed: 0, failed: 1 })
  }
  const progress = new Progress(step.name)
  let outcome
  try {
    outcome = await step.run(progress)
  } catch (error) {
    outcome = { passed: 0, failed: 1, output: error.stack }
  }
  progress.end(outcome)
  count(step, outcome)
}

function count(step, { passed, failed }) {
  totals.passed += passed
  totals.failed += failed
  if (failed > 0) broken.add(step.name)
}

function choose(args) {
  const lanes = args.includes('--deep') ? deepLanes : quickLanes
  const steps = lanes.flat()
  const at = args.indexOf('--only')
  if (at < 0) return lanes
  const names = (args[at + 1] ?? '').split(',')
  const unknown = names.filter(name => !steps.some(step => step.name === name))
  if (unknown.length > 0)
    throw new Error(`There is no step "${unknown.join('", "')}". Steps: ${steps.map(step => step.name).join(', ')}.`)
  return lanes.map(lane => lane.filter(step => names.includes(step.name)))
}
