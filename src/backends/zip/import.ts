// Unpacks an archive into a directory, all of it or nothing. An archive is untrusted input: its sizes, checksums and names are checked
// before they are used, and nothing is written through a symlink.

import { joinBytes } from '../../core/bytes.ts'
import { defined } from '../../core/record.ts'
import type { BatchFs, Vfs } from '../../vfs/vfs.ts'
import { isVfsError } from '../../vfs/error.ts'
import { readerOf } from '../../codec/bytes.ts'
import { CodecError } from '../../codec/error.ts'
import { packingProblem, readContent } from '../../codec/zip/content.ts'
import { readDirectory, type ZipEntry } from '../../codec/zip/directory.ts'
import { decodeName } from '../../codec/zip/names.ts'
import { damagedZip, unsafeZip, unsupportedZip, zipLimit, type ZipProgress } from './limits.ts'
import { safeParts } from './names.ts'

/** The bytes of an archive, or their source: an uploaded `File` is a `Blob`. */
export type ZipSource = Uint8Array | ReadableStream<Uint8Array> | Blob

/** Options of `importZip`. */
export interface ImportZipOptions {
  /** The directory to unpack into, absolute; created if it is missing. */
  readonly path: string
  /** With more files, links and directories it fails with `zip-limit`. Default 65,534. */
  readonly maxFiles?: number | undefined
  /** With more bytes, packed or unpacked, it fails with `zip-limit`, because they are in memory until the commit. Default 1 GiB. */
  readonly maxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Reports what was unpacked; it is in the filesystem when the promise resolves. */
  readonly onProgress?: ((progress: ZipProgress) => void) | undefined
}

/** The number of entries and bytes that were unpacked. */
export interface ImportedZip {
  readonly fileCount: number
  readonly sizeBytes: number
  /** Symlinks that the filesystem cannot store. */
  readonly skipped: readonly string[]
}

interface Planned {
  readonly entry: ZipEntry
  readonly parts: readonly string[]
}

const defaultMaxBytes = 1024 * 1024 * 1024
const maxTargetBytes = 4096

export async function unpackInto(fs: Vfs, source: ZipSource, options: ImportZipOptions): Promise<ImportedZip> {
  const { path: root, maxBytes = defaultMaxBytes, maxFiles = 65_534, signal, onProgress } = options
  signal?.throwIfAborted()
  const archive = await bytesOf(source, maxBytes, signal)
  const reader = readerOf(archive)
  const directory = await reading(() => readDirectory(reader))
  const { entries } = directory
  if (directory.isZip64) throw unsupportedZip('it is a zip64 archive')
  if (entries.length > maxFiles)
    throw zipLimit(`The archive contains ${entries.length} entries, and ${maxFiles} are allowed.`, 'raise maxFiles')
  const unpackedBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (unpackedBytes > maxBytes) throw tooLarge(maxBytes)
  const planned = plan(entries)
  const canLink = (await fs.caps(root)).symlinks !== 'none'
  const skipped: string[] = []
  let [fileCount, sizeBytes] = [0, 0]
  await fs.batch(async draft => {
    await draft.mkdir(root, { recursive: true })
    const base = await draft.realpath(root)
    const prefix = base === '/' ? '' : base
    const made = new Set<string>()
    const directories: (readonly [path: string, mtimeMs: number])[] = []
    for (const { entry, parts } of planned) {
      signal?.throwIfAborted()
      const parent = [prefix, ...parts.slice(0, -1)].join('/') || '/'
      const path = [prefix, ...parts].join('/')
      if (entry.kind === 'directory') {
        await makeDirectory(draft, path, entry, made)
        if (entry.mode !== undefined) await draft.chmod(path, entry.mode)
        directories.push([path, entry.mtimeMs])
        continue
      }
      await makeDirectory(draft, parent, entry, made)
      const content = await reading(() => readContent(reader, directory, entry))
      if (entry.kind === 'symlink' && !canLink) skipped.push(path)
      else if (entry.kind === 'symlink') await placeLink(draft, path, content)
      else {
        await placeFile(draft, path, content, entry.mode)
        await draft.utimes(path, entry.mtimeMs)
      }
      fileCount++
      sizeBytes += content.length
      onProgress?.({ doneFiles: fileCount, doneBytes: sizeBytes, totalFiles: planned.length })
    }
    // Last, because creating an entry in a directory changes the directory's time.
    for (const [path, mtimeMs] of directories) await draft.utimes(path, mtimeMs)
  })
  return { fileCount: fileCount - skipped.length, sizeBytes, skipped }
}

/** Checks every name, and refuses duplicates, because attacks use the ambiguity between them. */
function plan(entries: readonly ZipEntry[]): readonly Planned[] {
  const kinds = new Map<string, ZipEntry['kind']>()
  for (const entry of entries) {
    const problem = packingProblem(entry)
    if (problem !== undefined) throw unsupportedZip(problem)
  }
  const planned = entries.map(entry => ({ entry, parts: safeParts(entry.name, entry.isWindows) }))
  for (const { entry, parts } of planned) {
    const key = parts.join('/')
    if (kinds.has(key)) throw unsafeZip(entry.name, 'which occurs twice in it')
    kinds.set(key, entry.kind)
  }
  for (const { entry, parts } of planned) {
    for (let depth = 1; depth < parts.length; depth++) {
      const above = kinds.get(parts.slice(0, depth).join('/')) ?? 'directory'
      if (above !== 'directory') throw unsafeZip(entry.name, `which is below a ${above} of the same archive`)
    }
  }
  return planned
}

/** An existing link could lead anywhere, so no directory on the way may be a link. */
async function makeDirectory(draft: BatchFs, path: string, { name }: ZipEntry, made: Set<string>): Promise<void> {
  if (made.has(path)) return
  await draft.mkdir(path, { recursive: true })
  if ((await draft.realpath(path)) !== path) throw unsafeZip(name, 'which would go through an existing symlink')
  made.add(path)
}

async function placeFile(draft: BatchFs, path: string, content: Uint8Array, mode: number | undefined): Promise<void> {
  await removeLink(draft, path)
  await draft.writeFile(path, content, defined({ mode }))
  // An existing file has kept its mode.
  if (mode !== undefined && (await draft.lstat(path)).mode !== mode) await draft.chmod(path, mode)
}

async function placeLink(draft: BatchFs, path: string, content: Uint8Array): Promise<void> {
  if (content.length === 0 || content.length > maxTargetBytes)
    throw damagedZip(`the symlink ${JSON.stringify(path)} has no target`)
  const target = await reading(() => Promise.resolve().then(() => decodeName(content, true)))
  // An existing entry is replaced, as by a file; a directory fails with EISDIR in both cases.
  if (await draft.exists(path)) await draft.rm(path)
  else await removeLink(draft, path)
  await draft.symlink(target, path)
}

async function removeLink(draft: BatchFs, path: string): Promise<void> {
  try {
    if ((await draft.lstat(path)).kind === 'symlink') await draft.rm(path)
  } catch (error) {
    if (!isVfsError(error, 'ENOENT')) throw error
  }
}

/** Turns the errors of reading the archive into those of this entry point. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    throw error.fault === 'unsupported' ? unsupportedZip(error.message) : damagedZip(error.message)
  }
}

async function bytesOf(source: ZipSource, maxBytes: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  if (ArrayBuffer.isView(source)) return source
  if ('getReader' in source) return await collect(source, maxBytes, signal)
  if (source.size > maxBytes) throw tooLarge(maxBytes)
  return new Uint8Array(await source.arrayBuffer())
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const reader = stream.getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      if (length > maxBytes) throw tooLarge(maxBytes)
      pieces.push(value)
    }
  } catch (error) {
    // Tells the source to stop. A failure to do so does not matter.
    await reader.cancel(error).catch(() => {})
    throw error
  }
  return joinBytes(pieces, length)
}

function tooLarge(maxBytes: number): Error {
  return zipLimit(
    `The archive is larger than the ${maxBytes} bytes that are allowed.`,
    'raise maxBytes, or unpack a part of it elsewhere',
  )
}
