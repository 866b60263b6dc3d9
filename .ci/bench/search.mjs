// npm run bench:search [-- --rounds 5 --bytes 100000000 --files 10000 --only REGEX --cpu --best --no-chromium --no-peers --no-growth]:
// search over files in memory compared with native ripgrep on the same files on disk (`rg -n -j1`, including its start), ripgrep in
// WebAssembly, the method of VS Code's web worker, and just-bash's rg; in Node and in Chromium; and how the cost grows with the tree. Needs
// a build; ripgrep is the pinned one of npm, and RG names another. All run in turns within each round, so that a busy machine slows them equally: compare the ratios, not the
// milliseconds.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rgPath } from '@vscode/ripgrep'
import { benchPackages } from '../install.mjs'
import { packBench } from './search-pack-engine.mjs'
import { inMemory, packInChromium, reportPack } from './search-pack.mjs'
import { engineOf, queries as allQueries, vsCodeShape } from './search-engine.mjs'
import { ripgrepInMemory } from './search-wasm.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = path => import(new URL(`../../dist/${path}`, import.meta.url).href)
const { listFiles } = await dist('session/list-files.js')
const { compileGlob } = await dist('search/glob.js')
const { createVfs } = await dist('vfs/create-vfs.js')
const { memory } = await dist('backends/memory/index.js')
const engine = engineOf({
  ...(await dist('search/pattern.js')),
  ...(await dist('search/matcher.js')),
  ...(await dist('search/index/block-index.js')),
  ...(await dist('vfs/borrow.js')),
  createVfs,
  memory,
})

const args = process.argv.slice(2)
const option = (name, fallback) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : fallback)
const isCpuTime = args.includes('--cpu')
/** On a busy machine the fastest of several rounds is more meaningful than the median. */
const isBest = args.includes('--best')
const rounds = Number(option('rounds', 5))
const maxBytes = Number(option('bytes', 100_000_000))
const maxFiles = Number(option('files', 10_000))
const only = new RegExp(option('only', ''))
const queries = allQueries.filter(({ pattern }) => only.test(pattern))
const smallFileBytes = 2_000
const maxFileBytes = 256 << 10
const growthSizes = [1_000, 10_000, 50_000]
const pageFiles = 50
const ripgrepPath = process.env.RG ?? rgPath
const folder = mkdtempSync(join(tmpdir(), 'bench-search-'))
const missed = []

try {
  benchGlob()
  const files = readCorpus()
  const totalBytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const onDisk = writeToDisk('files', files)
  console.log(
    `${files.length} files, ${megabytes(totalBytes)} of text; Node ${process.version}; ${rounds} rounds${isCpuTime ? ', processor time' : ''}\n`,
  )
  const index = benchIndex(files, totalBytes)
  await benchPack(files, totalBytes)
  const wasm = args.includes('--no-peers') ? undefined : await ripgrepWasm()
  await benchQueries(files, onDisk, nodeAnswers(files, index, wasm && ripgrepInMemory(await WebAssembly.compile(wasm), files)))
  benchOneFile(files)
  if (!args.includes('--no-peers')) await benchJustBash(files)
  await benchListing()
  if (!args.includes('--no-growth')) benchGrowth(files)
  if (!args.includes('--no-chromium')) await benchChromium(files, totalBytes, onDisk, wasm ?? (await ripgrepWasm()))
  console.log(missed.length === 0 ? '\nAll targets are met.' : `\nMissed: ${missed.join('; ')}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The module in the package `ripgrep`, as bytes. */
async function ripgrepWasm() {
  const { brotliDecompressSync } = await import('node:zlib')
  const { getCompressedBytes } = await import(`${benchPackages}node_modules/ripgrep/lib/_rg.wasm.mjs`)
  return brotliDecompressSync(getCompressedBytes())
}

/**
 * The sources in the installed packages, which every user of this script has, without generated files, which are not searched in practice.
 * Small files are added last: with all of them, a tree of this many files would be smaller than in practice.
 */
function readCorpus() {
  const candidates = []
  for (const entry of readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/.test(path)) continue
    const { size } = statSync(path)
    if (size <= maxFileBytes) candidates.push({ path, isSmall: size < smallFileBytes })
  }
  const files = []
  let total = 0
  for (const { path } of candidates.sort((a, b) => a.isSmall - b.isSmall)) {
    if (files.length >= maxFiles) break
    const bytes = new Uint8Array(readFileSync(path))
    if (bytes.includes(0) || total + bytes.length > maxBytes) continue
    total += bytes.length
    files.push({ name: path.slice(root.length).replaceAll('node_modules', 'packages'), bytes })
  }
  return files
}

function writeToDisk(name, files) {
  const base = join(folder, name)
  for (const file of files) {
    mkdirSync(dirname(join(base, file.name)), { recursive: true })
    writeFileSync(join(base, file.name), file.bytes)
  }
  return base
}

function benchIndex(files, totalBytes) {
  engine.warmUp(files)
  const { index, buildMs } = engine.buildIndex(files, now)
  console.log('index')
  verdict('T7 build, ms per MB', buildMs / (totalBytes / 1e6), 7)
  verdict('T7 memory, bytes per byte', index.sizeBytes / totalBytes, 0.25)
  const small = files.find(({ bytes }) => bytes.length > 9_000 && bytes.length < 11_000)
  if (small !== undefined) {
    const edits = Array.from({ length: 50 }, (_, round) => timed(() => index.addFile('/edited', String(round), small.bytes)).ms)
    index.removeFile('/edited')
    verdict('T7 a change of 10 kB, ms', median(edits), 0.1)
  }
  return index
}

async function benchPack(files, totalBytes) {
  const { SearchIndex } = await dist('session/search-index.js')
  const { BlockIndex } = await dist('search/index/block-index.js')
  const run = packBench({ createVfs, memory, SearchIndex, BlockIndex })
  reportPack(await run(files, inMemory(), { rounds, now }), totalBytes, verdict)
}

/** Answers a query like the page (search-chromium.mjs). */
function nodeAnswers(files, index, wasmRipgrep) {
  const search = engine.open(files)
  return ({ pattern, asksWasm, asksVsCode }) => ({
    cold: timed(() => search(pattern)),
    warm: timed(() => search(pattern, { index })),
    page: timed(() => search(pattern, { index, maxMatchingFiles: pageFiles })),
    wasm:
      asksWasm && wasmRipgrep !== undefined
        ? timed(() => wasmRipgrep(['-n', '--hidden', '--no-config', '--crlf', '-e', pattern]))
        : undefined,
    vsCode: asksVsCode ? timed(() => vsCodeShape(files, pattern)) : undefined,
  })
}

async function benchQueries(files, onDisk, ask, where = '') {
  console.log(
    `\n${'pattern'.padEnd(40)}${['lines', 'rg ms', 'cold', 'warm', 'page', 'rg.wasm', 'VS Code'].map(title => title.padStart(9)).join('')}`,
  )
  const pages = []
  for (const query of queries) {
    const times = { cold: [], warm: [], page: [], wasm: [], vsCode: [] }
    const rgMs = []
    let lines = 0
    for (let round = -1; round < rounds; round++) {
      const rg = ripgrep(['-n', '-j1', '--hidden', '--no-config', '--crlf', '-e', query.pattern, onDisk])
      // Backtracking would take hours on hostile patterns.
      const answer = await ask({
        pattern: query.pattern,
        pageFiles,
        asksWasm: round < 2,
        asksVsCode: round === 0 && !query.isHostile,
      })
      if (answer.warm.value !== answer.cold.value) {
        throw new Error(`${query.pattern}: ${answer.cold.value} lines without the index, ${answer.warm.value} with it`)
      }
      lines = answer.cold.value
      if (answer.wasm !== undefined && answer.wasm.value !== lines) {
        throw new Error(`${query.pattern}: ${lines} lines, ripgrep in WebAssembly finds ${answer.wasm.value}`)
      }
      if (round < 0) continue
      rgMs.push(rg.ms)
      for (const [kind, { ms }] of Object.entries(answer).filter(([, timing]) => timing !== undefined))
        times[kind].push(isBest ? ms : ms / rg.ms)
    }
    const [cold, warm, page, wasm, vsCode] = Object.values(times).map(list =>
      list.length === 0 ? undefined : isBest ? Math.min(...list) / Math.min(...rgMs) : median(list),
    )
    if (isIndexable(engine.compilePattern(query.pattern).pattern.need?.need)) pages.push(page)
    const judged = [
      judge(`${where}${query.cold[0]} ${query.pattern}`, cold, query.cold[1]),
      ...(query.warm === undefined ? [] : [judge(`${where}${query.warm[0]} ${query.pattern}`, warm, query.warm[1])]),
      ...(wasm === undefined ? [] : [judge(`${where}T10 ripgrep in WebAssembly ${query.pattern}`, wasm / cold, 1, 'at least')]),
    ]
    const cells = [cold, warm, page, wasm, vsCode].map(value => (value === undefined ? '' : ratio(value)).padStart(9))
    console.log(
      `${query.pattern.padEnd(40)}${String(lines).padStart(9)}${median(rgMs).toFixed(0).padStart(9)}${cells.join('')}  ${judged.join(' ')}`,
    )
  }
  if (pages.length === 0) return
  verdict(`\n${where}T6 first page, worst ratio`, Math.max(...pages), 0.15)
  verdict(`${where}T6 first page, median ratio`, median(pages), 0.03)
}

/** Whether an index of runs of three and four bytes can exclude anything. */
function isIndexable(need) {
  if (need === undefined || need.kind === 'text') return (need?.text.length ?? 0) >= 3
  return need.kind === 'all' ? need.of.some(isIndexable) : need.of.every(isIndexable)
}

function benchOneFile(files) {
  const search = engine.open(files)
  const whole = join(folder, 'whole')
  writeFileSync(whole, Buffer.concat(files.map(file => file.bytes)))
  const ratios = Array.from({ length: rounds }, () => {
    const rg = ripgrep(['-n', '-j1', '-a', 'QzAbsentXyJ', whole])
    return timed(() => search('QzAbsentXyJ')).ms / rg.ms
  })
  console.log(
    `An absent literal against rg on one concatenated file: ${median(ratios).toFixed(2)} × (no system calls, not a faster matcher)`,
  )
  rmSync(whole)
}

async function benchJustBash(files) {
  const { Bash, InMemoryFs } = await import('just-bash')
  const some = files.slice(0, 1000)
  const fs = new InMemoryFs(Object.fromEntries(some.map(({ name, bytes }) => [`/files/${name}`, bytes])))
  const bash = new Bash({ fs, executionLimits: { maxCommandCount: 1e9 } })
  const search = engine.open(some)
  console.log(`\njust-bash's rg on ${some.length} files, times slower than ours`)
  for (const pattern of ['return new Promise', 'import']) {
    // Once, because noise does not matter for seconds.
    const startMs = now()
    await bash.exec(`rg -n --no-ignore '${pattern}' /files`)
    const theirs = now() - startMs
    const ours = Array.from({ length: 5 }, () => timed(() => search(pattern)).ms)
    verdict(`T10 ${pattern}`, theirs / Math.min(...ours), 100, 'at least')
  }
}

/** The same files repeatedly, under other names. */
function benchGrowth(files) {
  console.log(
    `\nhow cost grows${'cold ms'.padStart(26)}${'warm ms'.padStart(10)}${'page ms'.padStart(10)}${'rg ms'.padStart(10)}`,
  )
  const growing = queries.filter(({ pattern }) => ['createDecipheriv', '\\w+Error\\(', '\\w+\\s*=\\s*async'].includes(pattern))
  for (const size of growthSizes) {
    const some = Array.from({ length: size }, (_, index) => {
      const { name, bytes } = files[index % files.length]
      return { name: `copy-${Math.floor(index / files.length)}/${name}`, bytes }
    })
    const onDisk = writeToDisk(`growth-${size}`, some)
    const { index } = engine.buildIndex(some, now)
    const ask = nodeAnswers(some, index)
    for (const { pattern } of growing) {
      const times = Array.from({ length: 3 }, () => ({
        ...ask({ pattern }),
        rg: ripgrep(['-n', '-j1', '-e', pattern, onDisk]),
      }))
      const cells = ['cold', 'warm', 'page', 'rg'].map(kind =>
        median(times.map(time => time[kind].ms))
          .toFixed(1)
          .padStart(10),
      )
      console.log(`${String(size).padStart(8)} ${pattern.padEnd(21)}${cells.join('')}`)
    }
    rmSync(onDisk, { recursive: true })
  }
}

async function benchChromium(files, totalBytes, onDisk, wasm) {
  reportPack(await packInChromium(files, rounds), totalBytes, verdict, 'Chromium ')
  const { openPage } = await import('./search-chromium.mjs')
  const page = await openPage(files, wasm, { isCpuTime })
  try {
    console.log(`\nChromium ${page.version}`)
    verdict('Chromium T7 build, ms per MB', page.index.buildMs / (totalBytes / 1e6), 4.5)
    await benchQueries(files, onDisk, page.ask, 'Chromium ')
  } finally {
    await page.close()
  }
}

function listedNames() {
  return Array.from(
    { length: 100_000 },
    (_, number) => `d${number % 40}/e${number % 1000}/file-${number}.${number % 3 === 0 ? 'ts' : 'log'}`,
  )
}

async function benchListing() {
  const names = listedNames()
  const ignore = '*.log\n!keep*.log\n/d1/\nbuild/\n'
  const vfs = createVfs(memory(Object.fromEntries([['/.gitignore', ignore], ...names.map(name => [`/${name}`, ''])])))
  for (const name of ['.gitignore', ...names]) {
    const path = join(folder, 'tree', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, name === '.gitignore' ? ignore : '')
  }
  const ratios = []
  for (let round = -1; round < rounds; round++) {
    const rg = ripgrep(['--files', '-j1', '--no-config', '--no-require-git', join(folder, 'tree')], { keepsOutput: true })
    const startMs = now()
    let count = 0
    await listFiles(
      {
        vfs,
        root: '/',
        base: '/',
        hidden: true,
        gitignore: true,
        includeNodeModules: false,
        signal: new AbortController().signal,
        clock: () => 0,
        deadlineMs: 1,
        maxEntries: 1e6,
      },
      entry => (entry.kind === 'file' ? ++count : count) >= 0,
    )
    const oursMs = now() - startMs
    const expected = String(rg.value).trim().split('\n').length
    if (count !== expected + 1) throw new Error(`${count} files listed, ripgrep lists ${expected} and hides .gitignore`)
    if (round >= 0) ratios.push(oursMs / rg.ms)
  }
  verdict('\nT9 listing 100,000 files with ignore rules, ratio to rg --files -j1', median(ratios), 1.2)
}

/** Runs first, because later most of the measured time would be garbage collection of a heap full of files. */
function benchGlob() {
  const names = listedNames()
  const glob = compileGlob('**/e1*/*.{ts,tsx}')
  verdict(
    'T9 a glob over 100,000 paths, ms',
    median(Array.from({ length: 5 }, () => timed(() => names.filter(glob.matches).length).ms)),
    25,
  )
}

function timed(work) {
  const startMs = now()
  const value = work()
  return { ms: now() - startMs, value }
}

/** With --cpu, processor time instead of wall time, which is meaningful on a busy machine too. */
function now() {
  if (!isCpuTime) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** ripgrep's time; `value` is its output, if requested. */
function ripgrep(rgArgs, { keepsOutput = false } = {}) {
  const stdio = ['ignore', keepsOutput ? 'pipe' : 'ignore', isCpuTime ? 'pipe' : 'ignore']
  const maxBuffer = 1 << 28
  if (!isCpuTime) return timed(() => spawnSync(ripgrepPath, rgArgs, { stdio, maxBuffer }).stdout)
  const { stdout, stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', ripgrepPath, ...rgArgs], {
    stdio,
    maxBuffer,
  })
  const [user, system] = String(stderr).trim().split('\n').at(-1).split(' ').map(Number)
  // Its clock counts milliseconds.
  return { ms: Math.max(1, (user + system) * 1000), value: stdout }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

function verdict(what, value, bound, sense = 'at most') {
  console.log(`${what.padEnd(72)}${value.toFixed(3).padStart(10)}  ${judge(what.trim(), value, bound, sense)}`)
}

function judge(what, value, bound, sense = 'at most') {
  const isMet = sense === 'at most' ? value <= bound : value >= bound
  if (!isMet) missed.push(`${what} ${value.toFixed(2)} (${sense} ${bound})`)
  return `${isMet ? 'met' : 'MISSED'} (${sense} ${bound})`
}

function ratio(value) {
  return value.toFixed(value < 0.1 ? 3 : 2)
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
