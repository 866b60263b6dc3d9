// npm run bench:search-cold [-- --files 12000]: the first search of a fresh workspace as a whole tool call, in a process of its own, beside
// native ripgrep on the same files (`rg -n -j1`): processor time of both, in turn, so that a busy machine slows both. Needs a build and `rg`.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const rounds = 3
const maxFileBytes = 256 << 10
const queries = [
  { name: 'literal', query: { pattern: 'createServer', i: false } },
  { name: 'absent word', query: { pattern: 'zqxjkvwpfl', i: false } },
  { name: 'regex with a literal', query: { pattern: 'function\\s+create\\w+', i: false } },
  { name: 'i', query: { pattern: 'createserver', i: true } },
  { name: 'no literal', query: { pattern: '[A-Z]{3,}_[0-9]+x', i: false } },
]
const cpuMs = () => Object.values(process.cpuUsage()).reduce((sum, time) => sum + time, 0) / 1000
const middle = times => times.toSorted((a, b) => a - b)[times.length >> 1]

if (process.argv[2] === '--one') await runOne(process.argv[3], JSON.parse(process.argv[4]))
else compare(Number(process.argv[process.argv.indexOf('--files') + 1] || 12_000))

/** In a process of its own, because the first search also compiles what it runs. */
async function runOne(folder, query) {
  const { createWorkspace } = await import(`${root}dist/index.js`)
  const { memory } = await import(`${root}dist/backends/memory/index.js`)
  const files = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[path.slice(folder.length + 1)] = new Uint8Array(readFileSync(path))
  }
  const workspace = await createWorkspace({ fs: memory(files), shell: 'none', limits: { searchTimeoutMs: 60_000 } })
  const tools = await workspace.toolset('atomic')
  await workspace.fs.exists('/workspace')
  const startMs = cpuMs()
  await tools.call('search', query)
  const firstMs = cpuMs()
  await tools.call('search', query)
  console.log(JSON.stringify({ first: firstMs - startMs, second: cpuMs() - firstMs }))
  process.exit(0)
}

function compare(maxFiles) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-cold-'))
  try {
    const { count, bytes } = fill(folder, maxFiles)
    console.log(`${count} files, ${(bytes / 1e6).toFixed(0)} MB; Node ${process.version}; ${rounds} rounds, processor time\n`)
    console.log('| first search | ours | rg | ratio | second search, ratio |\n| --- | ---: | ---: | ---: | ---: |')
    for (const { name, query } of queries) {
      const times = { first: [], second: [], rg: [] }
      for (let round = 0; round < rounds; round++) {
        const own = fileURLToPath(import.meta.url)
        const { first, second } = JSON.parse(
          execFileSync(process.execPath, [own, '--one', folder, JSON.stringify(query)], { encoding: 'utf8' }),
        )
        times.first.push(first)
        times.second.push(second)
        times.rg.push(ripgrepMs(folder, query))
      }
      const [first, second, rg] = [times.first, times.second, times.rg].map(middle)
      console.log(
        `| ${name} | ${first.toFixed(0)} ms | ${rg.toFixed(0)} ms | ${(first / rg).toFixed(2)} | ${(second / rg).toFixed(2)} |`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The sources in the installed packages. */
function fill(folder, maxFiles) {
  let count = 0
  let bytes = 0
  for (const entry of readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })) {
    if (count >= maxFiles) break
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/.test(path) || statSync(path).size > maxFileBytes)
      continue
    const content = readFileSync(path)
    if (content.includes(0)) continue
    const copy = join(folder, path.slice(root.length).replaceAll('node_modules', 'packages'))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, content)
    count++
    bytes += content.length
  }
  return { count, bytes }
}

function ripgrepMs(folder, { pattern, i }) {
  const script = `TIMEFORMAT='%U %S'; time rg -n -j1 ${i ? '-i' : ''} -- "$0" "$1" > /dev/null`
  const { stderr } = spawnSync('bash', ['-c', script, pattern, folder], { encoding: 'utf8' })
  const found = /([\d.]+) ([\d.]+)\s*$/.exec(stderr)
  if (found === null) throw new Error(`rg could not be timed: ${stderr}`)
  return (Number(found[1]) + Number(found[2])) * 1000
}
