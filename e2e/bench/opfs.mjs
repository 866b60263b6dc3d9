// npm run bench:opfs: our store against one OPFS file for each file, in the same run, with a profile on disk (a window without one
// keeps its files in another process, where every call is a message). Firefox is measured where its driver allows a profile.
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright'

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
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? outputFiles[0].contents : '<!doctype html>')
}).listen(0)
const profile = await mkdtemp(join(tmpdir(), 'anchorage-bench-'))
const context = await chromium.launchPersistentContext(profile, { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
try {
  const page = await context.newPage()
  await page.goto(`http://localhost:${server.address().port}/`)
  const run = order =>
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
      order,
    )
  const small = await run({ what: 'ours', name: 'small', count: 10_000 })
  const each = await run({ what: 'fileEach', name: 'each', count: 1_000 })
  const large = process.argv.includes('--small') ? {} : await run({ what: 'ours', name: 'large', count: 100_000 })
  const print = (what, ms, unit, note = '') =>
    console.log(`${what.padEnd(44)} ${ms.toFixed(ms < 10 ? 3 : 0).padStart(9)} ${unit}${note}`)
  print(
    'import 10k x 4 kB, durable',
    small.import,
    'ms',
    `   ${((each.import * 10) / small.import).toFixed(0)} x faster than a file each`,
  )
  print('  a file each, 10 x 1k files', each.import * 10, 'ms')
  print('one durable edit', small.edit, 'ms', `   ${(each.edit / small.edit).toFixed(1)} x faster than a file each`)
  print('random read, in memory', small.read, 'ms')
  print(
    'random read, cold',
    small['read cold'],
    'ms',
    `   ${(each['read cold'] / small['read cold']).toFixed(0)} x faster than a file each`,
  )
  print('rename of a directory, durable', small.rename, 'ms')
  print('mount 10k, cold', small.mount, 'ms')
  if (large.mount !== undefined) {
    print('import 100k x 4 kB, durable', large.import, 'ms')
    print('mount 100k, cold', large.mount, 'ms')
    print('random read of 100k, cold', large['read cold'], 'ms')
  }
} finally {
  await context.close()
  server.close()
  await rm(profile, { recursive: true, force: true })
}
