// The files of a repository as git sees them: their mode, whether they differ from the index, their content with the repository's line
// ends, and the way back.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { Stat } from '../../vfs/backend.ts'
import type { Changes } from '../changes.ts'
import { fatal } from '../errors.ts'
import type { GitFiles } from '../files.ts'
import type { GitIndex, IndexEntry, IndexStat } from '../index/git-index.ts'
import type { Config } from '../store/config.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { hashObject, type ObjectStore } from '../store/objects.ts'
import type { Attributes } from './attributes.ts'
import { conversionOf, hasCrlf, toRepository, type ToRepository, toWorkTree } from './convert.ts'

export interface WorkTreeParts {
  readonly files: GitFiles
  readonly root: string
  readonly objects: ObjectStore
  readonly config: Config
  readonly attributes: Attributes
  /** Stats never repeat for other contents: `rev` and times of our own filesystems. */
  readonly isExact: boolean
}

const maxUint32 = 2 ** 32

export class WorkTree {
  readonly root: string
  readonly #files: GitFiles
  readonly #objects: ObjectStore
  readonly #config: Config
  readonly #attributes: Attributes
  readonly #trustsMode: boolean
  readonly #hasSymlinks: boolean
  readonly #isExact: boolean

  constructor({ files, root, objects, config, attributes, isExact }: WorkTreeParts) {
    this.root = root
    this.#files = files
    this.#objects = objects
    this.#config = config
    this.#attributes = attributes
    this.#trustsMode = config.bool('core.filemode', true)
    this.#hasSymlinks = config.bool('core.symlinks', true)
    this.#isExact = isExact
  }

  pathOf(path: string): string {
    return path === '' ? this.root : this.root === '/' ? `/${path}` : `${this.root}/${path}`
  }

  lstat(path: string): Stat | undefined | Promise<Stat | undefined> {
    return this.#files.lstat(this.pathOf(path))
  }

  /** The mode that git would give to a file with these stats; `before` is that of the index. */
  modeOf(stat: Stat, before?: number): number {
    if (stat.kind === 'directory') return modes.tree
    if (stat.kind === 'symlink') return modes.symlink
    if (!this.#hasSymlinks && before === modes.symlink) return modes.symlink
    if (!this.#trustsMode) return before === modes.executable ? modes.executable : modes.file
    return (stat.mode & 0o100) !== 0 ? modes.executable : modes.file
  }

  /** Whether the stats alone prove that the file is what the index holds. */
  isUnchanged(entry: IndexEntry, stat: Stat, indexWrittenMs: number): boolean {
    const { stat: known } = entry
    if (known.mtimeSeconds === 0 && known.inode === 0) return false
    if (known.sizeBytes !== stat.sizeBytes % maxUint32) return false
    if (known.mtimeSeconds !== seconds(stat.mtimeMs) || Math.floor(known.mtimeNanoseconds / 1e6) !== milliseconds(stat.mtimeMs))
      return false
    if (known.inode !== 0 && known.inode !== stat.ino % maxUint32) return false
    if (known.ctimeSeconds !== seconds(stat.ctimeMs) || Math.floor(known.ctimeNanoseconds / 1e6) !== milliseconds(stat.ctimeMs))
      return false
    if (this.modeOf(stat, entry.mode) !== entry.mode) return false
    // Something may have been written after the file was looked at and within the same tick of the clock.
    return this.#isExact || known.mtimeSeconds * 1000 + Math.floor(known.mtimeNanoseconds / 1e6) < indexWrittenMs
  }

  /** Bytes as they would be stored: a symlink's target, or the content with line ends converted. `undefined` when there is no file. */
  async readForRepository(path: string, stat: Stat | undefined, index: GitIndex | undefined): Promise<ToRepository | undefined> {
    if (stat === undefined || stat.kind === 'directory') return undefined
    if (stat.kind === 'symlink') {
      const target = await this.#files.readlink(this.pathOf(path))
      return target === undefined ? undefined : { bytes: encodeText(target), warning: undefined }
    }
    const bytes = await this.#files.read(this.pathOf(path))
    if (bytes === undefined) return undefined
    const conversion = conversionOf(await this.#attributes.of(path), this.#config, path)
    if (conversion.kind === 'none' && !conversion.ident) return { bytes, warning: undefined }
    return toRepository(bytes, conversion, async () => {
      const entry = index?.get(path) ?? index?.stages(path)?.[1]
      if (entry === undefined || entry.mode === modes.symlink || entry.mode === modes.submodule) return false
      const before = await this.#objects.read(entry.oid)
      return before !== undefined && hasCrlf(before.bytes)
    })
  }

  /** The id that the file would have in the repository. */
  async hash(path: string, stat: Stat | undefined, index: GitIndex | undefined): Promise<ObjectId | undefined> {
    const content = await this.readForRepository(path, stat, index)
    return content === undefined ? undefined : hashObject('blob', content.bytes)
  }

  /** Whether the file differs from its entry; `refreshed` has its stats when only those were out of date. */
  async compare(
    entry: IndexEntry,
    stat: Stat | undefined,
    index: GitIndex,
  ): Promise<{ readonly kind: 'same'; readonly refreshed?: IndexEntry } | { readonly kind: 'deleted' | 'content' | 'type' }> {
    if (entry.isAssumedValid || entry.isSkipped) return { kind: 'same' }
    if (entry.mode === modes.submodule)
      return { kind: stat === undefined ? 'deleted' : stat.kind === 'directory' ? 'same' : 'type' }
    if (stat === undefined || stat.kind === 'directory') return { kind: 'deleted' }
    if (entry.isIntentToAdd) return { kind: 'content' }
    if (this.isUnchanged(entry, stat, index.writtenMs)) return { kind: 'same' }
    const mode = this.modeOf(stat, entry.mode)
    if ((mode === modes.symlink) !== (entry.mode === modes.symlink)) return { kind: 'type' }
    if (mode !== entry.mode) return { kind: 'content' }
    const oid = await this.hash(entry.path, stat, index)
    if (oid === undefined) return { kind: 'deleted' }
    return oid === entry.oid ? { kind: 'same', refreshed: { ...entry, stat: indexStat(stat) } } : { kind: 'content' }
  }

  /** Adds the writing of a file as the repository has it. `onStat` hears its stats once it is written. */
  async checkOut(changes: Changes, path: string, mode: number, oid: ObjectId, onStat: (stat: Stat) => void): Promise<void> {
    if (mode === modes.submodule) {
      changes.makeDirectory(this.pathOf(path))
      return
    }
    checkPath(path)
    const blob = await this.#objects.readBlob(oid)
    if (mode === modes.symlink && this.#hasSymlinks) {
      changes.writeSymlink(this.pathOf(path), decodeText(blob), onStat)
      return
    }
    const conversion = conversionOf(await this.#attributes.of(path), this.#config, path)
    changes.writeWorkFile(this.pathOf(path), toWorkTree(blob, conversion, oid), mode === modes.executable ? 0o755 : 0o644, onStat)
  }

  /** The content of a blob as the work tree would have it. */
  async smudge(path: string, bytes: Uint8Array, oid: ObjectId): Promise<Uint8Array> {
    return toWorkTree(bytes, conversionOf(await this.#attributes.of(path), this.#config, path), oid)
  }
}

function seconds(timeMs: number): number {
  return ((Math.floor(timeMs / 1000) % maxUint32) + maxUint32) % maxUint32
}

function milliseconds(timeMs: number): number {
  return ((Math.floor(timeMs) % 1000) + 1000) % 1000
}

/** A directory at `path`, and a file where a directory is needed, go. Nothing is asked. The directory of a submodule stays. */
export async function makeRoom(tree: WorkTree, changes: Changes, path: string, mode: number): Promise<void> {
  const stat = await tree.lstat(path)
  if (stat?.kind === 'directory' && mode !== modes.submodule) changes.removeTree(tree.pathOf(path))
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end)
    const kind = (await tree.lstat(above))?.kind
    if (kind === undefined) break
    // A symlink in the way is taken away, never written through.
    if (kind !== 'directory') {
      changes.remove(tree.pathOf(above))
      break
    }
  }
}

export function indexStat(stat: Stat): IndexStat {
  return {
    ctimeSeconds: seconds(stat.ctimeMs),
    ctimeNanoseconds: milliseconds(stat.ctimeMs) * 1e6,
    mtimeSeconds: seconds(stat.mtimeMs),
    mtimeNanoseconds: milliseconds(stat.mtimeMs) * 1e6,
    device: 0,
    inode: stat.ino % maxUint32,
    userId: stat.uid ?? 0,
    groupId: stat.gid ?? 0,
    sizeBytes: stat.sizeBytes % maxUint32,
  }
}

/** Names that would write into the repository itself, or outside of the work tree, are in no tree that may be checked out. */
export function checkPath(path: string): void {
  if (!isSafePath(path)) throw fatal(`invalid path '${path}'`)
}

export function isSafePath(path: string): boolean {
  return path.split('/').every(name => {
    if (name === '' || name === '.' || name === '..' || name.includes('\0')) return false
    // Other filesystems take these for `.git`: without case, as a short name, and with characters that HFS+ ignores.
    const plain = name.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase()
    return !/^(?:\.git|git~1)[ .]*(?:$|[:\\])/.test(plain) && !name.includes('\\.git')
  })
}
