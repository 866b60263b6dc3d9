// The objects of a repository: loose ones, packs, and the object directories in `info/alternates`. New objects stay in memory
// until `flush`: so a command that fails has written nothing, and many objects become one pack.

import { SizedLru } from '../../core/lru.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { isVfsError } from '../../vfs/error.ts'
import { fatal } from '../errors.ts'
import type { GitFiles } from '../files.ts'
import { inflate, InflateError } from './inflate.ts'
import {
  type Commit,
  type GitObject,
  isObjectType,
  type ObjectId,
  type ObjectType,
  parseCommit,
  parseTag,
  parseTree,
  type Tag,
  type TreeEntry,
  emptyTreeId,
} from './object-format.ts'
import { Pack } from './pack.ts'
import { Sha1 } from './sha1.ts'

/** Up to this number, new objects are written one by one. */
const looseMaxCount = 100
const pendingMaxBytes = 64 << 20
const maxAlternates = 32
/** Limit for a loose object, which is inflated in memory as a whole. */
const looseMaxBytes = 1 << 30

/** The id that an object of these bytes has. */
export function hashObject(type: ObjectType, bytes: Uint8Array): ObjectId {
  return new Sha1()
    .update(encodeText(`${type} ${bytes.length}\0`))
    .update(bytes)
    .hex()
}

export class ObjectStore {
  readonly #files: GitFiles
  /** The object directories, the repository's own first. */
  #directories: Promise<readonly string[]> | undefined
  readonly #own: string
  readonly #pending = new Map<ObjectId, GitObject>()
  #pendingBytes = 0
  readonly #packs = new Map<string, Pack>()
  readonly #looked = new Set<string>()
  /** By object directory: which of the directories for loose objects exist. Only `write` believes it, where a stale answer costs a copy. */
  readonly #fanOuts = new Map<string, ReadonlySet<string>>()
  readonly #trees = new SizedLru<ObjectId, readonly TreeEntry[]>(32 << 20)
  readonly #commits = new SizedLru<ObjectId, Commit>(32 << 20)
  readonly #replacements: ReadonlyMap<ObjectId, ObjectId>
  #readCut: () => Promise<ReadonlySet<ObjectId>> = () => Promise.resolve(new Set())
  #cut: ReadonlySet<ObjectId> | undefined

  /** `replacements`: what is read in the place of an object. */
  constructor(files: GitFiles, directory: string, replacements: ReadonlyMap<ObjectId, ObjectId> = new Map()) {
    this.#files = files
    this.#own = directory
    this.#replacements = replacements
  }

  /** `undefined` if there is none. Rejects with a `fatal:` message for a corrupt one. */
  read(oid: ObjectId): Promise<GitObject | undefined> {
    return this.#readStored(this.#replacements.get(oid) ?? oid)
  }

  isReplaced(oid: ObjectId): boolean {
    return this.#replacements.has(oid)
  }

  async #readStored(oid: ObjectId): Promise<GitObject | undefined> {
    const waiting = this.#pending.get(oid)
    if (waiting !== undefined) return waiting
    if (oid === emptyTreeId) return { type: 'tree', bytes: new Uint8Array() }
    return (
      (await this.#readPacked(oid)) ??
      (await this.#readLoose(oid)) ??
      ((await this.#lookForPacks()) ? await this.#readPacked(oid) : undefined)
    )
  }

  /** Rejects if it is missing or has another type. */
  async readAs(oid: ObjectId, type: ObjectType): Promise<Uint8Array> {
    const object = await this.read(oid)
    if (object === undefined) throw fatal(`unable to read ${oid}`)
    if (object.type !== type) throw fatal(`object ${oid} is a ${object.type}, not a ${type}`)
    return object.bytes
  }

  async readTree(oid: ObjectId): Promise<readonly TreeEntry[]> {
    const known = this.#trees.get(oid)
    if (known !== undefined) return known
    const bytes = await this.readAs(oid, 'tree')
    const entries = parseTree(bytes, oid)
    this.#trees.set(oid, entries, bytes.length * 4 + 100)
    return entries
  }

  /** The commits at which a shallow history ends; their parents are not here. They are read once, when they are first needed. */
  cutAt(read: () => Promise<ReadonlySet<ObjectId>>): void {
    this.#readCut = read
    this.#cut = undefined
  }

  async readCommit(oid: ObjectId): Promise<Commit> {
    const commit = this.#commits.get(oid) ?? (await this.#readWholeCommit(oid))
    if (commit.parents.length === 0) return commit
    this.#cut ??= await this.#readCut()
    return this.#cut.has(oid) ? { ...commit, parents: [], storedParents: commit.parents } : commit
  }

  async #readWholeCommit(oid: ObjectId): Promise<Commit> {
    const bytes = await this.readAs(oid, 'commit')
    const commit = parseCommit(bytes, oid)
    this.#commits.set(oid, commit, bytes.length * 2 + 200)
    return commit
  }

  async readTag(oid: ObjectId): Promise<Tag> {
    return parseTag(await this.readAs(oid, 'tag'), oid)
  }

  async readBlob(oid: ObjectId): Promise<Uint8Array> {
    return this.readAs(oid, 'blob')
  }

  async has(oid: ObjectId): Promise<boolean> {
    return this.#pending.has(oid) || oid === emptyTreeId || (await this.#isStored(oid))
  }

  async #isStored(oid: ObjectId): Promise<boolean> {
    if (this.#packOf(oid) !== undefined) return true
    for (const directory of await this.#allDirectories()) {
      if ((await this.#files.lstat(loosePath(directory, oid))) !== undefined) return true
    }
    return (await this.#lookForPacks()) && this.#packOf(oid) !== undefined
  }

  /** Like `#isStored`, without a failing look-up for each of thousands of new objects. */
  async #isStoredForWrite(oid: ObjectId): Promise<boolean> {
    if (this.#looked.size === 0) await this.#lookForPacks()
    if (this.#packOf(oid) !== undefined) return true
    for (const directory of await this.#allDirectories()) {
      let fanOut = this.#fanOuts.get(directory)
      if (fanOut === undefined) {
        fanOut = new Set((await this.#files.list(directory)).map(({ name }) => name))
        this.#fanOuts.set(directory, fanOut)
      }
      if (fanOut.has(oid.slice(0, 2)) && (await this.#files.lstat(loosePath(directory, oid))) !== undefined) return true
    }
    return false
  }

  /** The IDs that begin with `prefix`, at least 4 digits, in order. */
  async expand(prefix: string): Promise<readonly ObjectId[]> {
    await this.#lookForPacks()
    const found = new Set<ObjectId>()
    for (const oid of this.#pending.keys()) if (oid.startsWith(prefix)) found.add(oid)
    for (const pack of this.#packs.values()) for (const oid of pack.idsFrom(prefix)) found.add(oid)
    for (const directory of await this.#allDirectories()) {
      for (const { name } of await this.#files.list(`${directory}/${prefix.slice(0, 2)}`)) {
        const oid = prefix.slice(0, 2) + name
        if (name.length === 38 && oid.startsWith(prefix)) found.add(oid)
      }
    }
    return [...found].sort()
  }

  /** Every id, in no order. */
  async all(): Promise<ReadonlySet<ObjectId>> {
    await this.#lookForPacks()
    const found = new Set(this.#pending.keys())
    for (const pack of this.#packs.values()) for (const oid of pack.ids()) found.add(oid)
    for (const directory of await this.#allDirectories()) {
      for (const { name } of await this.#files.list(directory)) {
        if (!/^[0-9a-f]{2}$/.test(name)) continue
        for (const file of await this.#files.list(`${directory}/${name}`))
          if (file.name.length === 38) found.add(name + file.name)
      }
    }
    return found
  }

  /** Stores an object at the next `flush`. It can be read at once. */
  async write(type: ObjectType, bytes: Uint8Array): Promise<ObjectId> {
    const oid = hashObject(type, bytes)
    // The empty tree is known without being stored; real git requires it to be stored if something refers to it.
    if (this.#pending.has(oid) || (await this.#isStoredForWrite(oid))) return oid
    this.#pending.set(oid, { type, bytes: bytes.slice() })
    this.#pendingBytes += bytes.length
    if (this.#pendingBytes > pendingMaxBytes) await this.flush()
    return oid
  }

  /** Keeps an object only in memory, for example a virtual merge base. */
  keep(type: ObjectType, bytes: Uint8Array): ObjectId {
    const oid = hashObject(type, bytes)
    this.#pending.set(oid, { type, bytes })
    return oid
  }

  /** Writes the new objects. Only then may references name them. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return
    const { vfs } = this.#files
    // Most commands only read.
    const { looseFile, writePack } = await import('./object-files.ts')
    if (this.#pending.size <= looseMaxCount) {
      for (const [oid, object] of this.#pending) await writeNew(vfs, loosePath(this.#own, oid), looseFile(object))
    } else {
      const { name, pack, index } = writePack(this.#pending)
      await writeNew(vfs, `${this.#own}/pack/pack-${name}.pack`, pack)
      // Readers look for the index, so it is written last.
      await writeNew(vfs, `${this.#own}/pack/pack-${name}.idx`, index)
    }
    this.#pending.clear()
    this.#pendingBytes = 0
    this.#fanOuts.clear()
  }

  #packOf(oid: ObjectId): { readonly pack: Pack; readonly offset: number } | undefined {
    for (const pack of this.#packs.values()) {
      const offset = pack.offsetOf(oid)
      if (offset !== undefined) return { pack, offset }
    }
    return undefined
  }

  async #readPacked(oid: ObjectId): Promise<GitObject | undefined> {
    if (this.#looked.size === 0) await this.#lookForPacks()
    const found = this.#packOf(oid)
    return found?.pack.read(found.offset, base => this.#readStored(base))
  }

  async #readLoose(oid: ObjectId): Promise<GitObject | undefined> {
    for (const directory of await this.#allDirectories()) {
      const content = await this.#files.read(loosePath(directory, oid))
      if (content !== undefined) return parseLoose(content, oid)
    }
    return undefined
  }

  /** Looks for new packs. Returns whether there are any. */
  async #lookForPacks(): Promise<boolean> {
    let isNew = false
    for (const directory of await this.#allDirectories()) {
      this.#looked.add(directory)
      for (const { name } of await this.#files.list(`${directory}/pack`)) {
        const path = `${directory}/pack/${name}`
        if (!name.endsWith('.idx') || this.#packs.has(path)) continue
        const pack = await Pack.open(this.#files, path)
        if (pack === undefined) continue
        this.#packs.set(path, pack)
        isNew = true
      }
    }
    return isNew
  }

  async #allDirectories(): Promise<readonly string[]> {
    return (this.#directories ??= this.#findDirectories())
  }

  async #findDirectories(): Promise<readonly string[]> {
    const found = [this.#own]
    for (let at = 0; at < found.length && found.length < maxAlternates; at++) {
      const directory = found[at] ?? ''
      const listed = await this.#files.read(`${directory}/info/alternates`)
      for (const line of listed === undefined ? [] : decodeText(listed).split('\n')) {
        if (line === '' || line.startsWith('#')) continue
        const path = line.startsWith('/') ? line : `${directory}/${line}`
        const real = await this.#files.vfs.realpath(path).catch(() => undefined)
        if (real !== undefined && !found.includes(real)) found.push(real)
      }
    }
    return found
  }
}

function loosePath(directory: string, oid: ObjectId): string {
  return `${directory}/${oid.slice(0, 2)}/${oid.slice(2)}`
}

/** If another process wrote the same object meanwhile, it wrote the same bytes. */
async function writeNew(vfs: GitFiles['vfs'], path: string, content: Uint8Array): Promise<void> {
  try {
    await vfs.writeFile(path, content, { mode: 0o444, parents: true, create: 'exclusive' })
  } catch (error) {
    if (!isVfsError(error, 'EEXIST')) throw error
  }
}

function parseLoose(content: Uint8Array, oid: ObjectId): GitObject {
  let bytes: Uint8Array
  try {
    bytes = inflate(content, 0, undefined, looseMaxBytes).bytes
  } catch (error) {
    if (!(error instanceof InflateError)) throw error
    throw fatal(`loose object ${oid} is corrupt: ${error.message}`)
  }
  const end = bytes.indexOf(0)
  const [, type, size] = /^(\w+) (\d+)$/.exec(end === -1 || end > 32 ? '' : decodeText(bytes.subarray(0, end))) ?? []
  if (!isObjectType(type) || Number(size) !== bytes.length - end - 1) throw fatal(`loose object ${oid} is corrupt`)
  if (new Sha1().update(bytes).hex() !== oid) throw fatal(`loose object ${oid} is corrupt: hash mismatch`)
  return { type, bytes: bytes.subarray(end + 1) }
}
