// Files that a server offers, read-only: names, sizes and modes come from a manifest, contents with the first read.

import { checkArguments } from '../../core/argument.ts'
import { AnchorageError, checkMember } from '../../core/errors.ts'
import { SizedLru } from '../../core/lru.ts'
import { dirname, maxNameBytes, rootPath, type VfsPath } from '../../core/path.ts'
import type { BackendRecipe, ReadRange, Stat, Usage, VfsBackend, VfsCaps, VfsSync } from '../../vfs/backend.ts'
import { makeDirectories } from '../../vfs/derived/make-directories.ts'
import { VfsError } from '../../vfs/error.ts'
import { vfsPath } from '../../vfs/input.ts'
import { callPrimitive, changingNames, mapWaiting, readingNames } from '../../vfs/port.ts'
import { refusedPrimitives } from '../../vfs/readonly.ts'
import { runNow } from '../../vfs/steps.ts'
import { sliced } from '../../vfs/tree/content.ts'
import { maxFileBytes } from '../../vfs/tree/caps.ts'
import { createTreeStore, type TreeStore } from '../../vfs/tree/store.ts'
import { download, type DownloadOptions, type HttpFetch, type Wanted } from './download.ts'
import { type HttpManifest, parseManifest } from './manifest.ts'
import { StallLimit } from './stall.ts'

export type { HttpFetch } from './download.ts'
export { type HttpFile, type HttpManifest, type HttpSymlink, manifestOf } from './manifest.ts'

/** Options of `http`. */
export interface HttpOptions {
  /** The manifest, or the address of its JSON. A relative address is relative to the page. */
  readonly manifest: HttpManifest | string | URL
  /** What the addresses of files are relative to; default the directory that the manifest's address is in. */
  readonly base?: string | URL | undefined
  /** In place of the platform's, for headers or a test. A filesystem with one cannot be sent to a worker. */
  readonly fetch?: HttpFetch | undefined
  /** The name of the browser's cache that keeps contents between visits; default `anchorage-http`. `false` keeps nothing. */
  readonly cache?: string | false | undefined
  /** A download that brings no byte for so many milliseconds is ended with EIO; default 60,000. */
  readonly stallMs?: number | undefined
}

/** So many bytes of contents stay in memory. */
const recentBytes = 64 * 1024 * 1024

const caps: VfsCaps = {
  sync: false,
  persistent: true,
  readonly: true,
  symlinks: 'native',
  hardlinks: false,
  mode: true,
  mtime: 'exact',
  atomicWrite: true,
  atomicRename: true,
  transactions: false,
  snapshots: false,
  watch: 'none',
  ranges: true,
  caseSensitive: true,
  maxNameBytes,
  maxFileBytes,
}

/**
 * A read-only filesystem over `fetch`. Opening costs one request, for the manifest; a content is loaded with its first read, checked
 * against its size and SHA-256, and kept in the browser's cache, from where it is read when the network is gone. Below an `overlay` it
 * opens a large project that can be edited at once. Paths of the manifest lie below the workspace's root. Errors: EROFS for whatever writes; EIO for a content that cannot be loaded or is not
 * the one of the manifest, with the address; `bad-manifest` for a manifest that cannot be used.
 *
 * ```ts
 * const workspace = await createWorkspace({ fs: overlay(http({ manifest: '/project/manifest.json' })) })
 * ```
 */
export function http(options: HttpOptions): VfsBackend {
  checkArguments('http', [options], [{ needs: ['manifest', 'base', 'fetch', 'cache', 'stallMs'] }])
  const { manifest, cache = 'anchorage-http', stallMs = 60_000, fetch } = options
  const manifestUrl =
    typeof manifest === 'string' || manifest instanceof URL ? absoluteUrl(manifest, undefined, 'manifest') : undefined
  const base = absoluteUrl(options.base ?? '.', manifestUrl, 'base')
  const recipe: BackendRecipe = { kind: 'http', manifest: manifestUrl ?? manifest, base, cache, stallMs }
  const files = new HttpFiles({
    manifest: manifestUrl ?? parseManifest(manifest),
    base,
    download: {
      fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
      cacheName: cache === false ? undefined : cache,
      stallMs,
    },
  })
  return {
    ...mapWaiting(readingNames, async (name, args) => callPrimitive((await files.opened()).tree.fs, name, args)),
    ...mapWaiting(changingNames, async (name, args) => callPrimitive(refusedPrimitives, name, args)),
    lookup: (path, lookupOptions) => files.lookup(path, lookupOptions),
    read: (path, range) => files.read(path, range),
    caps,
    ...(fetch === undefined ? { recipe } : {}),
    placeFiles: root => files.place(root),
    flush: async () => {},
    close: async () => {},
    usage: () => files.usage(),
  }
}

function absoluteUrl(address: string | URL, base: string | undefined, option: string): string {
  const page: string | undefined = globalThis.location?.href
  try {
    return new URL(address, base ?? page).href
  } catch (cause) {
    const text = JSON.stringify(String(address))
    throw new AnchorageError(
      'bad-address',
      `The option "${option}" of http is ${text}, which is not an absolute address. Give one.`,
      { cause },
    )
  }
}

/** The options of a recipe that {@link http} made. Throws `AnchorageError` `bad-recipe` or `bad-manifest`. */
export function parseHttpOptions(recipe: BackendRecipe): HttpOptions {
  checkMember('parseHttpOptions', recipe, 'kind', 'the recipe of a filesystem')
  const { manifest, base, cache, stallMs } = recipe
  const isCache = cache === undefined || cache === false || typeof cache === 'string'
  if (typeof base === 'string' && isCache && typeof stallMs === 'number')
    return { manifest: typeof manifest === 'string' ? manifest : parseManifest(manifest), base, cache, stallMs }
  throw new AnchorageError(
    'bad-recipe',
    'The recipe of an http filesystem is not complete. Next: pass a filesystem that `http` made.',
  )
}

interface Source {
  readonly manifest: HttpManifest | string
  readonly base: string
  readonly download: DownloadOptions
}

/** The names as a tree of empty files, and what each file holds, by inode number. */
interface Opened {
  readonly tree: TreeStore
  readonly contents: ReadonlyMap<number, Wanted>
}

/** The manifest, loaded once, and the contents that were read lately. */
class HttpFiles {
  readonly #source: Source
  readonly #recent = new SizedLru<string, Uint8Array>(recentBytes)
  readonly #loading = new Map<string, Promise<Uint8Array>>()
  #root: VfsPath = rootPath
  #opening: Promise<Opened> | undefined

  constructor(source: Source) {
    this.#source = source
  }

  place(root: VfsPath): void {
    if (this.#opening !== undefined && root !== this.#root) {
      throw new AnchorageError(
        'files-placed',
        `The files lie below '${this.#root}' already. Make another filesystem for '${root}'.`,
      )
    }
    this.#root = root
  }

  opened(): Promise<Opened> {
    this.#opening ??= openFiles(this.#source, this.#root).catch((error: unknown) => {
      // The network may be back for the next operation.
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async lookup(path: VfsPath, options?: { readonly follow?: boolean }): Promise<Stat> {
    const { tree, contents } = await this.opened()
    const stat = tree.fs.lookup(path, options)
    return { ...stat, sizeBytes: contents.get(stat.ino)?.sizeBytes ?? stat.sizeBytes }
  }

  async read(path: VfsPath, range: ReadRange = {}): Promise<Uint8Array> {
    const { tree, contents } = await this.opened()
    // Fails as a read of the empty file does: EISDIR, ENOENT, ELOOP.
    const empty = tree.fs.read(path)
    const wanted = contents.get(tree.fs.lookup(path).ino)
    return sliced(wanted === undefined ? empty : await this.#load(wanted), range, path)
  }

  async usage(): Promise<Usage> {
    const { tree, contents } = await this.opened()
    const sizes = [...contents.values()].map(({ sizeBytes }) => sizeBytes)
    return { bytes: sizes.reduce((total, size) => total + size, 0), nodes: tree.tree.nodeCount }
  }

  async #load(wanted: Wanted): Promise<Uint8Array> {
    const { url } = wanted
    const known = this.#recent.get(url)
    if (known !== undefined) return known
    // Two readers of one file share a download.
    const underway = this.#loading.get(url) ?? download(wanted, this.#source.download).finally(() => this.#loading.delete(url))
    this.#loading.set(url, underway)
    const bytes = await underway
    this.#recent.set(url, bytes, bytes.length)
    return bytes
  }
}

async function openFiles({ manifest, base, download: { fetch, stallMs } }: Source, root: VfsPath): Promise<Opened> {
  const { files } = typeof manifest === 'string' ? await loadManifest(manifest, fetch, stallMs) : manifest
  const tree = createTreeStore(() => 0)
  const contents = new Map<number, Wanted>()
  for (const [name, entry] of Object.entries(files)) {
    const path = vfsPath(name, 'open', root)
    const stat = addEntry(tree.fs, path, entry)
    if (entry === null || 'symlink' in entry) continue
    const url = new URL(entry.url ?? encodedPath(name), base).href
    contents.set(stat.ino, { path, url, sizeBytes: entry.sizeBytes, sha256: entry.sha256 })
  }
  return { tree, contents }
}

function addEntry(fs: VfsSync, path: VfsPath, entry: HttpManifest['files'][string]): Stat {
  if (entry === null) runNow(makeDirectories({ sync: fs }, path))
  else if ('symlink' in entry) {
    runNow(makeDirectories({ sync: fs }, dirname(path)))
    fs.symlink(entry.symlink, path)
  } else {
    fs.write(path, new Uint8Array(), { parents: true, create: 'exclusive', mode: entry.mode })
    if (entry.mtimeMs !== undefined) fs.setattr(path, { mtimeMs: entry.mtimeMs })
  }
  return fs.lookup(path, { follow: false })
}

/** A name may hold `?`, `#` and `%`, which mean something else in an address. */
function encodedPath(name: string): string {
  return `./${name.split('/').map(encodeURIComponent).join('/')}`
}

async function loadManifest(url: string, fetch: HttpFetch, stallMs: number): Promise<HttpManifest> {
  const limit = new StallLimit(stallMs)
  let value: unknown
  try {
    const response = await fetch(url, { signal: limit.signal })
    if (!response.ok) throw new Error(`the server answered ${response.status}`)
    value = JSON.parse(new TextDecoder().decode(await limit.bodyOf(response)))
  } catch (cause) {
    throw new VfsError('EIO', 'open', {
      path: rootPath,
      hint: `the manifest ${url} could not be loaded: ${limit.reasonOf(cause)}; check the address and try again`,
      cause,
    })
  } finally {
    limit.end()
  }
  return parseManifest(value)
}
