// npm test: everything that must hold before a change goes in. `npm test -- --only lint,types` picks steps.
// Needs Node and git to start; installs the rest. Plain Node, because it runs before anything is installed.
import { ensureBrowsers } from './install-browsers.mjs'
import { ensureInstalled } from './install.mjs'
import { stopAll } from './run-command.mjs'
import { steps } from './steps.mjs'

const limitMinutes = 14.5
const totals = { passed: 0, failed: 0 }
const broken = new Set()
let current = 'set-up'

const limit = setTimeout(() => {
  console.log(`✗ ${current}: stopped, the whole run took more than ${limitMinutes} minutes`)
  totals.failed++
  finish()
}, limitMinutes * 60_000)

try {
  const chosen = choose(process.argv.slice(2))
  await ensureInstalled()
  if (chosen.some(step => step.needsBrowsers)) await ensureBrowsers()
  for (const step of chosen) await runStep(step)
} catch (error) {
  console.log(`✗ ${current}: ${error.message}`)
  totals.failed++
}
clearTimeout(limit)
finish()

async function runStep(step) {
  current = step.name
  const blockedBy = step.needs?.find(name => broken.has(name))
  if (blockedBy) {
    console.log(`✗ ${step.name}: not run, because ${blockedBy} failed`)
    return count(step, { passed: 0, failed: 1 })
  }
  console.log(`▶ ${step.name} …`)
  const startedAt = performance.now()
  let outcome
  try {
    outcome = await step.run()
  } catch (error) {
    outcome = { passed: 0, failed: 1, output: error.stack }
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  if (outcome.failed > 0) console.log(outcome.output.trimEnd())
  const details = [
    `${seconds} s`,
    outcome.passed + outcome.failed > 1 && `${outcome.passed} passed, ${outcome.failed} failed`,
    outcome.note,
  ]
  console.log(`${outcome.failed > 0 ? '✗' : '✓'} ${step.name} (${details.filter(Boolean).join(', ')})`)
  count(step, outcome)
}

function count(step, { passed, failed }) {
  totals.passed += passed
  totals.failed += failed
  if (failed > 0) broken.add(step.name)
}

function choose(args) {
  const at = args.indexOf('--only')
  if (at < 0) return steps
  const names = (args[at + 1] ?? '').split(',')
  const unknown = names.filter(name => !steps.some(step => step.name === name))
  if (unknown.length > 0)
    throw new Error(`There is no step "${unknown.join('", "')}". Steps: ${steps.map(step => step.name).join(', ')}.`)
  return steps.filter(step => names.includes(step.name))
}

function finish() {
  stopAll()
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  process.exit(totals.failed > 0 ? 1 : 0)
}
