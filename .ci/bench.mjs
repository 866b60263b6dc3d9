// npm run bench:NAME [-- options]: one benchmark, limited to a few minutes; `-- --all` runs all of it. When it has printed nothing for a
// while, it prints how long it has been running.
import { ensureBenchPackages, ensureInstalled } from './install.mjs'
import { root, start } from './run-command.mjs'

/** Each with its script, and what is left out by default. The benchmark's options are explained at the start of its file. */
const benchmarks = {
  edit: ['.ci/bench-edit.mjs', []],
  edits: ['.ci/bench/edits.mjs', []],
  // ZenFS takes more processor time than all others together.
  fs: ['.ci/bench/fs.mjs', ['--sizes', '1000,10000', '--turns', '1', '--peers', 'ours,memfs,just-bash']],
  git: ['.ci/bench/git.mjs', ['--sizes', '1000,10000']],
  'git-status': ['.ci/bench/git-status.mjs', []],
  history: ['.ci/bench/history.mjs', []],
  keystroke: ['.ci/bench/keystroke.mjs', []],
  opfs: ['e2e/bench/opfs.mjs', ['--small']],
  search: ['.ci/bench/search.mjs', ['--rounds', '3', '--bytes', '15000000', '--files', '2000', '--no-growth']],
  'search-cold': ['.ci/bench/search-cold.mjs', ['--files', '6000']],
  shell: ['.ci/bench/shell.mjs', []],
}
const noticeEveryMs = 20_000

const [name, ...args] = process.argv.slice(2)
if (!(name in benchmarks)) {
  console.error(`There is no benchmark "${name}". Benchmarks: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
await ensureInstalled()
await ensureBenchPackages()
const [script, fewer] = benchmarks[name]
const options = args.includes('--all') ? args.filter(arg => arg !== '--all') : [...args, ...fewer]
const startedAt = performance.now()
const child = start(process.execPath, [root + script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
const notice = setInterval(() => {
  console.log(`  … bench:${name} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`)
}, noticeEveryMs)
child.stdout.on('data', chunk => {
  notice.refresh()
  process.stdout.write(chunk)
})
child.on('close', code => {
  clearInterval(notice)
  process.exitCode = code ?? 1
})
