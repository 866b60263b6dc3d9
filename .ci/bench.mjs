// npm run bench:NAME [-- options]: one benchmark, limited to a few minutes; `-- --all` runs all of it. When it has printed nothing for a
// while, it prints how long it has been running.
import { benchmarks } from './benchmarks.mjs'
import { ensureBenchPackages, ensureInstalled } from './install.mjs'
import { root, start } from './run-command.mjs'

const noticeEveryMs = 20_000

const [name, ...args] = process.argv.slice(2)
if (!(name in benchmarks)) {
  console.error(`There is no benchmark "${name}". Benchmarks: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
await ensureInstalled()
await ensureBenchPackages()
const { script, fewer = [] } = benchmarks[name]
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
