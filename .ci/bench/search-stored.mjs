// The same tool call on files that are stored in OPFS or in IndexedDB, beside files in memory, in a worker of Chromium: each search is the
// first of its workspace. Wall time, because a store works in other processes too; in turn.
import { bundled } from './bundle.mjs'
import { openCorpusPage } from './corpus-page.mjs'

/** For each kind of storage, its milliseconds for each query and round. */
export async function storedInChromium(files, queries, rounds, window) {
  const { page, close } = await openCorpusPage(files, { '/worker.js': ['text/javascript', await workerScript()] }, window)
  try {
    return await page.evaluate(
      given =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' })
          worker.addEventListener('message', ({ data }) =>
            data.error === undefined ? resolve(data) : reject(new Error(data.error)),
          )
          worker.addEventListener('error', event => reject(new Error(event.message)))
          worker.postMessage(given)
        }),
      { queries, rounds },
    )
  } finally {
    await close()
  }
}

function workerScript() {
  return bundled(`
    import { fetchCorpus } from './fetch-corpus.mjs'
    import { createWorkspace } from '../../dist/index.js'
    import { memory } from '../../dist/backends/memory/index.js'
    import { openOpfs } from '../../dist/backends/opfs/index.js'
    const openers = {
      memory: files => memory(Object.fromEntries(files)),
      opfs: () => openOpfs({ name: 'bench-opfs', storage: 'opfs' }),
      indexeddb: () => openOpfs({ name: 'bench-indexeddb', storage: 'indexeddb' }),
    }
    async function fill(fs, files) {
      const workspace = await createWorkspace({ fs, shell: 'none' })
      const ops = files.map(([path, data]) => ({ op: 'write', path: '/workspace/' + path, data, parents: true }))
      for (let at = 0; at < ops.length; at += 500) {
        for (const { path } of ops.slice(at, at + 500)) await workspace.fs.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true })
        for (const { path, data } of ops.slice(at, at + 500)) await workspace.fs.writeFile(path, data)
      }
      await workspace.dispose()
    }
    async function search(fs, query) {
      const workspace = await createWorkspace({ fs, shell: 'none', limits: { searchTimeoutMs: 60000 } })
      const tools = await workspace.toolset('atomic')
      await workspace.fs.exists('/workspace')
      const startMs = performance.now()
      const result = await tools.call('search', query)
      const ms = performance.now() - startMs
      if (result.isError) throw new Error(result.content[0].text)
      await workspace.dispose()
      return ms
    }
    async function run({ queries, rounds }) {
      const files = (await fetchCorpus()).map(({ name, bytes }) => [name, bytes])
      for (const kind of ['opfs', 'indexeddb']) await fill(await openers[kind](), files)
      const times = Object.fromEntries(Object.keys(openers).map(kind => [kind, queries.map(() => [])]))
      // The first round only compiles.
      for (let round = -1; round < rounds; round++)
        for (const [index, query] of queries.entries())
          for (const kind of Object.keys(openers)) {
            const ms = await search(await openers[kind](files), query)
            if (round >= 0) times[kind][index].push(ms)
          }
      return times
    }
    addEventListener('message', ({ data }) => run(data).then(postMessage, error => postMessage({ error: String(error.stack) })))`)
}
