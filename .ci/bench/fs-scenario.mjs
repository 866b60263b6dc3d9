// The operations that every filesystem performs, in Node and in a page. A peer is synchronous or asynchronous; the loops are written twice,
// so that the synchronous ones do not pay for promises.

const filesPerDirectory = 20
/** At most. */
const renamedFiles = 1000
const writtenTogether = 1000
/** The maximum number of reading passes, and the time after which no further pass starts. */
const readingPasses = 3
const readingEnoughMs = 1000

export const rows = [
  { id: 'write', what: 'write a new file', per: 'file' },
  { id: 'read', what: 'read a file', per: 'file' },
  { id: 'stat', what: 'stat a file', per: 'file' },
  { id: 'list', what: 'list every directory', per: 'directory' },
  { id: 'walk', what: 'walk the tree, with kinds', per: 'file' },
  { id: 'rename', what: `rename a directory of ≤ ${renamedFiles} files`, per: 'call' },
  { id: 'snapshot', what: 'keep the tree as it is now', per: 'call' },
  { id: 'append', what: 'append 64 bytes to one file', per: 'file' },
  { id: 'overtaken', what: 'rename a file n times, overtaken', per: 'file' },
  { id: 'linked', what: 'write after a snapshot, n linked', per: 'file' },
  { id: 'remove', what: 'remove the tree, as rm -rf', per: 'file' },
]

export function planOf(fileCount, fileBytes) {
  const directories = []
  const files = []
  for (let index = 0; index < fileCount; index++) {
    const directory = `/p/d${Math.floor(index / filesPerDirectory / 10)}/e${Math.floor(index / filesPerDirectory) % 10}`
    if (index % filesPerDirectory === 0) directories.push(directory)
    files.push(`${directory}/file-${index % filesPerDirectory}.ts`)
  }
  const renamed = Array.from({ length: Math.min(fileCount, renamedFiles) }, (_, index) => `/p/renamed/f${index}`)
  const content = new Uint8Array(fileBytes).map((_, index) => 32 + (index % 90))
  return { directories, files, renamed, content }
}

/**
 * One run of everything on a fresh filesystem: milliseconds by row. `fs` is the result of a peer's `open`; `settle` cleans up after one row
 * before the next begins.
 */
export async function run(fs, plan, { now, settle }) {
  const { content } = plan
  const ms = {}
  const pass = async work => {
    const startedAt = now()
    const result = fs.isSync ? await work.sync() : await work.async()
    return { result, tookMs: now() - startedAt }
  }
  /** Operations that change nothing are repeated, and the best time counts, because the first pass also includes compilation. */
  const reading = async (id, work) => {
    let last
    for (let passes = 0, spentMs = 0; passes < readingPasses && spentMs < readingEnoughMs; passes++) {
      await settle()
      const { result, tookMs } = await pass(work)
      ms[id] = Math.min(tookMs, ms[id] ?? Infinity)
      spentMs += tookMs
      last = result
    }
    return last
  }
  const each = (items, act) => ({
    sync() {
      for (const item of items) act(item)
    },
    async async() {
      for (const item of items) await act(item)
    },
  })
  /** The total amount that is returned, so that nothing can be skipped. */
  const total = (items, act) => ({
    sync() {
      let length = 0
      for (const item of items) length += act(item).length
      return length
    },
    async async() {
      let length = 0
      for (const item of items) length += (await act(item)).length
      return length
    },
  })
  const once = act => ({ sync: act, async: act })

  for (const directory of [...plan.directories, '/p/renamed']) await fs.mkdirp(directory)
  // Each gets a new array, as from an encoder. Otherwise a filesystem that keeps the caller's array would store one array for all files.
  ms.write = 0
  for (let start = 0; start < plan.files.length; start += writtenTogether) {
    const together = plan.files.slice(start, start + writtenTogether).map(path => [path, content.slice()])
    ms.write += (await pass(each(together, ([path, bytes]) => fs.write(path, bytes)))).tookMs
  }
  const readBytes = await reading(
    'read',
    total(plan.files, path => fs.read(path)),
  )
  await reading(
    'stat',
    each(plan.files, path => fs.stat(path)),
  )
  const listed = await reading(
    'list',
    total(plan.directories, path => fs.list(path)),
  )
  const walked = await reading(
    'walk',
    once(() => fs.walk('/p')),
  )
  for (const path of plan.renamed) await fs.write(path, content.subarray(0, 64))
  let [from, to] = ['/p/renamed', '/p/moved']
  ms.rename = await msPerCall(now, async () => {
    await fs.rename(from, to)
    ;[from, to] = [to, from]
  })
  let kept
  ms.snapshot = await msPerCall(now, async () => {
    kept = await fs.snapshot('/p')
  })
  // Not every peer has the rest.
  if (fs.append !== undefined) {
    const line = content.subarray(0, 64)
    await fs.write('/p/log', line.slice())
    await settle()
    ms.append = (await pass(each(plan.files, () => fs.append('/p/log', line)))).tookMs
    const { length } = await fs.read('/p/log')
    if (length !== (plan.files.length + 1) * line.length) throw new Error(`${fs.name}: appended ${length} bytes`)
  }
  for (const id of ['overtaken', 'linked']) {
    await settle()
    if (fs[id] !== undefined) ms[id] = await fs[id](plan.files, now)
  }
  await settle()
  ms.remove = (await pass(once(() => fs.remove('/p')))).tookMs
  // A filesystem that does less than requested must not look fast.
  const expected = plan.files.length
  if (readBytes !== expected * content.length || listed !== expected || walked < expected || kept === undefined) {
    throw new Error(`${fs.name}: read ${readBytes} bytes, listed ${listed}, walked ${walked} of ${expected} files`)
  }
  return ms
}

/**
 * The cost of copying alone: for writing, into an array that is kept; for reading, into one that is dropped. A filesystem that neither
 * keeps a caller's array nor returns its own cannot be faster.
 */
export async function floorOf(plan, { now, settle }) {
  const { content } = plan
  const kept = []
  let writeMs = 0
  for (let start = 0; start < plan.files.length; start += writtenTogether) {
    const together = plan.files.slice(start, start + writtenTogether).map(() => content.slice())
    const startedAt = now()
    for (const bytes of together) kept.push(bytes.slice())
    writeMs += now() - startedAt
  }
  await settle()
  let readBytes = 0
  const startedAt = now()
  for (const bytes of kept) readBytes += bytes.slice().length
  const readMs = now() - startedAt
  if (readBytes !== plan.files.length * content.length) throw new Error('the floor copied something else')
  return { write: writeMs, read: readMs }
}

/** For calls of any duration: repeated often enough to be measured, at least once. */
async function msPerCall(now, act) {
  const startedAt = now()
  let count = 0
  do {
    await act()
    count++
  } while (now() - startedAt < 20)
  return (now() - startedAt) / count
}

/** How often an operation of a row was done in one run. */
export function countOf({ per }, plan) {
  return per === 'file' ? plan.files.length : per === 'directory' ? plan.directories.length : 1
}
