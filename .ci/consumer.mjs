// Installs the packed package into a temporary project and uses it there like a new user: the README's example in Node, then
// Vite dev, Vite build, esbuild and a page without a bundler, none of them configured; with `--deep` webpack, Rollup, Parcel,
// Next and servers of MCP in a worker too, and with `--only=NAME` the rows whose names begin so. In Chromium and Firefox each page starts the worker, reads a file, a PDF and a
// database, runs a command, and reads again while a script is stuck: scripts run in a separate worker.
// Printed is what a page loads before its first read has its answer, all scripts gzipped.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, firefox } from 'playwright'
import { browsers } from './browsers.mjs'
import { answers, freePort } from './local-server.mjs'
import { bin, root, run, start, stop } from './run-command.mjs'

/** Each needs parts that load with it. */
const commands = [
  'set -e -o pipefail',
  'cat a.txt | sort | awk "{ print NR }" | sed s/1/one/ | grep one',
  'tar czf a.tar.gz a.txt && tar tzf a.tar.gz | grep a.txt',
  'zip -q a.zip a.txt && unzip -l a.zip | grep a.txt',
  "echo '{}' | jq -c .a | grep null",
  'sha1sum a.txt | xxd | head -n 1 >&2; diff a.txt a.txt',
  'find . -name "*.txt" | xargs rg hello; git init -q . && git status --short | grep a.txt',
  'echo hi',
].join('\n')
/** The reader runs in a separate worker, which loads a large part. */
const pdf = [
  '%PDF-1.4',
  '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
  '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj',
  '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj',
  '4 0 obj << /Length 40 >> stream',
  'BT /F 12 Tf 9 9 Td (printed words) Tj ET',
  'endstream endobj',
  '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj',
  'trailer << /Root 1 0 R >>',
].join('\n')
/** A database with one row in one table, in gzip. Its reader is WebAssembly. */
const database =
  'H4sIAAAAAAACAwsO9MksSVVIyy/KTSxRMGZgYmBkZHBQUGBgADIhGAYYgZgFjU8IMDHoJTPyghQz3mcAolFAXyDPyCbOz8+oX5KYlJNaUsLkHOTqGOKqEOLo5OOqUKKRqAmJm48MQDQKRgLgZWRSLijKzCtJTVEoyi8HAHj/jlwABAAA'
const imports = `import { connectWorkspace, createWorker, memory } from 'anchorage/client'`
const program = (createWorker, from = imports) => `
  ${from}
  const packed = new Blob([Uint8Array.from(atob('${database}'), character => character.charCodeAt(0))])
  const unpacked = packed.stream().pipeThrough(new DecompressionStream('gzip'))
  const database = new Uint8Array(await new Response(unpacked).arrayBuffer())
  const files = { 'a.txt': 'hello\\n', 'a.pdf': ${JSON.stringify(pdf)}, 'a.db': database }
  const workspace = await connectWorkspace(${createWorker}, { fs: memory(files) })
  const tools = await workspace.toolset('atomic')
  const text = result => result.content.map(part => part.text).join('\\n')
  const read = text(await tools.call('read', { path: 'a.txt' }))
  await fetch('./first-read')
  const bash = text(await tools.call('bash', { command: ${JSON.stringify(commands)} }))
  const controller = new AbortController()
  const stuck = tools.call('bash', { command: 'echo begun > begun; while :; do :; done' }, { signal: controller.signal })
  while (!(await workspace.fs.exists('/workspace/begun'))) await new Promise(resolve => setTimeout(resolve, 50))
  const besideStuck = text(await tools.call('read', { path: 'a.txt' }))
  controller.abort()
  await stuck.catch(() => {})
  const document = text(await tools.call('read', { path: 'a.pdf' }))
  const row = text(await tools.call('read', { path: 'a.db:t' }))
  globalThis.outcome = { read, bash, besideStuck, document, row }
`
const page = '<!doctype html><meta charset="utf-8"><title>consumer</title><script type="module" src="./app.js"></script>'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css' }

const folder = mkdtempSync(join(tmpdir(), 'anchorage-consumer-'))
/** Ends only a page that hangs: a busy machine takes minutes to load an SDK in a worker. */
const patienceMs = 300_000
const isDeep = process.argv.includes('--deep')
const only = process.argv.find(argument => argument.startsWith('--only='))?.slice('--only='.length) ?? ''
// With its defaults only; its command line is a separate package.
const webpackProgram = `
  import { resolve } from 'node:path'
  import webpack from 'webpack'
  const output = { path: resolve('webpack'), filename: 'app.js', publicPath: 'auto' }
  webpack({ mode: 'production', entry: './webpack-app.js', output }, (error, stats) => {
    if (error) throw error
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }))
    process.exit()
  })`

/** MCP's SDKs as their users write them: the server in a worker, the client in the page, and a port between them. */
const mcpWays = [
  {
    version: 2,
    packages: ['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
    server: `import { McpServer } from '@modelcontextprotocol/server'`,
    client: `import { Client } from '@modelcontextprotocol/client'
      const call = (client, request, options) => client.callTool(request, options)`,
  },
  {
    version: 1,
    packages: ['@modelcontextprotocol/sdk', 'zod'],
    server: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'`,
    client: `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
      const call = (client, request, options) => client.callTool(request, undefined, options)`,
  },
]
const mcpWorker = server => `
  import { createWorkspace } from 'anchorage'
  import { messagePortTransport, registerTools } from 'anchorage/adapters/mcp'
  import { startedByPage } from 'anchorage/client'
  import { memory } from 'anchorage/fs/memory'
  ${server}
  const files = { 'a.txt': 'one\\ntwo\\nthree\\n', 'b.txt': 'four\\n' }
  const workspace = await createWorkspace({ fs: memory(files), startWorker: startedByPage() })
  const server = new McpServer({ name: 'files', version: '1.0.0' })
  registerTools(server, await workspace.toolset('atomic'))
  addEventListener('message', ({ data }) => {
    if (data === 'idle') void workspace.idle().then(() => postMessage('idle'))
    else void server.connect(messagePortTransport(data))
  })
  postMessage('ready')`
const mcpPage = client => `
  import { messagePortTransport } from 'anchorage/adapters/mcp'
  import { startWorkersFor } from 'anchorage/client'
  ${client}
  const worker = new Worker(new URL('./server.js', import.meta.url), { type: 'module' })
  startWorkersFor(worker)
  const said = word => new Promise(resolve => {
    const listener = ({ data }) => data === word && (worker.removeEventListener('message', listener), resolve())
    worker.addEventListener('message', listener)
  })
  await said('ready')
  const { port1, port2 } = new MessageChannel()
  worker.postMessage(port2, [port2])
  const client = new Client({ name: 'page', version: '1.0.0' })
  await client.connect(messagePortTransport(port1))
  const ask = async (name, args, options) => {
    const { content, isError = false } = await call(client, { name, arguments: args }, options)
    return { isError, text: content.map(({ text }) => text).join('\\n') }
  }
  const { tools } = await client.listTools()
  const seen = await Promise.all(['a.txt', 'b.txt'].map(path => ask('read', { path })))
  const [a, b] = seen.map(({ text }) => text.split('\\n')[0])
  const edits = [[a, 1, 'ONE'], [a, 3, 'THREE'], [b, 1, 'FOUR']]
  await Promise.all(edits.map(([header, line, text]) => ask('edit', { input: [header, 'replace ' + line + '..' + line + ':', '+' + text].join('\\n') })))
  const progress = []
  const bash = await ask('bash', { command: 'for i in 1 2 3; do echo step $i; sleep 0.3; done; cat a.txt b.txt' }, { onprogress: ({ message }) => progress.push(message) })
  const slip = await ask('read', {})
  const controller = new AbortController()
  const begun = []
  const onprogress = ({ message }) => (begun.push(message), controller.abort())
  const stuck = await ask('bash', { command: 'echo begun; while :; do sleep 0.1; done' }, { signal: controller.signal, onprogress }).then(String, () => 'rejected')
  const idle = said('idle')
  worker.postMessage('idle')
  await idle
  await client.close()
  globalThis.outcome = { tools: tools.map(({ name }) => name), bash, progress: progress.join(''), slip, stuck, begun: begun.join('') }`

/** What a page may load before its first read. */
const budgetBytes = 82_000
let firstReadBytes

/** Anchorage needs only 'self'; 'unsafe-inline' is for the import map in the page. */
const strictPolicy = "default-src 'self'; script-src 'self' 'unsafe-inline'; worker-src 'self'; img-src 'self' data:"
/** For databases. */
const wasmPolicy = strictPolicy.replace("'unsafe-inline'", "'unsafe-inline' 'wasm-unsafe-eval'")

let tarball

const project = join(folder, 'project')
// The first of them tells what was loaded.
const opened = [
  { name: 'Chromium', browser: await chromium.launch({ executablePath: browsers[0].path }), minWorkers: 3 },
  // In Firefox the worker of the files reads documents itself.
  {
    name: 'Firefox',
    browser: await firefox.launch({ channel: 'moz-firefox', executablePath: browsers[1].path }),
    minWorkers: 2,
  },
]
try {
  mkdirSync(project)
  writeFiles({
    'package.json': '{ "private": true, "type": "module" }',
    'app.js': program('createWorker'),
    'index.html': page,
    'esbuild-app.js': program("() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })"),
    'worker.js': `import 'anchorage/worker'`,
    'shell-worker.js': `import 'anchorage/shell/just-bash/worker'`,
    'document-worker.js': `import 'anchorage/documents/worker'`,
  })
  tarball = await pack()
  await install([tarball])
  const ways = [
    ['README', readmeExample],
    ['README, pages', readmePages],
    ['Node exits', nodeExits],
    ['vite dev', viteDev],
    ['vite build', viteBuild, budgetBytes],
    ['esbuild', esbuildBundle],
    ['esbuild, files', esbuildWithFiles, budgetBytes],
    ['static page', staticPage, budgetBytes],
    ...(isDeep
      ? [
          ['webpack', webpackBuild, budgetBytes],
          ['rollup', rollupBuild, budgetBytes],
          ['parcel', parcelBuild, budgetBytes],
          // These load React and Next before.
          ['next, turbopack', () => nextBuild('--turbopack')],
          ['next, webpack', () => nextBuild('--webpack')],
          ...mcpWays.map(way => [`MCP ${way.version} in a worker`, () => mcpInWorker(way)]),
        ]
      : []),
  ]
  for (const [name, way, mostBytes = Infinity] of ways.filter(([each]) => each.startsWith(only))) {
    firstReadBytes = undefined
    const failed = await way().catch(error => error.message)
    const isTooMuch = firstReadBytes > mostBytes
    const problem = failed ?? (isTooMuch ? `loads more than ${mostBytes / 1000} kB` : undefined)
    const size = firstReadBytes === undefined ? '' : `, ${(firstReadBytes / 1000).toFixed(1)} kB before the first read`
    console.log(`${name.padEnd(20)}${problem ?? 'works'}${size}`)
    if (problem) process.exitCode = 1
  }
} finally {
  for (const { browser } of opened) await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

// The README's example, copied into a file, must print what the README says.
async function readmeExample() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, example, promised] = /```js\n([\s\S]*?)```\n\nprints\n\n```text\n([\s\S]*?)```/.exec(readme) ?? []
  if (!example) return 'README.md has no example that "prints" something'
  writeFileSync(join(project, 'example.js'), example)
  const printed = await mustRun(process.execPath, ['example.js'], project)
  return printed.trim() === promised.trim()
    ? undefined
    : `printed ${JSON.stringify(printed)} instead of ${JSON.stringify(promised)}`
}

/** README's blocks for pages as they are written, each with a line after it that uses its workspace. */
async function readmePages() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = language => [...readme.matchAll(new RegExp('```' + language + '\\n([^]*?)```', 'g'))].map(([, block]) => block)
  const use = `
    const tools = await workspace.toolset('atomic')
    await tools.call('write', { path: 'src/b.ts', content: 'export const b = 2\\n' })
    const { isError, content } = await tools.call('bash', { command: 'cat src/*.ts' })
    globalThis.outcome = { isError, text: content.map(({ text }) => text).join('') }`
  const [html, ...otherPages] = blocks('html')
  const connecting = blocks('js').filter(block => block.includes('connectWorkspace('))
  if (html === undefined || otherPages.length > 0 || connecting.length !== 3) return 'README.md has other blocks for pages now'
  const [plain, stored, container] = connecting
  for (const [name, block, text] of [
    ['with memory', plain, 'export const a = 1\nexport const b = 2\n'],
    ['with opfs', stored, 'export const b = 2\n'],
    // The page has no container: here it must only be built.
    ['with a container', container],
  ]) {
    const app = join(project, 'readme')
    rmSync(app, { recursive: true, force: true })
    mkdirSync(app)
    writeFiles({ 'index.html': page, 'app.js': block + use }, app)
    await mustRun(bin('vite'), ['build', '--base', './'], app)
    const expected = outcome => !outcome.isError && outcome.text === text
    const problem = text === undefined ? undefined : await serve(join(app, 'dist'), address => tryPage(address, expected, 1))
    if (problem !== undefined) return `${name}: ${problem}`
  }
  const app = join(project, 'readme-page')
  mkdirSync(app)
  const expected = outcome => !outcome.isError && outcome.text === 'export const a = 1\nexport const b = 2\n'
  const complete = `<!doctype html><title>consumer</title>${html.replace(/<\/script>\s*$/, `${use}</script>`)}`
  return serveWithFiles('readme-page', complete, address => tryPage(address, expected, 1))
}

// A finished program must exit, whatever the state of its commands. One that does not exit is stopped after some minutes.
async function nodeExits() {
  const rows = ['finished', 'aborted', 'timed out'].flatMap(command => [
    { command, isDisposed: true },
    { command, isDisposed: false },
  ])
  const problems = await Promise.all(
    rows.map(async ({ command, isDisposed }, index) => {
      const file = `exits-${index}.js`
      writeFileSync(join(project, file), exitingProgram(command, isDisposed))
      const { code, output } = await run(process.execPath, [file], { cwd: project, silenceMinutes: 5 })
      const way = `a command that ${command}, ${isDisposed ? 'disposed of' : 'not disposed of'}`
      return code === 0 ? undefined : `${way}: Node did not exit by itself: ${output}`
    }),
  )
  return problems.filter(Boolean).join('\n') || undefined
}

function exitingProgram(command, isDisposed) {
  const calls = {
    finished: `await tools.call('bash', { command: 'cat a.txt' })`,
    aborted: `
      const controller = new AbortController()
      const call = tools.call('bash', { command: 'echo begun > begun; while :; do :; done' }, { signal: controller.signal })
      while (!(await workspace.fs.exists('/workspace/begun'))) await new Promise(resolve => setTimeout(resolve, 20))
      controller.abort()
      await call.catch(() => {})`,
    'timed out': `await tools.call('bash', { command: 'while :; do :; done', timeout: 1 })`,
  }
  return `
    import { createWorkspace } from 'anchorage'
    import { memory } from 'anchorage/fs/memory'
    const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\\n' }) })
    const tools = await workspace.toolset('atomic')
    ${calls[command]}
    ${isDisposed ? 'await workspace.dispose()' : ''}`
}

async function viteDev() {
  const port = await freePort()
  const server = start(bin('vite'), ['--port', String(port), '--strictPort'], { cwd: project })
  try {
    const address = `http://localhost:${port}/`
    await answers(address)
    return await tryPage(address)
  } finally {
    stop(server)
  }
}

async function viteBuild() {
  await mustRun(bin('vite'), ['build', '--base', './'], project)
  return serve(join(project, 'dist'), tryPage)
}

async function esbuildBundle() {
  await mustRun(
    bin('esbuild'),
    [
      'app=esbuild-app.js',
      'worker.js',
      'shell-worker.js',
      'document-worker.js',
      '--bundle',
      '--format=esm',
      '--splitting',
      '--outdir=out',
    ],
    project,
  )
  writeFileSync(join(project, 'out/index.html'), page)
  return serve(join(project, 'out'), tryPage)
}

// The worker's files as they are, beside a bundle that has nothing of them.
async function esbuildWithFiles() {
  writeFileSync(join(project, 'with-files.js'), program("'/anchorage/worker.js'"))
  await mustRun(
    bin('esbuild'),
    ['with-files.js', '--bundle', '--minify', '--format=esm', '--splitting', '--outdir=with-files', '--entry-names=app'],
    project,
  )
  return serveWithFiles('with-files', page)
}

async function staticPage() {
  const from = `import { connectWorkspace, memory } from 'anchorage/page.js'`
  mkdirSync(join(project, 'static'))
  writeFileSync(join(project, 'static/app.js'), program("'/anchorage/worker.js'", from))
  const map = '<script type="importmap">{ "imports": { "anchorage/page.js": "/anchorage/page.js" } }</script>'
  return serveWithFiles('static', page.replace('<script', `${map}<script`))
}

function serveWithFiles(name, html, use = tryPage) {
  const directory = join(project, name)
  writeFileSync(join(directory, 'index.html'), html)
  cpSync(join(project, 'node_modules/anchorage/dist/worker-files'), join(directory, 'anchorage'), { recursive: true })
  return serve(directory, use, strictPolicy)
}

async function webpackBuild() {
  await install(['webpack@5.112.2'])
  writeFileSync(join(project, 'webpack-app.js'), program('createWorker'))
  writeFileSync(join(project, 'webpack.mjs'), webpackProgram)
  await mustRun(process.execPath, ['webpack.mjs'], project)
  writeFileSync(join(project, 'webpack/index.html'), page)
  return serve(join(project, 'webpack'), tryPage)
}

// Rollup resolves no packages by itself, and knows nothing of workers.
async function rollupBuild() {
  await install(['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'])
  writeFileSync(join(project, 'rollup-app.js'), program("'/anchorage/worker.js'"))
  const args = ['rollup-app.js', '--plugin', 'node-resolve', '--format', 'es', '--dir', 'rollup', '--entryFileNames', 'app.js']
  await mustRun(join(project, 'node_modules/.bin/rollup'), args, project)
  return serveWithFiles('rollup', page)
}

// Its one line of configuration is README's.
async function parcelBuild() {
  const app = join(folder, 'parcel-app')
  mkdirSync(app)
  const manifest = '{ "private": true, "type": "module", "@parcel/resolver-default": { "packageExports": true } }'
  writeFiles({ 'package.json': manifest, 'app.js': program('createWorker'), 'index.html': page }, app)
  await install([tarball, 'parcel@2.16.4'], app)
  const args = ['build', 'index.html', '--no-source-maps', '--no-cache', '--public-url', './', '--dist-dir', 'out']
  await mustRun(join(app, 'node_modules/.bin/parcel'), args, app)
  return serve(join(app, 'out'), tryPage)
}

// A component of the page, which Next also renders on the server: there it must be importable.
async function nextBuild(bundler) {
  const app = join(folder, 'next-app')
  if (!existsSync(app)) {
    mkdirSync(join(app, 'app'), { recursive: true })
    writeFiles(
      { 'package.json': '{ "private": true, "type": "module" }', 'next.config.mjs': `export default { output: 'export' }` },
      app,
    )
    await install([tarball, 'next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'], app)
    const files = {
      'layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>',
      'page.jsx': `import { Tools } from './tools'\nexport default () => <Tools />`,
      'tools.jsx': `'use client'
        import { useEffect } from 'react'
        ${imports}
        const run = async () => {${program('createWorker', '')}}
        export function Tools() {
          useEffect(() => void run(), [])
          return null
        }`,
    }
    writeFiles(files, join(app, 'app'))
  }
  await mustRun(join(app, 'node_modules/.bin/next'), ['build', bundler], app)
  return serve(join(app, 'out'), tryPage)
}

/** The versions that the adapters are tested with. */
async function mcpInWorker({ version, packages, server, client }) {
  const app = join(folder, `mcp-${version}`)
  mkdirSync(app)
  writeFiles(
    {
      'package.json': '{ "private": true, "type": "module" }',
      'vite.config.js': `export default { base: './', worker: { format: 'es' } }`,
      'index.html': page,
      'app.js': mcpPage(client),
      'server.js': mcpWorker(server),
    },
    app,
  )
  const { dependencies } = JSON.parse(readFileSync(join(root, '.ci/sdk-packages/package.json'), 'utf8'))
  await install([tarball, ...packages.map(name => `${name}@${dependencies[name]}`)], app)
  await mustRun(bin('vite'), ['build'], app)
  const expected = outcome =>
    outcome.tools.includes('edit') &&
    outcome.bash.text.endsWith('ONE\ntwo\nTHREE\nFOUR\n') &&
    outcome.progress.includes('step 1') &&
    outcome.slip.isError &&
    outcome.slip.text.includes('invalid-arguments') &&
    outcome.stuck === 'rejected' &&
    outcome.begun.includes('begun')
  // Zod, which the SDKs bring, tries whether it may evaluate text, and Firefox reports that.
  const evalPolicy = wasmPolicy.replace("'wasm-unsafe-eval'", "'unsafe-eval'")
  return serve(join(app, 'dist'), address => tryPage(address, expected, 1), evalPolicy)
}

async function install(packages, path = project) {
  await mustRun('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], path)
}

/** Returns what went wrong, or nothing. */
async function tryPage(address, isExpected = isEverything(/printed row/), mostWorkers = Infinity) {
  for (const { name, browser, minWorkers } of opened) {
    const problem = await tryPageIn(browser, address, isExpected, Math.min(minWorkers, mostWorkers))
    if (problem !== undefined) return `in ${name}: ${problem}`
  }
}

/** What the program of the other pages must have seen. */
function isEverything(row) {
  return outcome =>
    /hello/.test(outcome.read) &&
    /^hi$/m.test(outcome.bash) &&
    /hello/.test(outcome.besideStuck) &&
    /printed words/.test(outcome.document) &&
    row.test(outcome.row)
}

async function tryPageIn(browser, address, isExpected, minWorkers) {
  const tab = await browser.newPage()
  const messages = []
  const workers = []
  tab.on('worker', worker => workers.push(worker.url()))
  tab.on('console', message => messages.push(`${message.type()}: ${message.text()}`))
  tab.on('pageerror', error => messages.push(`uncaught: ${error.stack}`))
  tab.on('requestfailed', request => messages.push(`request failed: ${request.url()}`))
  tab.on('response', response => response.status() >= 400 && messages.push(`${response.status()}: ${response.url()}`))
  try {
    await tab.goto(address)
    const outcome = await (await tab.waitForFunction(() => globalThis.outcome, undefined, { timeout: patienceMs })).jsonValue()
    // Without them, all work is done in the first worker: a loop of a script is stopped late, and an endless document never.
    const problems = [
      ...(isExpected(outcome) ? [] : [`unexpected results: ${JSON.stringify(outcome)}`]),
      ...(new Set(workers).size < minWorkers ? [`scripts or documents have no worker: ${workers.join(', ')}`] : []),
      ...messages.filter(message => /^(?:\d|uncaught|warning)/.test(message) && !message.includes('favicon')),
    ]
    return problems.join('\n  ') || undefined
  } catch (error) {
    return [error.message, ...messages].join('\n  ')
  } finally {
    await tab.close()
  }
}

async function pack() {
  const output = await mustRun('npm', ['pack', '--json', '--pack-destination', folder], root)
  return join(folder, JSON.parse(output.slice(output.indexOf('[')))[0].filename)
}

function writeFiles(files, path = project) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
}

async function mustRun(command, args, cwd) {
  // webpack says nothing until it is done, which takes minutes on a busy machine.
  const { code, output } = await run(command, args, { cwd, env: { NEXT_TELEMETRY_DISABLED: '1' }, silenceMinutes: 15 })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** Pages without a bundler have the strict policy, the others also show a database. */
async function serve(directory, use, policy = wasmPolicy) {
  let loadedBytes = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (pathname === '/first-read') {
      firstReadBytes ??= loadedBytes
      return response.writeHead(204).end()
    }
    const file = join(directory, pathname === '/' ? 'index.html' : pathname)
    if (!existsSync(file)) return response.writeHead(404).end()
    const body = readFileSync(file)
    if (extname(file) === '.js') loadedBytes += gzipSync(body, { level: 9 }).length
    const headers = { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy }
    response.writeHead(200, headers).end(body)
  })
  const port = await freePort()
  await new Promise(resolve => server.listen(port, resolve))
  try {
    return await use(`http://localhost:${port}/`, policy === strictPolicy ? isEverything(/wasm-unsafe-eval/) : undefined)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
