// The steps of npm test, in three lanes that run side by side, each in order. A step returns { passed, failed, output, note? }. Its output is
// shown if it fails, and what it passes to `progress` while it runs.
import { join } from 'node:path'
import { startEachBenchmark } from './benchmarks.mjs'
import { behaviourCases } from './cases.mjs'
import { ensureEditorPackages, ensureSdkPackages } from './install.mjs'
import { freePort } from './local-server.mjs'
import { bin, root, run } from './run-command.mjs'

/** Vitest's projects, in src/testing/vitest-projects.ts. */
const outsideBrowsers = ['node*', 'workerd']
const insideBrowsers = ['browser*', 'alone*']

export const quickLanes = [
  [
    { name: 'format', run: () => all([bin('oxfmt'), '--check']) },
    { name: 'unit', run: progress => unit(progress, outsideBrowsers) },
  ],
  [
    { name: 'build', run: () => all([process.execPath, '.ci/build.mjs', '--unchecked']) },
    { name: 'cases', needs: ['build'], run: behaviourCases },
    { name: 'e2e', needs: ['build'], needsBrowsers: true, run: progress => e2e(progress) },
    // Beside the last tests of unit, which run one after another.
    { name: 'types', run: () => all([bin('tsc')]) },
    { name: 'lint', run: () => all([bin('oxlint'), '--type-aware', '--deny-warnings']) },
  ],
  [{ name: 'browsers', needsBrowsers: true, run: progress => unit(progress, insideBrowsers) }],
]

/** What npm test has no time for: all places, and this share of the seeds. */
export function deepLanes(share) {
  const deep = { ANCHORAGE_DEEP: share }
  return [
    [{ name: 'unit', run: progress => unit(progress, outsideBrowsers, deep) }],
    [
      { name: 'build', run: () => all([process.execPath, '.ci/build.mjs']) },
      { name: 'portable-types', run: () => all([bin('tsc'), '-p', 'src/tsconfig.portable.json']) },
      { name: 'dead-code', run: () => all([bin('knip')]) },
      {
        name: 'package',
        needs: ['build'],
        run: () =>
          all(
            [process.execPath, '.ci/package.mjs'],
            [bin('publint'), '--strict'],
            [process.execPath, '.ci/package.mjs', '--deep'],
            [bin('attw'), '--pack', '--profile', 'esm-only', '--exclude-entrypoints', 'hashline.lark'],
          ),
      },
      { name: 'size', needs: ['build'], run: () => all([process.execPath, '.ci/size.mjs']) },
      { name: 'benchmarks', needs: ['build'], run: startEachBenchmark },
      { name: 'edge', needs: ['build'], run: () => all([process.execPath, '.ci/edge.mjs']) },
      { name: 'docs', run: () => all([process.execPath, '.ci/docs.mjs', '--check']) },
      // Its SDKs are 377 MB to install.
      { name: 'adapters', needs: ['build'], run: progress => adapters(progress) },
      {
        name: 'consumer',
        needs: ['build'],
        needsBrowsers: true,
        run: () => all([process.execPath, '.ci/consumer.mjs', '--deep']),
      },
      { name: 'e2e', needs: ['build'], needsBrowsers: true, run: progress => e2e(progress, deep) },
    ],
    [
      { name: 'browsers', needsBrowsers: true, run: progress => unit(progress, insideBrowsers, deep) },
      // Monaco is 107 MB to install.
      { name: 'editors', needsBrowsers: true, run: progress => editors(progress, deep) },
    ],
  ].map(lane => lane.map(step => ({ ...step, title: `deep ${step.name}` })))
}

// One check, made up of several commands.
async function all(...commands) {
  const outputs = []
  let failed = 0
  for (const [command, ...args] of commands) {
    // These say nothing until they are done, which takes minutes on a busy machine.
    const { code, output } = await run(command, args, { silenceMinutes: 20 })
    outputs.push(output.trimEnd())
    if (code !== 0) failed = 1
  }
  return { passed: 1 - failed, failed, output: outputs.filter(Boolean).join('\n') }
}

function unit(progress, projects, env = {}) {
  const reporter = join(root, '.ci/vitest-reporter.mjs')
  const chosen = projects.map(project => `--project=${project}`)
  return counted(progress, [bin('vitest'), 'run', ...chosen, `--reporter=${reporter}`], env)
}

// The types first: a tool that no SDK takes would fail in more words.
async function adapters(progress) {
  await ensureSdkPackages()
  const types = await all([bin('tsc'), '-p', '.ci/sdk-packages', '--noEmit'])
  if (types.failed > 0) return types
  const reporter = join(root, '.ci/vitest-reporter.mjs')
  const config = join(root, '.ci/sdk-packages/vitest.config.ts')
  return counted(progress, [bin('vitest'), 'run', '--config', config, `--reporter=${reporter}`], {})
}

async function editors(progress, deep) {
  await ensureEditorPackages()
  const reporter = join(root, '.ci/vitest-reporter.mjs')
  const config = join(root, '.ci/editor-packages/vitest.config.ts')
  return counted(progress, [bin('vitest'), 'run', '--config', config, `--reporter=${reporter}`], deep)
}

async function e2e(progress, env = {}) {
  const reporter = join(root, '.ci/playwright-reporter.mjs')
  return counted(progress, [bin('playwright'), 'test', `--reporter=${reporter}`], { ...env, E2E_PORT: String(await freePort()) })
}

// Failures are shown as they arrive. A run can fail without one (nothing found, a crash), and then its output must show why.
async function counted(progress, [command, ...args], env) {
  let end
  const { code, output } = await run(command, args, {
    env,
    // One test of the deep run may take minutes for all of its seeds, and says nothing meanwhile.
    silenceMinutes: env.ANCHORAGE_DEEP === undefined ? 5 : 15,
    onMessage(message) {
      if (message.kind === 'end') end = message
      else progress.take(message)
    },
  })
  const { passed = 0, failed = 0, skipped = 0, skipReasons = {}, isWhole = false, slowest = [] } = end ?? {}
  const reasons = Object.entries(skipReasons).map(([reason, count]) => `${reason}: ${count}`)
  const notes = [
    skipped > 0 && `${skipped} skipped (${reasons.join(', ')})`,
    slowest.length > 0 && `slowest files: ${slowest.map(([name, seconds]) => `${name} ${seconds} s`).join(', ')}`,
  ]
  const note = notes.filter(Boolean).join('; ') || undefined
  if (failed > 0 && isWhole) return { passed, failed, note }
  const isExplained = code === 0 && isWhole && passed > 0
  return { passed, failed: failed + (isExplained ? 0 : 1), output, note }
}
