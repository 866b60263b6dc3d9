// The stand-in's `fs` and its import and export of trees: a filesystem of ours behind the functions of the service's wire. Paths are
// resolved inside the working directory and cannot leave it.

import { joinPath, parsePath, resolveDotDot, type VfsPath } from '../../core/path.ts'
import { compileGlob } from '../../search/glob.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { encodeSnapshot, type SnapshotEntry } from './msgpack.ts'
import { moved, remote, type Exposed } from './numeric-wire.ts'
import { delay, type Quirks } from './quirks.ts'

export const workdir: VfsPath = parsePath('/home/project')

/** Where the client's path leads: `..` stops at the working directory. */
export function insideWorkdir(path: unknown): VfsPath {
  const inner = resolveDotDot(parsePath(`/${typeof path === 'string' ? path : ''}`))
  return inner === '/' ? workdir : joinPath(workdir, inner.slice(1))
}

const encoder = new TextEncoder()
const fileType = 1
const directoryType = 2

export function fileFunctions(fs: Vfs, quirks: Quirks): Exposed {
  const typeOf = (kind: string): number => {
    if (kind === 'directory') return directoryType
    return kind === 'symlink' && quirks.has('no-symlink-in-dirent') ? 3 : fileType
  }
  return {
    async readFile(path: unknown, encoding: unknown) {
      const bytes = await fs.readFile(insideWorkdir(path))
      return encoding === undefined || encoding === null ? moved(new Uint8Array(bytes)) : new TextDecoder().decode(bytes)
    },
    async writeFile(path: unknown, data: unknown) {
      const target = insideWorkdir(path)
      await fs.writeFile(target, data instanceof Uint8Array ? data : encoder.encode(String(data)))
    },
    async readdir(path: unknown, options: unknown) {
      const entries = await fs.readdir(insideWorkdir(path))
      if (field(options, 'withFileTypes') !== true) return entries.map(({ name }) => name)
      return entries.map(({ name, kind }) => ({ name, 'Symbol(type)': typeOf(kind) }))
    },
    mkdir: (path: unknown, options: unknown) =>
      fs.mkdir(insideWorkdir(path), { recursive: field(options, 'recursive') === true }),
    rm: (path: unknown, options: unknown) =>
      fs.rm(insideWorkdir(path), { recursive: field(options, 'recursive') === true, force: field(options, 'force') === true }),
    async rename(from: unknown, to: unknown) {
      const target = insideWorkdir(to)
      if (quirks.has('rename-refuses-existing') && (await fs.exists(target)))
        throw new VfsError('EEXIST', 'rename', { path: target })
      await fs.rename(insideWorkdir(from), target)
    },
    async watch(path: unknown, _options: unknown, listener: unknown) {
      if (quirks.has('slow-watch')) await delay(20)
      const root = insideWorkdir(path)
      const end = await fs.watch(root, ({ changes }) => {
        if (typeof listener !== 'function') return
        for (const { type, path: changed } of changes)
          listener(type === 'modify' || type === 'attributes' ? 'change' : 'rename', changed.slice(root.length + 1))
      })
      return remote({ close: end })
    },
  }
}

/** `mount`: merges a tree into the existing files. Only JSON is supported here, not MessagePack. */
export async function loadFiles(fs: Vfs, payload: unknown, mountPoint: unknown): Promise<void> {
  if (!(payload instanceof Uint8Array)) throw new TypeError('mount takes bytes')
  const root = insideWorkdir(mountPoint)
  if (!(await fs.exists(root))) throw new VfsError('ENOENT', 'mount', { path: root })
  if (payload[0] !== 0x7b) throw new TypeError('the stand-in mounts trees, not binary snapshots')
  await load(fs, root, JSON.parse(new TextDecoder().decode(payload)))
}

async function load(fs: Vfs, at: VfsPath, entry: unknown): Promise<void> {
  const children = field(entry, 'd')
  if (typeof children === 'object' && children !== null) {
    await fs.mkdir(at, { recursive: true })
    for (const [name, child] of Object.entries(children)) await load(fs, joinPath(at, name), child)
    return
  }
  const file = field(entry, 'f')
  const link = field(file, 'l')
  if (typeof link === 'string') {
    await fs.rm(at, { force: true })
    await fs.symlink(link, at)
    return
  }
  const content = String(field(file, 'c'))
  const bytes = field(file, 'b') === true ? Uint8Array.from(content, unit => unit.charCodeAt(0)) : encoder.encode(content)
  await fs.writeFile(at, bytes)
}

/** `export` as MessagePack. A directory in `excludes` is left out with its entries; `dir/**` leaves an empty directory. */
export async function serialize(fs: Vfs, path: unknown, options: unknown): Promise<unknown> {
  const root = insideWorkdir(path)
  const format = field(options, 'format')
  if (format !== 'binary') throw new TypeError(`the stand-in exports binary snapshots, not ${String(format)}`)
  const excludes = field(options, 'excludes')
  const globs = (Array.isArray(excludes) ? excludes : []).map(pattern => matcherOf(String(pattern)))
  const isExcluded = (at: VfsPath): boolean => globs.some(matches => matches(at.slice(root.length + 1)))
  return moved(encodeSnapshot(await entryAt(fs, root, isExcluded)))
}

async function entryAt(fs: Vfs, at: VfsPath, isExcluded: (path: VfsPath) => boolean): Promise<SnapshotEntry> {
  const { kind } = await fs.lstat(at)
  if (kind === 'symlink') return { f: { l: await fs.readlink(at) } }
  if (kind === 'file') return { f: { c: await fs.readFile(at) } }
  // Without a prototype, because a file may be named __proto__.
  const children: Record<string, SnapshotEntry> = Object.create(null)
  for (const { name } of await fs.readdir(at)) {
    const child = joinPath(at, name)
    if (!isExcluded(child)) children[name] = await entryAt(fs, child, isExcluded)
  }
  return { d: children }
}

function matcherOf(pattern: string): (path: string) => boolean {
  const glob = compileGlob(pattern)
  if (glob.kind === 'error') throw new TypeError(glob.message)
  return glob.matches
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
