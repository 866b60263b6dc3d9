// npm run bench:keystroke: what one typed character costs in a file that is open in an editor. Needs a build. How long the editor waits for
// `change`, in Node and in pages of Chromium and Firefox whose workspace is in a worker; each figure is the median of all keys. In Node also the
// processor time of both sides until the answer, in Chromium the time of the page's thread with the answer. Exits with 1 above the budget.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { chromium, firefox } from '@playwright/test'
import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { browsers } from '../browsers.mjs'
import { root } from '../run-command.mjs'
import { bundled } from './bundle.mjs'
import { textOfFile, typeIn } from './keystroke-scenario.mjs'

const budgetMs = 0.2

const script = await bundled(`
      import { connectWorkspace } from 'anchorage/client'
      import { memory } from 'anchorage/fs/memory'
      import { textOfFile, typeIn } from './keystroke-scenario.mjs'
      let workspace
      globalThis.open = async () => {
        const worker = () => new Worker('/worker-files/worker.js', { type: 'module' })
        workspace = await connectWorkspace(worker, { fs: memory({ 'a.ts': textOfFile }), shell: 'none', history: true })
        globalThis.isIsolated = crossOriginIsolated
      }
      globalThis.type = () => typeIn(workspace)`)
const server = createServer((request, response) => {
  // Elsewhere browsers tell time in steps of a tenth of a millisecond and more.
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-embedder-policy', 'require-corp')
  response.setHeader('content-type', request.url.endsWith('.js') ? 'text/javascript' : 'text/html')
  if (request.url === '/page.js') response.end(script)
  else if (request.url.startsWith('/worker-files/')) response.end(readFileSync(`${root}dist${request.url}`))
  else response.end('<!doctype html><script type="module" src="/page.js"></script>')
}).listen(0)

try {
  await inNode()
  for (const { name, path } of browsers) await inPage(name, path)
} finally {
  server.close()
}

async function inNode() {
  const workspace = await createWorkspace({ fs: memory({ 'a.ts': textOfFile }), shell: 'none', history: true })
  const before = process.cpuUsage()
  const { waitMs, typed } = await typeIn(workspace)
  const { user, system } = process.cpuUsage(before)
  report('Node', waitMs, `both sides until the answer ${((user + system) / 1000 / typed).toFixed(3)} ms`)
  await workspace.dispose()
}

async function inPage(name, executablePath) {
  const isFirefox = name === 'Firefox'
  const browser = await (isFirefox ? firefox : chromium).launch({ executablePath, ...(isFirefox && { channel: 'moz-firefox' }) })
  try {
    const page = await browser.newPage()
    await page.goto(`http://localhost:${server.address().port}/`)
    await page.waitForFunction(() => globalThis.type !== undefined)
    await page.evaluate(() => globalThis.open())
    if (!(await page.evaluate(() => globalThis.isIsolated))) throw new Error(`${name}: the page is not isolated.`)
    const session = isFirefox ? undefined : await page.context().newCDPSession(page)
    await session?.send('Performance.enable', { timeDomain: 'threadTicks' })
    const threadMs = async () => {
      const { metrics = [] } = (await session?.send('Performance.getMetrics')) ?? {}
      return (metrics.find(metric => metric.name === 'TaskDuration')?.value ?? 0) * 1000
    }
    const before = await threadMs()
    const { waitMs, typed } = await page.evaluate(() => globalThis.type())
    const threadPerKey = ((await threadMs()) - before) / typed
    report(name, waitMs, isFirefox ? '' : `the page's thread with the answer ${threadPerKey.toFixed(3)} ms`)
  } finally {
    await browser.close()
  }
}

function report(where, waitMs, note) {
  const isOver = waitMs > budgetMs
  if (isOver) process.exitCode = 1
  console.log(
    `${where.padEnd(10)} typing waits, in ${textOfFile.length} characters  ${waitMs.toFixed(3)} ms   budget ${budgetMs} ms${isOver ? ': over' : ''}   ${note}`,
  )
}
