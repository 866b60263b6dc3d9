// The measured code for restoring a stored index, in Node and in a page. The modules of the package are passed in.

/** `derived` is the index's storage; `now` returns milliseconds. */
export function packBench({ createVfs, memory, SearchIndex, BlockIndex }) {
  return async (files, derived, { rounds, now }) => {
    const vfs = createVfs(memory(Object.fromEntries(files.map(({ name, bytes }) => [`/${name}`, bytes]))))
    const kept = { sizeBytes: 0 }
    const storage = {
      load: () => derived.load(),
      save: bytes => {
        kept.sizeBytes = bytes.length
        return derived.save(bytes)
      },
    }
    const first = await SearchIndex.open(vfs, Infinity, { derived: storage })
    first.offer(files.map(({ name }) => `/${name}`))
    await first.settled()
    if (kept.sizeBytes === 0) throw new Error('the index was not stored')
    const buildMs = []
    const openMs = []
    for (let round = 0; round < rounds; round++) {
      const index = new BlockIndex()
      const startMs = await now()
      for (const { name, bytes } of files) index.addFile(`/${name}`, '1', bytes)
      const builtMs = await now()
      const { blocks } = await SearchIndex.open(vfs, Infinity, { derived: storage })
      openMs.push((await now()) - builtMs)
      buildMs.push(builtMs - startMs)
      if (blocks.fileCount !== files.length) throw new Error(`of ${files.length} files ${blocks.fileCount} were known`)
    }
    return { buildMs: Math.min(...buildMs), openMs: Math.min(...openMs), sizeBytes: kept.sizeBytes }
  }
}
