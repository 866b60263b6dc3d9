// All benchmarks: what npm run bench:NAME starts, and how the deep run sees that each still works.
import { root, run } from './run-command.mjs'

/**
 * `fewer` is what is left out by default; the options are explained at the start of each script. `smallest` makes it end in seconds, without
 * the packages that only benchmarks need and without a browser; it is missing where a browser is what is measured.
 */
export const benchmarks = {
  edit: { script: '.ci/bench-edit.mjs', smallest: [] },
  edits: { script: '.ci/bench/edits.mjs', smallest: [] },
  fs: {
    script: '.ci/bench/fs.mjs',
    // ZenFS takes 40 s for 1,000 files, more than all others together for 10,000.
    fewer: ['--sizes', '300,1000,10000', '--turns', '1', '--rounds', '2', '--zenfs-files', '300'],
    smallest: ['--sizes', '100', '--turns', '1', '--rounds', '1', '--peers', 'ours,memfs', '--no-handles', '--no-shell'],
  },
  git: { script: '.ci/bench/git.mjs', fewer: ['--sizes', '1000,10000'], smallest: ['--sizes', '600', '--only', 'ours'] },
  'git-status': { script: '.ci/bench/git-status.mjs', smallest: ['--files', '100'] },
  history: { script: '.ci/bench/history.mjs' },
  keystroke: { script: '.ci/bench/keystroke.mjs' },
  opfs: { script: 'e2e/bench/opfs.mjs', fewer: ['--small'] },
  search: {
    script: '.ci/bench/search.mjs',
    fewer: ['--rounds', '3', '--bytes', '15000000', '--files', '2000', '--no-growth'],
    smallest: ['--rounds', '1', '--bytes', '3000000', '--files', '300', '--no-growth', '--no-chromium', '--no-peers'],
  },
  'search-cold': {
    script: '.ci/bench/search-cold.mjs',
    fewer: ['--files', '6000', '--minutes', '1.2', '--no-chromium'],
    smallest: ['--rounds', '1', '--files', '100', '--only', '^literal$', '--no-chromium'],
  },
  shell: { script: '.ci/bench/shell.mjs', smallest: ['--rounds', '1', '--files', '100', '--commands', '5'] },
}

/** Runs the smallest form of each: a benchmark that nobody starts for weeks would stop working unnoticed. A missed target is no failure. */
export async function startEachBenchmark() {
  const outputs = []
  let passed = 0
  for (const [name, { script, smallest }] of Object.entries(benchmarks)) {
    if (smallest === undefined) continue
    const { code, output } = await run(process.execPath, [root + script, ...smallest], { env: { ROUNDS: '1' } })
    // Only an error that nobody caught prints where it was thrown.
    if (code === 0 || !/^ {4}at .*:\d+:\d+\)?$/m.test(output)) passed++
    else outputs.push(`bench:${name}\n${output.trimEnd()}`)
  }
  return { passed, failed: outputs.length, output: outputs.join('\n') }
}
