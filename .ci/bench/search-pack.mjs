// The cost of a reload for the index: restoring a stored one, compared with building it again; in Node from memory, and in a page from the
// browser's database. Both compare every file with the stored data, as a workspace does.
import { createServer } from 'node:http'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { browsers } from '../browsers.mjs'
import { root } from '../run-command.mjs'

export function reportPack({ buildMs, openMs, sizeBytes }, totalBytes, verdict, where = '') {
  verdict(`${where}T7 taking over a kept index, ms per MB of text`, openMs / (totalBytes / 1e6), 1)
  console.log(
    `${where}building it anew took ${(buildMs / (totalBytes / 1e6)).toFixed(2)} ms per MB, ${(buildMs / openMs).toFixed(1)} times as long; ` +
      `what is kept has ${((sizeBytes / totalBytes) * 100).toFixed(1)} % of the text`,
  )
}

export function inMemory() {
  let kept
  return {
    load: async () => kept?.slice(),
    async save(bytes) {
      kept = bytes.slice()
      return true
    },
  }
}

/** The same in a page. Wall time, because the database works in another process. */
export async function packInChromium(files, rounds) {
  const answers = {
    '/': ['text/html', '<!doctype html><script src="/page.js"></script>'],
    '/page.js': ['text/javascript', await pageScript()],
    '/corpus': ['application/octet-stream', Buffer.concat(files.map(({ bytes }) => bytes))],
    '/table': ['application/json', JSON.stringify(files.map(({ name, bytes }) => [name, bytes.length]))],
  }
  const server = createServer((request, response) => {
    const [type, body] = answers[request.url] ?? []
    response.writeHead(type === undefined ? 404 : 200, type === undefined ? {} : { 'content-type': type }).end(body)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { path } = browsers.find(({ name }) => name === 'Chromium')
  const browser = await chromium.launch({ executablePath: path, args: ['--js-flags=--max-old-space-size=4096'] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    return await page.evaluate(count => globalThis.bench(count), rounds)
  } finally {
    await browser.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

async function pageScript() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      resolveDir: `${root}.ci/bench`,
      contents: `
        import { packBench } from './search-pack-engine.mjs'
        import { createVfs } from '../../dist/vfs/create-vfs.js'
        import { memory } from '../../dist/backends/memory/index.js'
        import { SearchIndex } from '../../dist/session/search-index.js'
        import { createBlockIndex } from '../../dist/search/index/block-index.js'
        import { derivedDatabase } from '../../dist/backends/opfs/indexeddb/derived-database.js'
        globalThis.bench = async rounds => {
          const corpus = new Uint8Array(await (await fetch('/corpus')).arrayBuffer())
          let at = 0
          const files = (await (await fetch('/table')).json()).map(([name, length]) => ({ name, bytes: corpus.slice(at, (at += length)) }))
          const derived = derivedDatabase('bench', problem => { throw problem })
          return packBench({ createVfs, memory, SearchIndex, createBlockIndex })(files, derived, { rounds, now: () => performance.now() })
        }`,
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
