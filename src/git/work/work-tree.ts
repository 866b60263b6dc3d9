// The files of a repository as git sees them: their mode, whether they differ from the index, their content with the repository's line
// endings, and how they are written.

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
  /** Stats are never the same for different contents: our own filesystems have `rev` and increasing times. */
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
  /** Whether equal stats prove equal content. */
  readonly isExact: boolean
  /** Directories that are not symlinks and not below one. */
  readonly #plainDirectories = new Set<string>()

  constructor({ files, root, objects, config, attributes, isExact }: WorkTreeParts) {
    this.root = root
    this.#files = files
    this.#objects = objects
    this.#config = config
    this.#attributes = attributes
    this.#trustsMode = config.bool('core.filemode', true)
    this.#hasSymlinks = config.bool('core.symlinks', true)
    this.isExact = isExact
  }

  pathOf(path: string): string {
    return path === '' ? this.root : this.root === '/' ? `/${path}` : `${this.root}/${path}`
  }

  /** A path below a symlink is not the tracked file: if a directory was replaced by a symlink, its files are gone. */
  lstat(path: string): Stat | undefined | Promise<Stat | undefined> {
    const isBehind = this.isBehindLink(path)
    if (isBehind === false) return this.#files.lstat(this.pathOf(path))
    if (isBehind === true) return undefined
    return isBehind.then(found => (found ? undefined : this.#files.lstat(this.pathOf(path))))
  }

  isBehindLink(path: string): boolean | Promise<boolean> {
    const end = path.lastIndexOf('/')
    if (end === -1) return false
    const directory = path.slice(0, end)
    return this.#plainDirectories.has(directory) ? false : this.#asksForLink(directory)
  }

  async #asksForLink(directory: string): Promise<boolean> {
    if (await this.isBehindLink(directory)) return true
    if ((await this.#files.lstat(this.pathOf(directory)))?.kind === 'symlink') return true
    this.#plainDirectories.add(directory)
    return false
  }

  /**
   * Whether a file that is gone was edited away, as git sees it: another file stands where its directory was, or a link leads to
   * something else. A file that is only missing counts as unchanged.
   */
  async isReplaced(entry: IndexEntry, index: GitIndex): Promise<boolean> {
    const { path } = entry
    if (await this.isBehindLink(path)) {
      const stat = await this.#files.lstat(this.pathOf(path))
      return stat !== undefined && (await this.compare(entry, stat, index)).kind !== 'same'
    }
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      const stat = await this.#files.lstat(this.pathOf(path.slice(0, end)))
      if (stat !== undefined) return stat.kind !== 'directory'
      if (end === 0) break
    }
    return false
  }

  /** The mode that git gives to a file with these stats; `before` is the mode in the index. */
  modeOf(stat: Stat, before?: number): number {
    if (stat.kind === 'directory') return modes.tree
    if (stat.kind === 'symlink') return modes.symlink
    if (!this.#hasSymlinks && before === modes.symlink) return modes.symlink
    if (!this.#trustsMode) return before === modes.executable ? modes.executable : modes.file
    return (stat.mode & 0o100) !== 0 ? modes.executable : modes.file
  }

  /** Whether the stats alone prove that the file matches the index. */
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
    // The file may have changed after it was read and within the same tick of the clock.
    return this.isExact || known.mtimeSeconds * 1000 + Math.floor(known.mtimeNanoseconds / 1e6) < indexWrittenMs
  }

  /** The bytes to store: a symlink's target, or the content with converted line endings. `undefined` if there is no file. */
  async readForRepository(path: string, stat: Stat | undefined, index: GitIndex | undefined): Promise<ToRepository | undefined> {
    if (stat === undefined || stat.kind === 'directory') return undefined
    if (stat.kind === 'symlink') {
      const target = await this.#files.readlink(this.pathOf(path))
      return target === undefined ? undefined : { bytes: encodeText(target), warning: undefined }
    }
    const bytes = await this.#files.read(this.pathOf(path))
    return bytes === undefined ? undefined : this.convertForRepository(path, bytes, index)
  }

  /** What is stored of a regular file with these bytes. */
  async convertForRepository(path: string, bytes: Uint8Array, index: GitIndex | undefined): Promise<ToRepository> {
    const conversion = conversionOf(await this.#attributes.of(path), this.#config, path)
    if (conversion.kind === 'none' && !conversion.ident) return { bytes, warning: undefined }
    return toRepository(bytes, conversion, async () => {
      const entry = index?.get(path) ?? index?.stages(path)?.[1]
      if (entry === undefined || entry.mode === modes.symlink || entry.mode === modes.submodule) return false
      const before = await this.#objects.read(entry.oid)
      return before !== undefined && hasCrlf(before.bytes)
    })
  }

  /** The ID that the file would have in the repository. */
  async hash(path: string, stat: Stat | undefined, index: GitIndex | undefined): Promise<ObjectId | undefined> {
    const content = await this.readForRepository(path, stat, index)
    return content === undefined ? undefined : hashObject('blob', content.bytes)
  }

  /** Whether the file differs from its entry; `refreshed` has its stats if only those were outdated. */
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

  /**
   * A file that was written in the same second as the old index may have changed without a trace for a git that compares seconds. Its size
   * is set to 0, so that readers of the index compare the content. Where stats never repeat, no other git reads the index.
   */
  async smudgeRacy(index: GitIndex): Promise<void> {
    if (index.writtenMs === 0 || this.isExact) return
    const writtenSeconds = Math.floor(index.writtenMs / 1000)
    for (const entry of index.sorted()) {
      if (entry.stage !== 0 || entry.stat.mtimeSeconds < writtenSeconds || entry.stat.sizeBytes === 0) continue
      const stat = await this.lstat(entry.path)
      if (stat === undefined || !isUnchangedInSeconds(entry.stat, indexStat(stat))) continue
      if ((await this.hash(entry.path, stat, index)) !== entry.oid)
        index.refresh({ ...entry, stat: { ...entry.stat, sizeBytes: 0 } })
    }
  }

  /**
   * Whether the file holds what would be lost if it were overwritten. Edits also count in files that are marked as assumed unchanged or
   * skipped, as in git. A missing file does not count as edited.
   */
  async isEdited(entry: IndexEntry, stat: Stat | undefined, index: GitIndex): Promise<boolean> {
    if (stat === undefined) return await this.isReplaced(entry, index)
    return (await this.compare({ ...entry, isAssumedValid: false, isSkipped: false }, stat, index)).kind !== 'same'
  }

  /** Adds the writing of a file from the repository. `onStat` receives its stats after that. */
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

  /** The content of a blob as it would be in the work tree. */
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

/** Removes a directory at `path`, and a file where a directory is needed, without checks. Keeps the directory of a submodule. */
export async function makeRoom(tree: WorkTree, changes: Changes, path: string, mode: number): Promise<void> {
  const stat = await tree.lstat(path)
  if (stat?.kind === 'directory' && mode !== modes.submodule) changes.removeTree(tree.pathOf(path))
  await makeRoomAbove(tree, changes, path)
}

/** What stands where a directory above `path` is needed goes. */
export async function makeRoomAbove(tree: WorkTree, changes: Changes, path: string): Promise<void> {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end)
    const kind = (await tree.lstat(above))?.kind
    if (kind === undefined) break
    // Removes a symlink in the way, and never writes through it.
    if (kind !== 'directory') {
      if (!changes.isRemoved(tree.pathOf(above))) changes.remove(tree.pathOf(above))
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

/** Whether a git that compares whole seconds takes the file for the same. */
export function isUnchangedInSeconds(known: IndexStat, now: IndexStat): boolean {
  return known.sizeBytes === now.sizeBytes && known.mtimeSeconds === now.mtimeSeconds
}

/** A tree with names that would write into the repository itself, or outside of the work tree, must not be checked out. */
export function checkPath(path: string): void {
  if (!isSafePath(path)) throw fatal(`invalid path '${path}'`)
}

export function isSafePath(path: string): boolean {
  return path.split('/').every(name => {
    if (name === '' || name === '.' || name === '..' || name.includes('\0')) return false
    // Other filesystems treat these as `.git`: case-insensitive, as a short name, and with characters that HFS+ ignores.
    const plain = name.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase()
    return !/^(?:\.git|git~1)[ .]*(?:$|[:\\])/.test(plain) && !name.includes('\\.git')
  })
}
