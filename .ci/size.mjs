// The size of a page's downloads, gzipped, after esbuild has bundled a small program that uses the package.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { root, run } from './run-command.mjs'

const budgets = {
  'entry and the first read': 60_000,
  'filesystem in memory': 8_000,
  'databases, with the WebAssembly of SQLite': 520_000,
  'the command js, without the WebAssembly of QuickJS': 50_000,
  'the command python3, without Pyodide': 20_000,
  'documents but PDF': 40_000,
  PDF: 540_000,
  // Parts that are loaded later, by the largest file in each.
  '  later: resources/document/engine.js': 540_000,
  '  later: resources/sqlite/engine.js': 520_000,
  '  later: resources/url/engine.js': 85_000,
  // All that a call of `bash` with a plain script loads beyond the first read, however it is split. Above 109 kB for lines in messages, for
  // references to elements, and for links to devices.
  'the shell, for its first script': 112_000,
  'git, first status': 68_000,
  'git, first commit': 88_000,
  'git, first log': 84_000,
  'git, first checkout': 76_000,
  // Above 150 kB for what keeps edits in files that are marked as assumed unchanged or skipped.
  'git, daily commands': 151_000,
  'git, first diff-plumbing': 90_000,
  'git, first stash': 90_000,
  // Above 322 kB for what keeps untracked files and staged edits in merges and after --abort, for the longest
  // matches of grep, and for what is changed inside of submodules. Above 335 kB for sparse work trees, the kept options of series of
  // picks, commands about trailers and logs, what a rebase puts aside, summaries of submodules, and patches as parts of a mail. Above 346.5 kB
  // for the questions of `-p`, and for commands that git has and this git refused. Above 360 kB for output in encodings of one byte, and for
  // conflicts that are made again. Above 365 kB for a file apart that only commands which write objects load. Above 374 kB for `log -L`.
  'git, everything': 380_000,
}

/** Of every other first command of git. */
const firstGitBudget = 90_000

/** Of every other part that is loaded later. */
const laterBudget = 46_000

// Marks each file of a bundle when it is evaluated, so that what the first read needs is measured and not guessed.
const marker = '(globalThis.loadedFiles??=[]).push(import.meta.url);\n'

const firstRead = `
  import { createWorkspace } from 'anchorage'
  import { memory } from 'anchorage/fs/memory'
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\\n' }) })
  const tools = await workspace.toolset('atomic')
  const result = await tools.call('read', { path: 'a.txt' })
  if (result.isError) throw new Error(result.content[0].text)
  console.log(globalThis.loadedFiles.join('\\n'))
  await workspace.dispose()`

const firstScript = firstRead.replace(
  'console.log(',
  `globalThis.loadedFiles = []
  const { isError, content } = await tools.call('bash', { command: 'echo hi' })
  if (isError || !content[0].text.includes('hi')) throw new Error(content[0].text)
  console.log(`,
)

/** What a plain first run of the larger commands loads beside the file of the command. */
const patch = ['diff/render', '../text/git-diff/hunks']
const totals = ['diff/render', 'diff/stat']
const firstRuns = {
  commit: ['commands/commit', 'store/object-files'],
  show: ['commands/log', 'commands/shown-objects', ...patch],
  'log --stat': ['commands/log', ...totals],
  'stash show -p': ['commands/stash', 'commands/diff', ...patch],
  'stash push': ['commands/stash', 'commands/stash-push', 'merge/stash', 'store/object-files'],
  'stash pop': ['commands/stash', 'commands/stash-restore', 'commands/status', 'commands/long-status'],
  merge: ['commands/merge', 'merge/merger', 'store/object-files', 'merge/change-summary', ...totals],
  'cherry-pick': ['commands/cherry-pick', 'store/object-files', 'merge/change-summary', ...totals],
  'bisect, last step': ['commands/bisect', 'commands/log-writer', ...totals],
  'format-patch': ['commands/format-patch', ...patch, ...totals],
}

const folder = mkdtempSync(`${root}.dist-size-`)
const rows = []
try {
  await measure('entry', `export * from 'anchorage'`, entryClosure)
  await measure('entry and the first read', firstRead, filesLoadedInNode)
  await measure('the shell, for its first script', firstScript, filesLoadedInNode)
  await measure('filesystem in memory', `export * from 'anchorage/fs/memory'`, entryClosure)
  await measure('node facade', `export * from 'anchorage/fs/node-facade'`, entryClosure)
  await measure('databases, with the WebAssembly of SQLite', `export * from './dist/resources/sqlite/kind.js'`, everything)
  await measure('the command python3, without Pyodide', pythonCommand(), everything)
  await measure('the command js, without the WebAssembly of QuickJS', jsCommand(), everything)
  await measure('documents but PDF', officeReaders(), everything)
  await measure('PDF', `export * from './dist/resources/document/pdf.js'`, everything)
  for (const name of ['status', 'log', 'checkout', 'diff-plumbing', 'stash'])
    await measure(`git, first ${name}`, firstGit(name), entryClosure)
  for (const [name, parts] of Object.entries(firstRuns)) await measure(`git, first ${name}`, gitParts(parts), entryClosure)
  await measure('git, daily commands', dailyGit(), entryClosure)
  await measure('git, everything', `export * from './dist/git/program.js'`, everything)
  await measure('client', `export * from 'anchorage/client'`, entryClosure)
  await measure('worker', `import 'anchorage/worker'`, entryClosure, true)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const tooLarge = []
for (const { what, size, heaviest } of rows) {
  const budget = budgets[what] ?? generalBudget(what)
  const row = `${what.padEnd(64)}${kilobytes(size)}  ${budget === undefined ? '' : kilobytes(budget)}`.trimEnd()
  console.log(row)
  if (budget === undefined || size <= budget) continue
  tooLarge.push(`${row}  ${size - budget} bytes over budget`)
  tooLarge.push(...(heaviest ?? []).map(([part, bytes]) => `  ${part.padEnd(48)}${kilobytes(bytes)} minified`))
}
// The end of the output is what a report of many checks shows.
if (tooLarge.length > 0) {
  process.exitCode = 1
  console.log(`\nOver budget:\n${tooLarge.join('\n')}`)
}

function generalBudget(what) {
  if (what.startsWith('git, first ')) return firstGitBudget
  return what.startsWith('  later: ') ? laterBudget : undefined
}

async function measure(what, program, loadedFiles, listLazy = false) {
  const outdir = join(folder, what.replaceAll(' ', '-'))
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: program, resolveDir: root, sourcefile: 'main.js' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    banner: { js: marker },
    metafile: true,
    // The repository's tsconfig.json maps the package's name to its sources; here the built files are needed.
    tsconfigRaw: '{}',
    logLevel: 'error',
  })
  const loaded = await loadedFiles(metafile, outdir)
  rows.push({ what, size: sum(loaded.map(sizeOf)), heaviest: heaviestParts(metafile, loaded) })
  if (!listLazy) return
  const lazy = readdirSync(outdir)
    .map(file => join(outdir, file))
    .filter(file => !loaded.includes(file))
  const named = lazy.map(file => ({ what: `  later: ${contentOf(metafile, file)}`, size: sizeOf(file) }))
  rows.push(...named.sort((a, b) => b.size - a.size))
}

// The entry and everything that it imports statically.
function entryClosure(metafile) {
  const reached = new Set()
  const visit = path => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { kind, path: next, external } of metafile.outputs[path].imports) {
      if (kind === 'import-statement' && !external) visit(next)
    }
  }
  visit(Object.keys(metafile.outputs).find(path => metafile.outputs[path].entryPoint?.endsWith('main.js')))
  return [...reached].map(path => join(root, path))
}

// Also what is imported when it is needed.
function everything(metafile) {
  return Object.keys(metafile.outputs).map(path => join(root, path))
}

function jsCommand() {
  return `export * from './dist/backends/quickjs/index.js'; import './dist/backends/quickjs/js-worker.js'`
}

function pythonCommand() {
  return `export * from './dist/backends/pyodide/index.js'; import './dist/backends/pyodide/python-worker.js'`
}

function officeReaders() {
  const readers = ['docx', 'xlsx', 'pptx', 'epub', 'odf', 'rtf', 'doc', 'xls', 'ppt']
  return readers.map(name => `export * as ${name} from './dist/resources/document/${name}.js'`).join('\n')
}

/** What the first call of git loads, when it is this command. */
function firstGit(name) {
  return gitParts([`commands/${name}`])
}

function gitParts(parts) {
  return ['program', 'files', 'repository', ...new Set(parts)]
    .map((part, index) => `export * as part${index} from './dist/git/${part}.js'`)
    .join('\n')
}

/** All that an agent's usual day loads. Every other command is loaded when it is called. */
function dailyGit() {
  const daily = [
    'status',
    'diff',
    'add',
    'commit',
    'log',
    'branch',
    'checkout',
    'reset',
    'rev-parse',
    'init',
    'config',
    'ls-files',
  ]
  return ['program', 'files', 'repository', ...daily.map(name => `commands/${name}`)]
    .map((part, index) => `export * as part${index} from './dist/git/${part}.js'`)
    .join('\n')
}

async function filesLoadedInNode(metafile, outdir) {
  const { code, output } = await run(process.execPath, [join(outdir, 'stdin.mjs')])
  if (code !== 0) throw new Error(`A program that is measured failed.\n${output}`)
  return [...new Set(output.trim().split('\n'))].map(url => new URL(url).pathname)
}

function contentOf(metafile, file) {
  const { inputs, entryPoint } = metafile.outputs[file.slice(root.length)]
  const largest = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)[0]?.[0]
  return (entryPoint ?? largest ?? 'empty').replace(/^.*node_modules\//, '').replace(/^dist\//, '')
}

// By package, or by folder of ours: where to look if the size has grown.
function heaviestParts(metafile, loaded) {
  const parts = new Map()
  for (const file of loaded) {
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[file.slice(root.length)].inputs)) {
      const part = /node_modules\/((@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input.split('/').slice(0, 3).join('/')
      parts.set(part, (parts.get(part) ?? 0) + bytesInOutput)
    }
  }
  return [...parts].sort(([, a], [, b]) => b - a).slice(0, 16)
}

function sizeOf(file) {
  return gzipSync(readFileSync(file, 'utf8').replace(marker, ''), { level: 9 }).length
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(10)
}
