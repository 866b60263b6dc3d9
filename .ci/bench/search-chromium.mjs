// The same searches in a page, where workspaces usually run: a page with the corpus, which receives one query at a time, so that native
// ripgrep can run in turns with it.
import { createServer } from 'node:http'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { browsers } from '../browsers.mjs'
import { root } from '../run-command.mjs'

/**
 * `wasm` is ripgrep's module as bytes. With `isCpuTime`, times are those of the page's thread, without other processes. Close the result.
 */
export async function openPage(files, wasm, { isCpuTime }) {
  const script = await pageScript()
  const corpus = Buffer.concat(files.map(({ bytes }) => bytes))
  const table = JSON.stringify(files.map(({ name, bytes }) => [name, bytes.length]))
  const answers = {
    '/': ['text/html', '<!doctype html><script src="/page.js"></script>'],
    '/page.js': ['text/javascript', script],
    '/corpus': ['application/octet-stream', corpus],
    '/table': ['application/json', table],
    '/wasm': ['application/wasm', wasm],
  }
  const server = createServer((request, response) => {
    const [type, body] = answers[request.url] ?? []
    response.writeHead(type === undefined ? 404 : 200, type === undefined ? {} : { 'content-type': type }).end(body)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { path } = browsers.find(({ name }) => name === 'Chromium')
  const browser = await chromium.launch({ executablePath: path, args: ['--js-flags=--max-old-space-size=4096'] })
  const close = async () => {
    await browser.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const threadMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'ThreadTime').value * 1000
    }
    /** The cost of a call to the page itself. */
    let overheadMs = 0
    const answer = async (kind, query) => {
      const startMs = await threadMs()
      const timing = await page.evaluate(([asked, given]) => globalThis.answer(asked, given), [kind, query])
      return isCpuTime ? { ...timing, ms: Math.max(0, (await threadMs()) - startMs - overheadMs) } : timing
    }
    await page.evaluate(() => globalThis.loadCorpus())
    const idle = []
    for (let round = 0; round < 20; round++) idle.push((await answer('nothing')).ms)
    overheadMs = Math.min(...idle)
    await answer('warmUp')
    const index = await answer('build')
    const ask = async query => ({
      cold: await answer('cold', query),
      warm: await answer('warm', query),
      page: await answer('page', query),
      wasm: query.asksWasm ? await answer('wasm', query) : undefined,
      vsCode: query.asksVsCode ? await answer('vsCode', query) : undefined,
    })
    return { version: browser.version(), index: { buildMs: index.ms }, ask, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function pageScript() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      resolveDir: `${root}.ci/bench`,
      contents: `
        import { engineOf, vsCodeShape } from './search-engine.mjs'
        import { ripgrepInMemory } from './search-wasm.mjs'
        import { compilePattern } from '../../dist/search/pattern.js'
        import { searchBytes } from '../../dist/search/matcher.js'
        import { createBlockIndex } from '../../dist/search/index/block-index.js'
        import { createVfs } from '../../dist/vfs/create-vfs.js'
        import { asInput, borrow } from '../../dist/vfs/borrow.js'
        import { memory } from '../../dist/backends/memory/index.js'
        const engine = engineOf({ compilePattern, searchBytes, createBlockIndex, createVfs, memory, borrow, asInput })
        const now = () => performance.now()
        let files, search, index, wasmRipgrep
        const timed = work => { const startMs = now(); const value = work(); return { ms: now() - startMs, value } }
        globalThis.loadCorpus = async () => {
          const corpus = new Uint8Array(await (await fetch('/corpus')).arrayBuffer())
          let at = 0
          files = (await (await fetch('/table')).json()).map(([name, length]) => ({ name, bytes: corpus.slice(at, (at += length)) }))
          search = engine.open(files)
          wasmRipgrep = ripgrepInMemory(await WebAssembly.compile(await (await fetch('/wasm')).arrayBuffer()), files)
        }
        const answers = {
          nothing: () => 0,
          warmUp: () => engine.warmUp(files),
          build: () => { index = engine.buildIndex(files, now).index },
          cold: ({ pattern }) => search(pattern),
          warm: ({ pattern }) => search(pattern, { index }),
          page: ({ pattern, pageFiles }) => search(pattern, { index, maxMatchingFiles: pageFiles }),
          wasm: ({ pattern }) => wasmRipgrep(['-n', '--hidden', '--no-config', '--crlf', '-e', pattern]),
          vsCode: ({ pattern }) => vsCodeShape(files, pattern),
        }
        globalThis.answer = (kind, query) => timed(() => answers[kind](query))`,
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  return outputFiles[0].text
}
