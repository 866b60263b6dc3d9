// npm run bench:search-cold [-- --rounds 3 --files 17000 --only REGEX --no-chromium --minutes 2]: the first searches of a fresh workspace as whole tool
// calls, in a process of its own, beside native ripgrep on the same files (`rg -n -j1`): processor time of both, in turn, so that a busy machine
// slows both. After the minutes given for a tree, no further round begins. The package is bundled, as embedders have it. `second` follows at once, `warm` is the middle of three more after the files were
// indexed. First of a large tree, for which the targets are, then of a small one, where a first search loads and compiles more than it reads.
// Then what memory(files) takes, and the same search on stored files. Needs a build; ripgrep is the pinned one of npm, and RG names another.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rgPath } from '@vscode/ripgrep'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const args = process.argv.slice(2)
const option = (name, fallback) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : fallback)
const rounds = Number(option('rounds', 3))
const maxMsOfTree = Number(option('minutes', Number.POSITIVE_INFINITY)) * 60_000
/** First files up to the first size, then larger ones; then copies of them, until there are 17,000 files or 205 MB. */
const maxFileBytes = [256 << 10, 1 << 20, 3 << 20]
const maxBytes = 205e6
const smallTreeFiles = 2_000
const queries = [
  { name: 'absent word', target: 1, warm: 0.1, query: { pattern: 'zqxjkvwpfl', i: false } },
  { name: 'literal', target: 1, warm: 0.1, query: { pattern: 'createServer', i: false } },
  { name: '`i`', target: 1, warm: 0.1, query: { pattern: 'createserver', i: true } },
  { name: 'regex with a literal', target: 1, warm: 0.1, query: { pattern: 'function\\s+create\\w+', i: false } },
  { name: 'regex with a common literal', target: 1, warm: 0.1, query: { pattern: '\\w+\\s*=\\s*async', i: false } },
  { name: 'literal of 6,000 equal letters', target: 1, warm: 0.1, query: { pattern: 'a'.repeat(6000), i: false } },
  { name: 'no literal', target: 1.2, warm: 0.3, query: { pattern: '[A-Z]{3,}_[0-9]+x', i: false } },
  {
    name: 'no literal, many bytes fit',
    target: 1.2,
    warm: 0.3,
    query: { pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}', i: false },
  },
].filter(({ name }) => new RegExp(option('only', '')).test(name))
const cpuMs = () => Object.values(process.cpuUsage()).reduce((sum, time) => sum + time, 0) / 1000
const middle = times => times.toSorted((a, b) => a - b)[times.length >> 1]

if (args[0] === '--one') await runOne(args[1], args[2], JSON.parse(args[3]))
else if (args[0] === '--memory') await weigh(args[1], args[2], args[3] === 'transfer')
else await compareAll(Number(option('files', 17_000)))

function readFiles(folder) {
  const files = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[path.slice(folder.length + 1)] = new Uint8Array(readFileSync(path))
  }
  return files
}

/** All files in one, beside the folder: every process reads it at once. */
function packOf(folder) {
  return { bytes: `${folder}.pack`, names: `${folder}.json` }
}

function writePack(folder, files) {
  const { bytes, names } = packOf(folder)
  writeFileSync(bytes, Buffer.concat(files.map(([, content]) => content)))
  writeFileSync(names, JSON.stringify(files.map(([name, content]) => [name, content.length])))
}

function readPack(folder) {
  const pack = packOf(folder)
  const bytes = new Uint8Array(readFileSync(pack.bytes))
  let at = 0
  return Object.fromEntries(
    JSON.parse(readFileSync(pack.names, 'utf8')).map(([name, size]) => [name, bytes.subarray(at, (at += size))]),
  )
}

/** In a separate process, because the first search also compiles the code that it runs. */
async function runOne(bundle, folder, query) {
  const { createWorkspace, memory } = await import(bundle)
  const files = readPack(folder)
  const workspace = await createWorkspace({ fs: memory(files), shell: 'none', limits: { searchTimeoutMs: 60_000 } })
  const tools = await workspace.toolset('atomic')
  await workspace.fs.exists('/workspace')
  const ask = async () => {
    const startMs = cpuMs()
    const { isError, content } = await tools.call('search', query)
    if (isError) throw new Error(content[0].text)
    return cpuMs() - startMs
  }
  const first = await ask()
  const second = await ask()
  const fill = await indexed()
  console.log(JSON.stringify({ first, second, fill, warm: middle([await ask(), await ask(), await ask()]) }))
  process.exit(0)
}

/** Resolves with the processor time until nothing is left to index: until no timer waits. */
async function indexed() {
  const startMs = cpuMs()
  do await new Promise(resolve => setTimeout(resolve, 50))
  while (process.getActiveResourcesInfo().includes('Timeout'))
  return cpuMs() - startMs
}

async function weigh(bundle, folder, transfer) {
  const { createWorkspace, memory } = await import(bundle)
  const files = readFiles(folder)
  const workspace = await createWorkspace({ fs: memory(files, { transfer }), shell: 'none' })
  await workspace.fs.exists('/workspace')
  for (let round = 0; round < 3; round++) {
    globalThis.gc()
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const { arrayBuffers } = process.memoryUsage()
  // `files` are in use to the end, as in a host that keeps them.
  console.log(JSON.stringify({ arrayBuffers, count: Object.keys(files).length }))
  process.exit(0)
}

async function compareAll(maxFiles) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-cold-'))
  try {
    const bundle = await bundleTo(join(folder, 'bundle'))
    const corpus = join(folder, 'files')
    const { bytes } = compare(bundle, corpus, maxFiles, queries)
    for (const kind of ['copy', 'transfer']) {
      const { arrayBuffers } = own(['--memory', bundle, corpus, kind], ['--expose-gc'])
      console.log(
        `memory(files${kind === 'copy' ? '' : ', { transfer: true }'}): ${(arrayBuffers / bytes).toFixed(2)} bytes for each byte`,
      )
    }
    const chosen = queries.filter(({ name }) => ['absent word', 'literal', 'no literal'].includes(name))
    if (maxFiles > smallTreeFiles) compare(bundle, join(folder, 'few'), smallTreeFiles, chosen)
    if (!args.includes('--no-chromium')) await compareStored(corpus, chosen)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compare(bundle, corpus, maxFiles, chosen) {
  const { count, bytes } = fill(corpus, maxFiles)
  const times = chosen.map(() => ({ first: [], second: [], warm: [], fill: [], rg: [] }))
  const startedAt = performance.now()
  let round = 0
  do {
    for (const [index, { query }] of chosen.entries()) {
      const ours = own(['--one', bundle, corpus, JSON.stringify(query)])
      for (const kind of Object.keys(ours)) times[index][kind].push(ours[kind])
      times[index].rg.push(ripgrepMs(corpus, query))
    }
  } while (++round < rounds && performance.now() - startedAt < maxMsOfTree)
  console.log(`\n${count} files, ${(bytes / 1e6).toFixed(0)} MB; Node ${process.version}; ${round} rounds, processor time\n`)
  console.log(
    '| first search | ours | rg | ratio | second | warm | index, ms a MB |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  )
  const missed = []
  for (const [index, { name, target, warm: warmTarget }] of chosen.entries()) {
    const [first, second, warm, fillMs, rg] = Object.values(times[index]).map(middle)
    if (first / rg > target) missed.push(`${name} ${(first / rg).toFixed(2)} (${target})`)
    if (warm / rg > warmTarget) missed.push(`${name}, warm ${(warm / rg).toFixed(2)} (${warmTarget})`)
    const ratios = [first, second, warm].map(ms => (ms / rg).toFixed(2))
    console.log(
      `| ${name} | ${first.toFixed(0)} ms | ${rg.toFixed(0)} ms | ${ratios.join(' | ')} | ${(fillMs / (bytes / 1e6)).toFixed(1)} |`,
    )
  }
  console.log(missed.length === 0 ? '\nAll targets are met.' : `\nMissed: ${missed.join('; ')}`)
  return { bytes }
}

/** Of some of the files, because storing all of them takes longer than everything else. */
async function compareStored(corpus, chosen) {
  const { storedInChromium } = await import('./search-stored.mjs')
  const files = Object.entries(readFiles(corpus))
    .slice(0, 2000)
    .map(([name, bytes]) => ({ name, bytes }))
  const asked = chosen.map(({ query }) => query)
  for (const isKept of [true, false]) {
    const times = await storedInChromium(files, asked, rounds, { isKept })
    console.log(
      `\nChromium, ${isKept ? 'a profile on the disk' : 'a private window'}, ${files.length} files, wall time, the code is compiled`,
    )
    console.log('| first search | memory | OPFS, times that | IndexedDB, times that |\n| --- | ---: | ---: | ---: |')
    for (const [index, { name }] of chosen.entries()) {
      const [inMemory, opfs, indexeddb] = ['memory', 'opfs', 'indexeddb'].map(kind => middle(times[kind][index]))
      console.log(
        `| ${name} | ${inMemory.toFixed(0)} ms | ${(opfs / inMemory).toFixed(2)} | ${(indexeddb / inMemory).toFixed(2)} |`,
      )
    }
  }
}

function own(given, flags = []) {
  return JSON.parse(execFileSync(process.execPath, [...flags, fileURLToPath(import.meta.url), ...given], { encoding: 'utf8' }))
}

async function bundleTo(outdir) {
  await build({
    stdin: {
      resolveDir: `${root}dist`,
      contents: `export { createWorkspace } from './index.js'\nexport { memory } from './backends/memory/index.js'`,
    },
    bundle: true,
    splitting: true,
    minify: true,
    outdir,
    entryNames: 'main',
    format: 'esm',
    platform: 'node',
    nodePaths: [`${root}node_modules`],
    logLevel: 'error',
  })
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }')
  return join(outdir, 'main.js')
}

/** The sources in the installed packages. A line at the end of each copy makes its content another one. */
function fill(folder, maxFiles) {
  const candidates = readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    // ripgrep would leave hidden files out.
    .filter(path => !path.slice(root.length).includes('/.'))
    .map(path => ({ path, size: statSync(path).size }))
  const inOrder = maxFileBytes.flatMap((largest, index) =>
    candidates.filter(({ size }) => size <= largest && size > (maxFileBytes[index - 1] ?? -1)),
  )
  const files = []
  let bytes = 0
  for (let copy = 0; files.length < maxFiles && bytes < maxBytes; copy++) {
    for (const { path } of inOrder) {
      if (files.length >= maxFiles || bytes >= maxBytes) break
      const content = readFileSync(path)
      if (content.includes(0)) continue
      const name = path.slice(root.length).replaceAll('node_modules', 'packages')
      const own = copy === 0 ? content : Buffer.concat([content, Buffer.from(`\n${copy} ${name}\n`)])
      const target = join(copy === 0 ? '' : `copy-${copy}`, name)
      mkdirSync(dirname(join(folder, target)), { recursive: true })
      writeFileSync(join(folder, target), own)
      files.push([target, own])
      bytes += own.length
    }
  }
  writePack(folder, files)
  return { count: files.length, bytes }
}

function ripgrepMs(folder, { pattern, i }) {
  const script = `TIMEFORMAT='%U %S'; time ${process.env.RG ?? rgPath} -n -j1 ${i ? '-i' : ''} -- "$0" "$1" > /dev/null`
  const { stderr } = spawnSync('bash', ['-c', script, pattern, folder], { encoding: 'utf8' })
  const found = /([\d.]+) ([\d.]+)\s*$/.exec(stderr)
  if (found === null) throw new Error(`rg could not be timed: ${stderr}`)
  return (Number(found[1]) + Number(found[2])) * 1000
}
