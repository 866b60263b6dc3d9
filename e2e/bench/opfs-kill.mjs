// node e2e/bench/opfs-kill.mjs [rounds]: kills the whole of Chromium with SIGKILL while a worker commits, and opens its profile again.
// Every transaction that was flushed must be there, and the tree must be one that was committed. Not part of npm test: a round takes
// seconds. Prints its seed.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright'

const rounds = Number(process.argv[2] ?? 50)
const seed = Number(process.argv[3] ?? Date.now() % 100_000)
const root = new URL('../../', import.meta.url).pathname
const bundle = async entry => {
  const { outputFiles } = await build({ entryPoints: [root + entry], bundle: true, format: 'esm', write: false })
  return outputFiles[0]
}
const worker = await bundle('src/testing/opfs/opfs-worker.ts')
const marks = await import(
  `data:text/javascript;base64,${Buffer.from((await bundle('src/testing/opfs/marks.ts')).text).toString('base64')}`
)
const server = createServer((request, response) => {
  const isScript = request.url === '/worker.js'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? worker.contents : '<!doctype html>')
}).listen(0)
const profile = await mkdtemp(join(tmpdir(), 'anchorage-kill-'))

let state = seed
const random = end => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0
  return (state >>> 8) % end
}

function launch() {
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const browser = spawn(process.env.CHROMIUM ?? '/usr/bin/chromium', [...flags, 'about:blank'], { detached: true })
  const address = new Promise((resolve, reject) => {
    let said = ''
    browser.stderr.on('data', data => {
      said += data
      const found = /listening on (ws:\S+)/.exec(said)
      if (found) resolve(found[1])
    })
    browser.once('exit', () => reject(new Error(said)))
  })
  // Its own group: the browser and every process it started, and nothing else.
  const kill = () =>
    new Promise(resolve => {
      if (browser.pid === undefined) throw new Error('The browser did not start.')
      browser.once('exit', resolve)
      process.kill(-browser.pid, 'SIGKILL')
    })
  return { address, kill }
}

let acknowledged = 0
try {
  for (let round = 0; round < rounds; round++) {
    const { address, kill } = launch()
    try {
      const connected = await chromium.connectOverCDP(await address)
      const page = await connected.contexts()[0].newPage()
      let flushed = 0
      await page.exposeFunction('tellFlushed', number => (flushed = number))
      await page.goto(`http://localhost:${server.address().port}/`)
      await page.evaluate(() => {
        const hands = new Worker('/worker.js', { type: 'module' })
        const waiting = []
        hands.onmessage = ({ data }) => ('flushed' in data ? globalThis.tellFlushed(data.flushed) : waiting.shift()(data))
        globalThis.order = order =>
          new Promise((resolve, reject) => {
            waiting.push(answer => (answer.ok ? resolve(answer.value) : reject(new Error(answer.message))))
            hands.postMessage(order)
          })
      })
      await page.evaluate(() => globalThis.order({ do: 'open', options: { name: 'killed' } }))
      const tree = await page.evaluate(() => globalThis.order({ do: 'list' }))
      const number = marks.numberOf(tree['/a'])
      if (number < acknowledged) throw new Error(`round ${round}, seed ${seed}: ${acknowledged} was flushed, ${number} is there`)
      const expected = marks.treeAfter(number)
      const names = new Set([...Object.keys(tree), ...Object.keys(expected)])
      for (const name of names) {
        if (tree[name] !== expected[name]) throw new Error(`round ${round}, seed ${seed}: ${name} is not as after ${number}`)
      }
      await page.evaluate(() => void globalThis.order({ do: 'commit-forever' }).catch(() => {}))
      await new Promise(resolve => setTimeout(resolve, 50 + random(700)))
      acknowledged = Math.max(flushed, number)
    } finally {
      await kill()
    }
  }
  console.log(
    `seed ${seed}: killed ${rounds} times, ${acknowledged} transactions flushed, none lost, no state that was not committed`,
  )
} finally {
  server.close()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}
