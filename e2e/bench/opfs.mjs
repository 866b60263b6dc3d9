// npm run bench:opfs [-- --small] [-- --firefox] [-- --only REGEX --count N]: our store and others, in the same run, with a profile on
// disk (a window without one keeps its files in another process, where every call is a message). Prints figures, and how many times
// ours the others take. "import" is all files as one change where there is such a thing, "each" waits for every single one. "mount" (with a file
// read) and "rename" are the middle of several. "edit" and "read" are for one file. With --only
// just the peers whose names match are compared, and the large stores of ours are left out.
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium, firefox } from 'playwright'
import { benchPackages } from '../../.ci/install.mjs'

const isFirefox = process.argv.includes('--firefox')
const isSmall = process.argv.includes('--small')
const valueOf = option => (process.argv.includes(option) ? process.argv[process.argv.indexOf(option) + 1] : undefined)
const only = valueOf('--only') === undefined ? undefined : new RegExp(valueOf('--only'))
const root = new URL('../../', import.meta.url).pathname
const { outputFiles } = await build({
  entryPoints: [`${root}e2e/bench/opfs-worker.ts`],
  alias: { 'anchorage/fs/opfs': `${root}src/backends/opfs/index.ts` },
  nodePaths: [`${benchPackages}node_modules`],
  bundle: true,
  format: 'esm',
  write: false,
  minify: true,
})
const server = createServer((request, response) => {
  const isScript = request.url === '/worker.js'
  // Firefox tells time in whole milliseconds where a page is not isolated.
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-embedder-policy', 'require-corp')
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? outputFiles[0].contents : '<!doctype html>')
}).listen(0)
const profile = await mkdtemp(join(tmpdir(), 'anchorage-bench-'))
const context = isFirefox
  ? await firefox.launchPersistentContext(profile, {
      channel: 'moz-firefox',
      executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    })
  : await chromium.launchPersistentContext(profile, { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })

/** A worker for each job, so that nothing is in memory from the one before. */
const run = (page, job) =>
  page.evaluate(
    message =>
      new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' })
        worker.onmessage = ({ data }) => {
          worker.terminate()
          if (data.error) reject(new Error(data.error))
          else resolve(data)
        }
        worker.onerror = event => reject(new Error(event.message))
        worker.postMessage(message)
      }),
    job,
  )

/** Some take minutes for what others do in a second. */
const patienceMs = 30_000
const columns = ['import', 'each', 'edit', 'mount', 'read', 'rename']
const cell = value => (value === undefined ? '-' : value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)).padStart(10)
const print = (name, figures) => console.log(name.padEnd(24) + columns.map(column => cell(figures[column])).join(''))

try {
  const page = await context.newPage()
  await page.goto(`http://localhost:${server.address().port}/`)
  const both = async (peer, name, fileCount) => {
    const job = { peer, name, fileCount }
    const filled = await run(page, { ...job, what: 'fill' })
    const imported = await run(page, { ...job, name: `${name}-at-once`, what: 'import' })
    const mounts = []
    for (let count = 0; count < 5; count++) mounts.push((await run(page, { ...job, what: 'mount' })).mount)
    const mount = mounts.toSorted((a, b) => a - b)[2]
    return { ...filled, ...imported, ...(await run(page, { ...job, what: 'again' })), mount }
  }
  console.log(
    `${isFirefox ? 'Firefox' : 'Chromium'}, milliseconds`.padEnd(24) + columns.map(column => column.padStart(10)).join(''),
  )
  // First, before the others fill the profile.
  for (const fileCount of only !== undefined ? [] : isSmall ? [10_000] : [10_000, 100_000]) {
    print(`ours, ${fileCount / 1000}k files`, await both('ours', `ours-${fileCount}`, fileCount))
  }
  // Firefox takes minutes for a thousand files of some.
  const count = Number(valueOf('--count') ?? (isFirefox ? 300 : 1_000))
  const ours = await both('ours', 'ours', count)
  print(`ours, ${count} files`, ours)
  const peers = [
    'ours, several tabs',
    'ours, in IndexedDB',
    'ours, not forced',
    'a write each',
    'file each',
    'zenfs OPFS',
    'zenfs IndexedDB',
    'LightningFS',
    'IndexedDB',
  ].filter(peer => only?.test(peer) ?? true)
  const ratios = []
  for (const peer of peers) {
    let timer
    const slow = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not over after ${patienceMs / 1000} s`)), patienceMs)
    })
    try {
      const figures = await Promise.race([both(peer, peer.replaceAll(/\W/g, '-'), count), slow])
      print(peer, figures)
      ratios.push([peer, Object.fromEntries(columns.map(column => [column, figures[column] / ours[column]]))])
    } catch (error) {
      console.log(`${peer.padEnd(24)} failed: ${error.message.split('\n')[0]}`)
      // Its worker ends with the page, whatever it is at.
      await page.reload()
    } finally {
      clearTimeout(timer)
    }
  }
  console.log('\ntimes ours takes')
  for (const [peer, figures] of ratios) print(peer, figures)
} finally {
  await context.close()
  server.close()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}
