// node e2e/bench/opfs-kill.mjs [rounds] [seed] [--firefox] [--indexeddb]: kills the whole browser with SIGKILL while a worker commits,
// and opens its profile again. Every transaction that was flushed must be there, and the tree must be one that was committed. Not part
// of npm test: a round takes seconds. Prints its seed.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium, firefox } from 'playwright'

const [rounds = 50, seed = Date.now() % 100_000] = process.argv
  .slice(2)
  .filter(word => /^\d+$/.test(word))
  .map(Number)
const isFirefox = process.argv.includes('--firefox')
const storage = process.argv.includes('--indexeddb') ? 'indexeddb' : 'opfs'
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

function launchChromium() {
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
  const open = async () => {
    const connected = await chromium.connectOverCDP(await address)
    return await connected.contexts()[0].newPage()
  }
  return { open, kill }
}

function launchFirefox() {
  const context = firefox.launchPersistentContext(profile, {
    channel: 'moz-firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    // On a busy machine it takes its time.
    timeout: 120_000,
  })
  // Its pages end with it.
  const ended = new Promise(resolve => void context.then(opened => opened.once('close', resolve), resolve))
  const kill = async () => {
    // The processes that have our fresh profile on their command line, and no others.
    for (const id of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
      const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
      if (Number(id) !== process.pid && command.split('\0').includes(profile)) process.kill(Number(id), 'SIGKILL')
    }
    await ended
  }
  return { open: async () => await (await context).newPage(), kill }
}

let acknowledged = 0
/** What the round before found, and rounds after which nothing was new. */
let [found, idleRounds] = [-1, 0]
try {
  for (let round = 0; round < rounds; round++) {
    const { open, kill } = isFirefox ? launchFirefox() : launchChromium()
    try {
      const page = await open()
      let flushed = 0
      let refused = ''
      await page.exposeFunction('tellFlushed', number => (flushed = number))
      await page.exposeFunction('tellRefused', message => (refused = message))
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
      await page.evaluate(options => globalThis.order({ do: 'open', options }), { name: 'killed', storage: [storage] })
      const tree = await page.evaluate(() => globalThis.order({ do: 'list' }))
      const number = marks.numberOf(tree['/a'])
      if (number < acknowledged) throw new Error(`round ${round}, seed ${seed}: ${acknowledged} was flushed, ${number} is there`)
      const expected = marks.treeAfter(number)
      const names = new Set([...Object.keys(tree), ...Object.keys(expected)])
      for (const name of names) {
        if (tree[name] !== expected[name]) throw new Error(`round ${round}, seed ${seed}: ${name} is not as after ${number}`)
      }
      await page.evaluate(
        () => void globalThis.order({ do: 'commit-forever' }).catch(error => globalThis.tellRefused(error.message)),
      )
      await new Promise(resolve => setTimeout(resolve, 50 + random(700)))
      // Not a loss, but a round that proves nothing.
      if (refused !== '') throw new Error(`round ${round}, seed ${seed}: after ${number} a commit was refused: ${refused}`)
      if (number === found) idleRounds++
      found = number
      acknowledged = Math.max(flushed, number)
      if ((round + 1) % 25 === 0) console.log(`${round + 1} of ${rounds} rounds, ${acknowledged} transactions flushed`)
    } finally {
      await kill()
    }
  }
  console.log(
    `seed ${seed}: killed ${isFirefox ? 'Firefox' : 'Chromium'} ${rounds} times, ${storage}, ${acknowledged} transactions flushed, none lost, no state that was not committed; ${idleRounds} rounds committed nothing`,
  )
} finally {
  server.close()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}
