// The list of files that a server offers: what `lookup` and `list` answer from, before any content is loaded.

import { AnchorageError, checkMember } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { sha256Of } from './sha256.ts'

/** A file of a manifest. */
export interface HttpFile {
  readonly sizeBytes: number
  /** SHA-256 of the content, as 64 lower-case hex digits. */
  readonly sha256: string
  /** Permission bits; default 0o644. */
  readonly mode?: number | undefined
  /** Milliseconds since 1970; default 0. */
  readonly mtimeMs?: number | undefined
  /** Where the content is, relative to the base address; default the path, percent-encoded. */
  readonly url?: string | undefined
}

/** A symlink of a manifest. The target is kept as given. */
export interface HttpSymlink {
  readonly symlink: string
}

/**
 * The files that a server offers, by path. Paths are relative (`src/a.ts`); one that ends in `/` is an empty directory. Directories on the
 * way are made. {@link manifestOf} makes one.
 */
export interface HttpManifest {
  readonly version: 1
  readonly files: Readonly<Record<string, HttpFile | HttpSymlink | null>>
}

/** Throws `AnchorageError` `bad-manifest`, which names the entry and its fault. */
export function parseManifest(value: unknown): HttpManifest {
  if (!isRecord(value) || !isRecord(value['files'])) throw faulty('It has no "files"')
  if (value['version'] !== 1)
    throw faulty(`Its version is ${JSON.stringify(value['version'])}, and 1 is the only one that is known`)
  const entries = Object.entries(value['files']).map(([path, entry]) => [path, parseEntry(path, entry)] as const)
  return { version: 1, files: Object.fromEntries(entries) }
}

function parseEntry(path: string, entry: unknown): HttpFile | HttpSymlink | null {
  const name = JSON.stringify(path)
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw faulty(`The path ${name} leaves the root: it must be relative, without ".."`)
  if (path.endsWith('/')) {
    if (entry === null) return null
    throw faulty(`The directory ${name} must be null`)
  }
  if (!isRecord(entry)) throw faulty(`The entry ${name} is not an object`)
  const { symlink, sizeBytes, sha256, mode, mtimeMs, url } = entry
  if (typeof symlink === 'string') return { symlink }
  if (!isCount(sizeBytes)) throw faulty(`"sizeBytes" of ${name} must be a whole number from 0 up`)
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw faulty(`"sha256" of ${name} must be 64 lower-case hex digits`)
  if (mode !== undefined && !isCount(mode)) throw faulty(`"mode" of ${name} must be a whole number from 0 up`)
  if (mtimeMs !== undefined && typeof mtimeMs !== 'number') throw faulty(`"mtimeMs" of ${name} must be a number`)
  if (url !== undefined && typeof url !== 'string') throw faulty(`"url" of ${name} must be text`)
  return { sizeBytes, sha256, mode, mtimeMs, url }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function faulty(fault: string): AnchorageError {
  return new AnchorageError('bad-manifest', `The manifest cannot be used. ${fault}. Next: make it again with manifestOf.`)
}

/**
 * Describes all files below `root`, for a server to offer beside them: write the answer as JSON next to the files.
 *
 * @example
 * const manifest = await manifestOf(workspace.fs, '/workspace')
 */
export async function manifestOf(fs: Vfs, root: string): Promise<HttpManifest> {
  checkMember('manifestOf', fs, 'walk', 'workspace.fs')
  const files: [name: string, entry: HttpFile | HttpSymlink | null][] = []
  const parents = new Set<string>()
  for await (const { path, kind } of fs.walk(root)) {
    const name = path.slice(root.endsWith('/') ? root.length : root.length + 1)
    parents.add(name.slice(0, name.lastIndexOf('/') + 1))
    if (kind === 'directory') files.push([`${name}/`, null])
    else if (kind === 'symlink') files.push([name, { symlink: await fs.readlink(path) }])
    else {
      const [{ mode, mtimeMs }, bytes] = [await fs.stat(path), await fs.readFile(path)]
      files.push([name, { sizeBytes: bytes.length, sha256: await sha256Of(bytes), mode, mtimeMs }])
    }
  }
  // A directory that holds something is made with what it holds.
  return { version: 1, files: Object.fromEntries(files.filter(([name]) => !parents.has(name))) }
}
