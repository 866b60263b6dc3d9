// A directory as a zip archive, in pieces on demand. The library writes the format. Data that a filesystem has in addition (links,
// permission bits, times to the second) is written where Info-ZIP and Python look for it.

import { defined } from '../../core/record.ts'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { Stat } from '../../vfs/backend.ts'
import { VfsError, ifThereLater } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { maxArchiveBytes, maxEntries, zipLimit, type ZipProgress } from './limits.ts'

/** Options of `exportZip`. */
export interface ExportZipOptions {
  /** The directory whose entries the archive contains, absolute; the directory itself is not included. */
  readonly path: string
  /** Names of directories to leave out with all their entries, such as `node_modules`. */
  readonly prune?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ZipProgress) => void) | undefined
}

/** Read and compressed in one step: nothing else runs meanwhile. */
const pieceBytes = 256 * 1024
/** The range of the format's times, which have a resolution of two seconds. */
const [firstTimeMs, lastTimeMs] = [Date.UTC(1980, 0, 2), Date.UTC(2099, 11, 30)]
const typeBits = { file: 0o100000, directory: 0o040000, symlink: 0o120000 } as const
const unix = 3

type Piece = Uint8Array<ArrayBuffer>

export async function* zipChunks(fs: Vfs, options: ExportZipOptions): AsyncGenerator<Piece, void> {
  const { path: root, prune, signal, onProgress } = options
  const ready: Piece[] = []
  let failure: Error | null = null
  let archiveBytes = 0
  const zip = new Zip((error, chunk) => {
    failure ??= error
    archiveBytes += chunk?.length ?? 0
    // A copy, because the library may reuse its memory.
    if (chunk !== null && chunk.length > 0) ready.push(new Uint8Array(chunk))
  })
  const take = (): Piece[] => {
    if (failure !== null) throw failure
    if (archiveBytes > maxArchiveBytes) throw tooLarge()
    return ready.splice(0)
  }

  const prefixLength = root === '/' ? 1 : root.length + 1
  let [entryCount, doneFiles, doneBytes] = [0, 0, 0]
  const walk = fs.walk(root, {
    maxEntries: maxEntries + 1,
    ...defined({ prune, signal }),
  })
  for await (const { path, kind } of walk) {
    signal?.throwIfAborted()
    if (++entryCount > maxEntries) throw tooLarge()
    const stat = await ifThereLater(() => fs.lstat(path), 'ENOENT', 'ENOTDIR')
    // It was removed after the walk, or replaced by another kind of entry.
    if (stat === undefined) continue
    const name = path.slice(prefixLength) + (stat.kind === 'directory' ? '/' : '')
    const entry = stat.kind === 'file' && stat.sizeBytes > 0 ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name)
    entry.os = unix
    entry.attrs = (((typeBits[stat.kind] | stat.mode) << 16) | (stat.kind === 'directory' ? 16 : 0)) >>> 0
    entry.mtime = Math.min(Math.max(stat.mtimeMs, firstTimeMs), lastTimeMs)
    entry.extra = { 0x5455: universalTime(stat.mtimeMs) }
    zip.add(entry)
    if (stat.kind === 'directory') entry.push(new Uint8Array(), true)
    else if (stat.kind === 'symlink') entry.push(new TextEncoder().encode(await fs.readlink(path)), true)
    else {
      for await (const { piece, isLast } of piecesOf(fs, path, stat)) {
        signal?.throwIfAborted()
        doneBytes += piece.length
        entry.push(piece, isLast)
        yield* take()
      }
    }
    if (kind !== 'directory') onProgress?.({ doneFiles: ++doneFiles, doneBytes, totalFiles: doneFiles })
    yield* take()
  }
  zip.end()
  yield* take()
}

/** A small file is read in one step, so it is consistent. A large one must be the same at the end as at the beginning. */
async function* piecesOf(
  fs: Vfs,
  path: string,
  { sizeBytes, rev }: Stat,
): AsyncGenerator<{ readonly piece: Uint8Array; readonly isLast: boolean }, void> {
  if (sizeBytes <= pieceBytes) {
    yield { piece: await fs.readFile(path), isLast: true }
    return
  }
  for (let start = 0; start < sizeBytes; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, sizeBytes)
    const piece = await fs.readFile(path, { start, end })
    const isLast = end === sizeBytes
    if (piece.length < end - start || (isLast && (await fs.stat(path)).rev !== rev))
      throw new VfsError('ESTALE', 'read', { path, hint: 'it changed while the archive was created; create the archive again' })
    yield { piece, isLast }
  }
}

/** Info-ZIP's "extended timestamp": seconds since 1970, because the format's standard time has no zone. */
function universalTime(mtimeMs: number): Uint8Array {
  const bytes = new Uint8Array(5)
  const seconds = Math.min(Math.max(Math.floor(mtimeMs / 1000), -(2 ** 31)), 2 ** 31 - 1)
  bytes[0] = 1
  new DataView(bytes.buffer).setInt32(1, seconds, true)
  return bytes
}

function tooLarge(): Error {
  return zipLimit(
    'A zip archive without extensions can contain at most 65,534 entries and 4 GiB.',
    'choose a smaller directory, or leave some out with prune',
  )
}
