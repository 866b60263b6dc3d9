// The steps of npm test, in order. A step gives { passed, failed, output, note? }; its output is shown when it fails.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { behaviourCases } from './cases.mjs'
import { freePort } from './local-server.mjs'
import { countPlaywright, countVitest } from './reports.mjs'
import { bin, run } from './run-command.mjs'

export const steps = [
  { name: 'types', run: () => all([bin('tsc')], [bin('tsc'), '-p', 'src/tsconfig.portable.json']) },
  { name: 'lint', run: () => all([bin('oxlint'), '--type-aware', '--deny-warnings']) },
  { name: 'format', run: () => all([bin('oxfmt'), '--check']) },
  { name: 'dead-code', run: () => all([bin('knip')]) },
  { name: 'build', run: () => all([process.execPath, '.ci/build.mjs']) },
  { name: 'unit', needsBrowsers: true, run: unit },
  {
    name: 'package',
    needs: ['build'],
    run: () =>
      all([process.execPath, '.ci/package.mjs'], [bin('publint'), '--strict'], [bin('attw'), '--pack', '--profile', 'esm-only']),
  },
  { name: 'size', needs: ['build'], run: () => all([process.execPath, '.ci/size.mjs']) },
  { name: 'cases', needs: ['build'], run: behaviourCases },
  { name: 'consumer', needs: ['build'], needsBrowsers: true, run: () => all([process.execPath, '.ci/consumer.mjs']) },
  { name: 'e2e', needs: ['build'], needsBrowsers: true, run: e2e },
]

// One check, however many commands it takes.
async function all(...commands) {
  const outputs = []
  let failed = 0
  for (const [command, ...args] of commands) {
    const { code, output } = await run(command, args)
    outputs.push(output.trimEnd())
    if (code !== 0) failed = 1
  }
  return { passed: 1 - failed, failed, output: outputs.filter(Boolean).join('\n') }
}

function unit() {
  return withReport(async report => {
    const { code, output } = await run(bin('vitest'), [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ])
    return { code, output, counted: countVitest(read(report)) }
  })
}

async function e2e() {
  const port = String(await freePort())
  return withReport(async report => {
    const env = { E2E_PORT: port, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const { code, output } = await run(bin('playwright'), ['test', '--reporter=list,json'], { env })
    return { code, output, counted: countPlaywright(read(report)) }
  })
}

async function withReport(work) {
  const folder = mkdtempSync(join(tmpdir(), 'anchorage-report-'))
  try {
    return outcome(await work(join(folder, 'report.json')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const read = report => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined)

// A run can fail without a failed test (nothing found, a crash), and that must count too.
function outcome({ code, output, counted }) {
  const { passed, failed, skipped = 0 } = counted ?? { passed: 0, failed: 0 }
  const unexplained = (code !== 0 && failed === 0) || passed + failed === 0
  return { passed, failed: unexplained ? 1 : failed, output, ...(skipped > 0 ? { note: `${skipped} skipped` } : {}) }
}
