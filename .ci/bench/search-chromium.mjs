// The same searches in a page, where workspaces usually run: a page with the corpus, which receives one query at a time, so that native
// ripgrep can run in turns with it.
import { bundled } from './bundle.mjs'
import { openCorpusPage } from './corpus-page.mjs'

/**
 * `wasm` is ripgrep's module as bytes. With `isCpuTime`, times are those of the page's thread, without other processes. Close the result.
 */
export async function openPage(files, wasm, { isCpuTime }) {
  const { browser, page, close } = await openCorpusPage(files, {
    '/page.js': ['text/javascript', await pageScript()],
    '/wasm': ['application/wasm', wasm],
  })
  try {
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

function pageScript() {
  return bundled(`
    import { fetchCorpus } from './fetch-corpus.mjs'
    import { engineOf, vsCodeShape } from './search-engine.mjs'
    import { ripgrepInMemory } from './search-wasm.mjs'
    import { compilePattern } from '../../src/search/pattern.ts'
    import { searchBytes } from '../../src/search/matcher.ts'
    import { BlockIndex } from '../../src/search/index/block-index.ts'
    import { createVfs } from '../../src/vfs/create-vfs.ts'
    import { asInput, borrow } from '../../src/vfs/borrow.ts'
    import { memory } from '../../src/backends/memory/index.ts'
    const engine = engineOf({ compilePattern, searchBytes, BlockIndex, createVfs, memory, borrow, asInput })
    const now = () => performance.now()
    let files, search, index, wasmRipgrep
    const timed = work => { const startMs = now(); const value = work(); return { ms: now() - startMs, value } }
    globalThis.loadCorpus = async () => {
      files = await fetchCorpus()
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
    globalThis.answer = (kind, query) => timed(() => answers[kind](query))`)
}
