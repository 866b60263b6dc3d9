// npm run bench:opfs [-- --small] [-- --firefox]: our store and others, in the same run, with a profile on disk (a window without one
// keeps its files in another process, where every call is a message). Prints figures, and how many times ours the others take.
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium, firefox } from 'playwright'

const isFirefox = process.argv.includes('--firefox')
const root = new URL('../../', import.meta.url).pathname
const { outputFiles } = await build({
  entryPoints: [`${root}e2e/bench/opfs-worker.ts`],
  alias: { 'anchorage/fs/opfs': `${root}src/backends/opfs/index.ts` },
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
const columns = ['import', 'edit', 'mount', 'read', 'rename']
const cell = value => (value === undefined ? '-' : value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)).padStart(10)
const print = (name, figures) => console.log(name.padEnd(24) + columns.map(column => cell(figures[column])).join(''))

try {
  const page = await context.newPage()
  await page.goto(`http://localhost:${server.address().port}/`)
  const both = async (peer, name, fileCount) => {
    const job = { peer, name, fileCount }
    const filled = await run(page, { ...job, what: 'fill' })
    return { ...filled, ...(await run(page, { ...job, what: 'again' })) }
  }
  console.log(
    `${isFirefox ? 'Firefox' : 'Chromium'}, milliseconds`.padEnd(24) + columns.map(column => column.padStart(10)).join(''),
  )
  // First, before the others fill the profile.
  for (const fileCount of process.argv.includes('--small') ? [10_000] : [10_000, 100_000]) {
    print(`ours, ${fileCount / 1000}k files`, await both('ours', `ours-${fileCount}`, fileCount))
  }
  // Firefox takes minutes for a thousand files of some.
  const count = isFirefox ? 300 : 1_000
  const ours = await both('ours', 'ours', count)
  print(`ours, ${count} files`, ours)
  const peers = [
    'ours, several tabs',
    'ours, in IndexedDB',
    'file each',
    'zenfs OPFS',
    'zenfs IndexedDB',
    'LightningFS',
    'IndexedDB',
  ]
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
