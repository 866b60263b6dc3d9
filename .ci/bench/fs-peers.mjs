// The compared filesystems, each with its fastest way of doing the same: ours twice, beside the synchronous ones and beside the
// asynchronous ones. An operation that a peer lacks (keeping the tree as it is) is done as its users would have to.

/** Libraries are passed in, because a page gets them from a bundle. */
export function peersOf({ createWorkspace, memory, createVolume, zenfs, InMemoryFs }) {
  const ours = async () => (await createWorkspace({ fs: memory(), shell: 'none' })).fs
  return {
    sync: {
      async ours() {
        const vfs = await ours()
        const { sync } = vfs
        const snapshot = () => vfs.snapshot()
        return {
          name: 'ours',
          isSync: true,
          mkdirp: path => vfs.mkdir(path, { recursive: true }),
          write: (path, bytes) => sync.write(path, bytes),
          read: path => sync.read(path),
          stat: path => sync.lookup(path),
          list: path => sync.list(path),
          walk: path =>
            countBelow(
              path,
              directory => sync.list(directory),
              entry => entry.kind === 'directory',
            ),
          rename: (from, to) => sync.rename(from, to),
          append: (path, bytes) => sync.write(path, bytes, { append: true }),
          snapshot,
          remove: path => vfs.rm(path, { recursive: true }),
          overtaken: (files, now) => overtakenRenames(vfs, files.length, now),
          linked: (files, now) => firstWriteOfLinked(vfs, files, now),
        }
      },
      memfs: () => nodeSync('memfs', createVolume()),
      async zenfs() {
        return nodeSync('zenfs', await freshZenfs(zenfs))
      },
    },
    async: {
      async ours() {
        const vfs = await ours()
        return {
          name: 'ours',
          mkdirp: path => vfs.mkdir(path, { recursive: true }),
          write: (path, bytes) => vfs.writeFile(path, bytes),
          read: path => vfs.readFile(path),
          stat: path => vfs.stat(path),
          list: path => vfs.readdir(path),
          async walk(path) {
            let count = 0
            for await (const entry of vfs.walk(path)) if (entry.kind === 'file') count++
            return count
          },
          rename: (from, to) => vfs.rename(from, to),
          append: (path, bytes) => vfs.writeFile(path, bytes, { append: true }),
          snapshot: () => vfs.snapshot(),
          remove: path => vfs.rm(path, { recursive: true }),
        }
      },
      memfs: () => nodeAsync('memfs', createVolume().promises),
      async zenfs() {
        return nodeAsync('zenfs', (await freshZenfs(zenfs)).promises)
      },
      'just-bash'() {
        const fs = new InMemoryFs()
        const list = path => fs.readdirWithFileTypes(path)
        const uncopied = { write: (path, bytes) => fs.writeFile(path, bytes), read: path => fs.readFileBuffer(path) }
        return {
          name: 'just-bash',
          uncopied,
          mkdirp: path => fs.mkdir(path, { recursive: true }),
          // It stores the caller's array and returns its own, so a caller that changes or keeps an array must copy it.
          write: (path, bytes) => uncopied.write(path, bytes.slice()),
          read: async path => (await uncopied.read(path)).slice(),
          stat: path => fs.stat(path),
          list: path => fs.readdir(path),
          // Its list of all paths would be fastest, but contains no kinds.
          walk: path => countBelowAsync(path, list, entry => entry.isDirectory),
          rename: (from, to) => fs.mv(from, to),
          remove: path => fs.rm(path, { recursive: true }),
          snapshot: path =>
            copyAsync(
              path,
              list,
              entry => entry.isDirectory,
              async file => (await fs.readFileBuffer(file)).slice(),
            ),
        }
      },
    },
  }
}

/** A transaction of renames of one file, after another writer has committed: they are applied again to the newer tree. */
async function overtakenRenames(vfs, count, now) {
  await vfs.writeFile('/p/chained-0', 'x')
  const startedAt = now()
  await vfs.batch(async transaction => {
    for (let index = 0; index < count; index++) await transaction.rename(`/p/chained-${index}`, `/p/chained-${index + 1}`)
    await vfs.writeFile('/p/overtaking', 'y')
  })
  const tookMs = now() - startedAt
  await vfs.rm(`/p/chained-${count}`)
  return tookMs
}

/** The table of files with several names is copied once after each snapshot. */
async function firstWriteOfLinked(vfs, files, now) {
  for (const path of files) await vfs.link(path, `${path}-again`)
  const kept = await vfs.snapshot()
  const startedAt = now()
  await vfs.writeFile(files[0], 'changed')
  const tookMs = now() - startedAt
  if ((await kept.readFile(files[0])).length === 7) throw new Error('the snapshot changed')
  return tookMs
}

async function freshZenfs({ configure, InMemory, fs, umount, mounts }) {
  if (mounts.has('/')) umount('/')
  await configure({ mounts: { '/': InMemory } })
  return fs
}

function nodeSync(name, fs) {
  const list = path => fs.readdirSync(path, { withFileTypes: true })
  return {
    name,
    isSync: true,
    mkdirp: path => fs.mkdirSync(path, { recursive: true }),
    write: (path, bytes) => fs.writeFileSync(path, bytes),
    read: path => fs.readFileSync(path),
    stat: path => fs.statSync(path),
    list: path => fs.readdirSync(path),
    walk: path => countBelow(path, list, entry => entry.isDirectory()),
    rename: (from, to) => fs.renameSync(from, to),
    remove: path => fs.rmSync(path, { recursive: true }),
    // Compared with memfs alone: a peer that copied the file for each append would take hours.
    ...(name === 'memfs' ? { append: (path, bytes) => fs.appendFileSync(path, bytes) } : {}),
    snapshot(path) {
      const copy = new Map()
      const pending = [path]
      for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
        for (const entry of list(directory)) {
          const at = `${directory}/${entry.name}`
          if (entry.isDirectory()) pending.push(at)
          else copy.set(at, fs.readFileSync(at))
        }
      }
      return copy
    },
  }
}

function nodeAsync(name, fs) {
  const list = path => fs.readdir(path, { withFileTypes: true })
  return {
    name,
    mkdirp: path => fs.mkdir(path, { recursive: true }),
    write: (path, bytes) => fs.writeFile(path, bytes),
    read: path => fs.readFile(path),
    stat: path => fs.stat(path),
    list: path => fs.readdir(path),
    walk: path => countBelowAsync(path, list, entry => entry.isDirectory()),
    rename: (from, to) => fs.rename(from, to),
    remove: path => fs.rm(path, { recursive: true }),
    ...(name === 'memfs' ? { append: (path, bytes) => fs.appendFile(path, bytes) } : {}),
    snapshot: path =>
      copyAsync(
        path,
        list,
        entry => entry.isDirectory(),
        file => fs.readFile(file),
      ),
  }
}

function countBelow(root, list, isDirectory) {
  let count = 0
  const pending = [root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of list(directory)) {
      if (isDirectory(entry)) pending.push(`${directory}/${entry.name}`)
      else count++
    }
  }
  return count
}

async function countBelowAsync(root, list, isDirectory) {
  let count = 0
  const pending = [root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of await list(directory)) {
      if (isDirectory(entry)) pending.push(`${directory}/${entry.name}`)
      else count++
    }
  }
  return count
}

async function copyAsync(root, list, isDirectory, read) {
  const copy = new Map()
  const pending = [root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of await list(directory)) {
      const at = `${directory}/${entry.name}`
      if (isDirectory(entry)) pending.push(at)
      else copy.set(at, await read(at))
    }
  }
  return copy
}
