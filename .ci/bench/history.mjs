// npm run bench:history: what recording a history adds to a call that edits a file. In memory in Node it is processor time; in a worker of
// Chromium, in files that are stored in OPFS and in IndexedDB, it is how long the call takes. There the entries are stored after the call: what
// that takes is the processor time of all of Chromium's processes, printed by itself. Needs a build. Two workspaces with the same files take
// turns, so that other work on the machine disturbs both alike. Exits with 1 above the budget.
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { browsers } from '../browsers.mjs'
import { bundled } from './bundle.mjs'
import { compareSides, edit, files, openSide, print } from './history-scenario.mjs'

const budget = 0.05
let isOver = await inMemory()
for (const storage of ['opfs', 'indexeddb']) isOver = (await inChromium(storage)) || isOver
if (isOver) process.exitCode = 1

async function inMemory() {
  const open = async history => openSide(await createWorkspace({ fs: memory(files), shell: 'none', history }))
  const sides = { without: await open(false), with: await open(true) }
  const calls = 40
  const slice = async name => {
    const before = process.cpuUsage()
    await edit(sides[name], calls)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / calls
  }
  const result = await compareSides('in memory, Node', slice, { slices: 400, warmUpSlices: 25, budget })
  const { entries } = await sides.with.workspace.history.list()
  if (entries.length < Math.min(10_000, sides.with.calls)) throw new Error(`Only ${entries.length} entries were recorded.`)
  for (const { workspace } of Object.values(sides)) await workspace.dispose()
  return result
}

async function inChromium(storage) {
  const script = await bundled(`
        import { createWorkspace } from 'anchorage'
        import { opfs } from 'anchorage/fs/opfs'
        import { edit, files, openSide } from './history-scenario.mjs'
        const sides = {}
        const jobs = {
          async open({ name, history, storage }) {
            const workspace = await createWorkspace({ fs: opfs({ name, storage: [storage] }), shell: 'none', history })
            await workspace.fs.batch(batch => {
              for (const [path, text] of Object.entries(files)) batch.writeFile('/workspace/' + path, text, { parents: true })
            })
            sides[name] = await openSide(workspace)
            return await workspace.history.caps()
          },
          edit: ({ name, calls }) => edit(sides[name], calls),
          entries: async ({ name }) => (await sides[name].workspace.history.list()).entries.length,
        }
        onmessage = ({ data }) => jobs[data.job](data).then(
          result => postMessage({ result }),
          error => postMessage({ error: String(error) }),
        )`)
  const server = createServer((request, response) => {
    const isScript = request.url === '/worker.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html>')
  }).listen(0)
  const profile = await mkdtemp(join(tmpdir(), 'anchorage-bench-'))
  const { path } = browsers.find(({ name }) => name === 'Chromium')
  const context = await chromium.launchPersistentContext(profile, { executablePath: path })
  try {
    const page = await context.newPage()
    await page.goto(`http://localhost:${server.address().port}/`)
    await page.evaluate(() => {
      const worker = new Worker('/worker.js', { type: 'module' })
      globalThis.ask = message =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.result))
          worker.onerror = event => reject(new Error(event.message))
          worker.postMessage(message)
        })
    })
    const ask = message => page.evaluate(given => globalThis.ask(given), message)
    await ask({ job: 'open', name: 'without', history: false, storage })
    const { kept } = await ask({ job: 'open', name: 'with', history: true, storage })
    if (kept !== 'stored') throw new Error(`The history in ${storage} is kept: ${kept}.`)
    const session = await context.browser().newBrowserCDPSession()
    const processorMs = async () => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0)
    }
    // So few that the pause before entries are stored begins and ends between two slices.
    const calls = 20
    const rounds = { slices: 150, warmUpSlices: 20 }
    const processor = { without: 0, with: 0 }
    const slice = async name => {
      const before = await processorMs()
      const elapsedMs = await ask({ job: 'edit', name, calls })
      processor[name] += (await processorMs()) - before
      return (elapsedMs * 1000) / calls
    }
    const result = await compareSides(`${storage}, Chromium: the call`, slice, { ...rounds, budget })
    const count = (rounds.slices + rounds.warmUpSlices) * calls
    if ((await ask({ job: 'entries', name: 'with' })) < count) throw new Error('Not every call was recorded.')
    const [without, withHistory] = [processor.without, processor.with].map(each => (each * 1000) / count)
    print(`${storage}, Chromium: and stored`, without, withHistory, withHistory / without - 1, `stored after each ${calls} calls`)
    return result
  } finally {
    await context.close()
    server.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
