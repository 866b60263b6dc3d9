// The cost of a reload for the index: restoring a stored one, compared with building it again; in Node from memory, and in a page from the
// browser's database. Both compare every file with the stored data, as a workspace does.
import { bundled } from './bundle.mjs'
import { openCorpusPage } from './corpus-page.mjs'

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
  const { page, close } = await openCorpusPage(files, { '/page.js': ['text/javascript', await pageScript()] })
  try {
    return await page.evaluate(count => globalThis.bench(count), rounds)
  } finally {
    await close()
  }
}

function pageScript() {
  return bundled(`
    import { fetchCorpus } from './fetch-corpus.mjs'
    import { packBench } from './search-pack-engine.mjs'
    import { createVfs } from '../../src/vfs/create-vfs.ts'
    import { memory } from '../../src/backends/memory/index.ts'
    import { SearchIndex } from '../../src/session/search-index.ts'
    import { BlockIndex } from '../../src/search/index/block-index.ts'
    import { derivedDatabase } from '../../src/backends/opfs/indexeddb/derived-database.ts'
    globalThis.bench = async rounds => {
      const derived = derivedDatabase('bench', problem => { throw problem })
      return packBench({ createVfs, memory, SearchIndex, BlockIndex })(await fetchCorpus(), derived, { rounds, now: () => performance.now() })
    }`)
}
