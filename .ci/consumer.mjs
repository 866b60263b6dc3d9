// Installs the packed package into a temporary project and uses it there like a new user: the README's example in Node, then Vite dev, Vite
// build and esbuild, without configuration. Each page starts the worker, reads a file and runs a command in Chromium, and reads again while
// a script is stuck, because scripts run in a separate worker.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { chromium } from 'playwright'
import { browsers } from './browsers.mjs'
import { answers, freePort } from './local-server.mjs'
import { bin, root, run, start, stop } from './run-command.mjs'

const program = createWorker => `
  import { connectWorkspace, createWorker } from 'anchorage/client'
  import { memory } from 'anchorage/fs/memory'
  const workspace = await connectWorkspace(${createWorker}, { fs: memory({ 'a.txt': 'hello\\n' }) })
  const tools = await workspace.toolset('atomic')
  const text = result => result.content.map(part => part.text).join('\\n')
  const read = text(await tools.call('read', { path: 'a.txt' }))
  const bash = text(await tools.call('bash', { command: 'echo hi' }))
  const stuck = tools.call('bash', { command: 'echo begun > begun; while :; do :; done', timeout: 6 })
  while (!(await workspace.fs.exists('/workspace/begun'))) await new Promise(resolve => setTimeout(resolve, 50))
  const startedAt = performance.now()
  await tools.call('read', { path: 'a.txt' })
  const besideStuckMs = performance.now() - startedAt
  await stuck
  globalThis.outcome = { read, bash, besideStuckMs }
`
const page = '<!doctype html><meta charset="utf-8"><title>consumer</title><script type="module" src="./app.js"></script>'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css' }

const folder = mkdtempSync(join(tmpdir(), 'anchorage-consumer-'))
const viteApp = join(folder, 'vite-app')
const esbuildApp = join(folder, 'esbuild-app')
const browser = await chromium.launch({ executablePath: browsers[0].path })
try {
  const tarball = await pack()
  await project(viteApp, tarball, { 'app.js': program('createWorker'), 'index.html': page })
  await project(esbuildApp, tarball, {
    'app.js': program("() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })"),
    'worker.js': `import 'anchorage/worker'`,
    'shell-worker.js': `import 'anchorage/shell/just-bash/worker'`,
  })
  const ways = [
    ['README', readmeExample],
    ['Node exits', nodeExits],
    ['vite dev', viteDev],
    ['vite build', viteBuild],
    ['esbuild', esbuildBundle],
  ]
  for (const [name, way] of ways) {
    const problem = await way().catch(error => error.message)
    console.log(`${name.padEnd(12)}${problem ?? 'works'}`)
    if (problem) process.exitCode = 1
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

// The README's example, copied into a file, must print what the README says.
async function readmeExample() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, example, promised] = /```js\n([\s\S]*?)```\n\nprints\n\n```text\n([\s\S]*?)```/.exec(readme) ?? []
  if (!example) return 'README.md has no example that "prints" something'
  writeFileSync(join(esbuildApp, 'example.js'), example)
  const printed = await mustRun(process.execPath, ['example.js'], esbuildApp)
  return printed.trim() === promised.trim()
    ? undefined
    : `printed ${JSON.stringify(printed)} instead of ${JSON.stringify(promised)}`
}

// A finished program must exit, whatever the state of its commands. One that does not exit is stopped after a minute.
async function nodeExits() {
  const rows = ['finished', 'aborted', 'timed out'].flatMap(command => [
    { command, isDisposed: true },
    { command, isDisposed: false },
  ])
  const problems = await Promise.all(
    rows.map(async ({ command, isDisposed }, index) => {
      const file = `exits-${index}.js`
      writeFileSync(join(esbuildApp, file), exitingProgram(command, isDisposed))
      const { code, output } = await run(process.execPath, [file], { cwd: esbuildApp, limitMinutes: 1 })
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
  const server = start(bin('vite'), ['--port', String(port), '--strictPort'], { cwd: viteApp })
  try {
    const address = `http://localhost:${port}/`
    await answers(address)
    return await tryPage(address)
  } finally {
    stop(server)
  }
}

async function viteBuild() {
  await mustRun(bin('vite'), ['build', '--base', './'], viteApp)
  return serve(join(viteApp, 'dist'), tryPage)
}

async function esbuildBundle() {
  await mustRun(
    bin('esbuild'),
    ['app.js', 'worker.js', 'shell-worker.js', '--bundle', '--format=esm', '--splitting', '--outdir=out'],
    esbuildApp,
  )
  writeFileSync(join(esbuildApp, 'out/index.html'), page)
  return serve(join(esbuildApp, 'out'), tryPage)
}

/** Returns what went wrong, or nothing. */
async function tryPage(address) {
  const tab = await browser.newPage()
  const messages = []
  tab.on('console', message => messages.push(`${message.type()}: ${message.text()}`))
  tab.on('pageerror', error => messages.push(`uncaught: ${error.stack}`))
  tab.on('requestfailed', request => messages.push(`request failed: ${request.url()}`))
  tab.on('response', response => response.status() >= 400 && messages.push(`${response.status()}: ${response.url()}`))
  try {
    await tab.goto(address)
    const outcome = await (await tab.waitForFunction(() => globalThis.outcome, undefined, { timeout: 30_000 })).jsonValue()
    const expected = /hello/.test(outcome.read) && /hi/.test(outcome.bash) && outcome.besideStuckMs < 3000
    return expected ? undefined : `unexpected results: ${JSON.stringify(outcome)}`
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

async function project(path, tarball, files) {
  mkdirSync(path)
  for (const [name, text] of Object.entries({ 'package.json': '{ "private": true, "type": "module" }', ...files })) {
    writeFileSync(join(path, name), text)
  }
  await mustRun('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], path)
}

async function mustRun(command, args, cwd) {
  const { code, output } = await run(command, args, { cwd })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

async function serve(directory, use) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const file = join(directory, pathname === '/' ? 'index.html' : pathname)
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  const port = await freePort()
  await new Promise(resolve => server.listen(port, resolve))
  try {
    return await use(`http://localhost:${port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
