// The same searches in a page, where the workspace lives: a page with the corpus, asked for one query at a time, so that native
// ripgrep can be asked in turn with it.
import { createServer } from 'node:http'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { browsers } from '../browsers.mjs'
import { root } from '../run-command.mjs'

/** `wasm` is ripgrep's module as bytes. Close what comes back. */
export async function openPage(files, wasm) {
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
    const index = await page.evaluate(() => globalThis.loadCorpus())
    return { version: browser.version(), index, ask: query => page.evaluate(given => globalThis.askQuery(given), query), close }
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
          const built = engine.buildIndex(files, now)
          index = built.index
          wasmRipgrep = ripgrepInMemory(await WebAssembly.compile(await (await fetch('/wasm')).arrayBuffer()), files)
          return { buildMs: built.buildMs, sizeBytes: index.sizeBytes() }
        }
        globalThis.askQuery = ({ pattern, pageFiles, asksWasm, asksVsCode }) => ({
          cold: timed(() => search(pattern)),
          warm: timed(() => search(pattern, { index })),
          page: timed(() => search(pattern, { index, maxMatchingFiles: pageFiles })),
          wasm: asksWasm ? timed(() => wasmRipgrep(['-n', '--hidden', '--no-config', '--crlf', '-e', pattern])) : undefined,
          vsCode: asksVsCode ? timed(() => vsCodeShape(files, pattern)) : undefined,
        })`,
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
