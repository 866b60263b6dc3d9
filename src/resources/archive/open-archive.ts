// One view of every archive: its members, and their contents. The start of the file determines the format.

import { gunzip, gzipName, isGzip } from '../../codec/gzip.ts'
import { readerOf, type RangeReader } from '../../codec/bytes.ts'
import { CodecError, damaged, unsupported } from '../../codec/error.ts'
import { isTarHeader, readTar, type TarDirectory } from '../../codec/tar.ts'
import { packingProblem, readContent } from '../../codec/zip/content.ts'
import { readDirectory, type ZipDirectory } from '../../codec/zip/directory.ts'
import type { ResourceContext, ResourceSource } from '../kind.ts'
import { nameProblem, normalName } from './names.ts'
import type { PackingName } from '../../codec/packings.ts'
import { packingOf, unpacked } from './packings.ts'

/** Unpacked, in memory. */
const memberMaxBytes: number = 64 * 1024 * 1024
export const archiveMaxBytes: number = 256 * 1024 * 1024
const tarHeadBytes = 512

export interface ArchiveMember {
  /** Its position in the archive's table. */
  readonly index: number
  /** Without a '/' at the end. */
  readonly name: string
  readonly isDirectory: boolean
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly mode: number | undefined
  /** It is a symbolic link; its target is read on demand. */
  readonly isLink: boolean
  /** Why its name is unsafe. */
  readonly unsafe: string | undefined
  /** Why it cannot be unpacked. */
  readonly problem: string | undefined
  /** Throws `CodecError`. */
  content(): Promise<Uint8Array>
}

export type ArchiveForm =
  | { readonly format: 'zip'; readonly directory: ZipDirectory }
  /** `bytes` are unpacked. */
  | { readonly format: 'tar'; readonly directory: TarDirectory; readonly isGzip: boolean; readonly bytes: Uint8Array | undefined }
  | { readonly format: 'gzip' }
  /** Read and not written. `bytes` are unpacked. */
  | { readonly format: 'packed'; readonly packing: PackingName; readonly isTar: boolean; readonly bytes: Uint8Array }

export interface Archive {
  readonly form: ArchiveForm
  readonly members: readonly ArchiveMember[]
  /** Members by name; of two with the same name the later one, which is what unpacking leaves. */
  readonly byName: ReadonlyMap<string, ArchiveMember>
  /** Names of directories, including those that only contain members. */
  readonly directories: ReadonlySet<string>
  readonly duplicates: readonly string[]
}

/** Throws `CodecError`. Cached by revision, because a model reads the same archive again and again. */
export async function openArchive(source: ResourceSource, context: ResourceContext): Promise<Archive> {
  const { stored } = source
  const key = stored === undefined ? undefined : `archive ${stored.rev} ${source.sizeBytes} ${stored.path}`
  const known = key === undefined ? undefined : context.cache.get(key)
  // Only this function stores values under such keys.
  if (known !== undefined) return known as Archive
  const archive = await readArchive(source, context.signal)
  if (key !== undefined) context.cache.set(key, archive, weightOf(archive))
  return archive
}

function weightOf({ form, members }: Archive): number {
  return members.length * 500 + ('bytes' in form ? (form.bytes?.length ?? 0) : 0)
}

async function readArchive(source: ResourceSource, signal: AbortSignal): Promise<Archive> {
  const reader: RangeReader = {
    sizeBytes: source.sizeBytes,
    read: (start, end) => {
      signal.throwIfAborted()
      return start === 0 && end >= source.sizeBytes ? source.read() : source.read({ start, end: Math.min(end, source.sizeBytes) })
    },
  }
  const head = await reader.read(0, Math.min(source.sizeBytes, tarHeadBytes))
  if (isGzip(head)) return readGzip(source, head)
  const packing = packingOf(head)
  if (packing !== undefined) return readPacked(source, packing, signal)
  if (isTarHeader(head) || isEmptyTar(head)) return readTarArchive(reader, { isGzip: false, bytes: undefined })
  return readZip(reader)
}

/** Nothing but zeros. */
function isEmptyTar(head: Uint8Array): boolean {
  return head.length === tarHeadBytes && head.every(byte => byte === 0)
}

async function readZip(reader: RangeReader): Promise<Archive> {
  const directory = await readDirectory(reader)
  const members = directory.entries.map((entry, index): ArchiveMember => {
    const name = entry.name.replace(/\/$/, '')
    return {
      index,
      name,
      isDirectory: entry.kind === 'directory',
      sizeBytes: entry.sizeBytes,
      mtimeMs: entry.mtimeMs,
      mode: entry.mode,
      isLink: entry.kind === 'symlink',
      unsafe: nameProblem(entry.name, entry.isWindows),
      problem: packingProblem(entry),
      async content() {
        if (entry.sizeBytes > memberMaxBytes) throw tooLarge(name, entry.sizeBytes, memberMaxBytes)
        return readContent(reader, directory, entry)
      },
    }
  })
  return archiveOf({ format: 'zip', directory }, members)
}

/** A small file must not take more than 256 MB of memory, whatever it unpacks to; `copies`: how often its content is in memory at once. */
function mostUnpackedBytes(packedBytes: number, copies: number): number {
  const fromSmallBytes = (224 * 1024 * 1024) / copies
  return Math.min(archiveMaxBytes, Math.max(fromSmallBytes, (10 * packedBytes) / copies))
}

async function readGzip(source: ResourceSource, head: Uint8Array): Promise<Archive> {
  if (source.sizeBytes > archiveMaxBytes) throw tooLarge(source.display, source.sizeBytes, archiveMaxBytes)
  const bytes = gunzip(await source.read(), mostUnpackedBytes(source.sizeBytes, 1))
  if (isTarHeader(bytes.subarray(0, tarHeadBytes)) || isTarName(source.display))
    return readTarArchive(readerOf(bytes), { isGzip: true, bytes })
  return archiveOf({ format: 'gzip' }, [onlyMember(gzipName(head) ?? baseName(source.display), bytes)])
}

async function readPacked(source: ResourceSource, packing: PackingName, signal: AbortSignal): Promise<Archive> {
  if (source.sizeBytes > archiveMaxBytes) throw tooLarge(source.display, source.sizeBytes, archiveMaxBytes)
  const bytes = await unpacked(packing, await source.read(), mostUnpackedBytes(source.sizeBytes, 2), signal)
  const head = bytes.subarray(0, tarHeadBytes)
  const isTar = isTarHeader(head) || isEmptyTar(head)
  const form = { format: 'packed', packing, isTar, bytes } as const
  if (!isTar) return archiveOf(form, [onlyMember(baseName(source.display), bytes)])
  return { ...(await readTarArchive(readerOf(bytes), { isGzip: false, bytes })), form }
}

/** The name of a packed file without the extension of the packing. */
function baseName(display: string): string {
  const base = /[^/:]*$/.exec(display)?.[0] ?? ''
  return base.replace(/\.(?:gz|xz|zst|zstd|bz2)$/i, '')
}

function onlyMember(name: string, bytes: Uint8Array): ArchiveMember {
  return {
    index: 0,
    name,
    isDirectory: false,
    sizeBytes: bytes.length,
    mtimeMs: 0,
    mode: undefined,
    isLink: false,
    unsafe: nameProblem(name),
    problem: undefined,
    async content() {
      if (bytes.length > memberMaxBytes) throw tooLarge(name, bytes.length, memberMaxBytes)
      return bytes.slice()
    },
  }
}

function isTarName(display: string): boolean {
  return /\.(?:tgz|tar\.gz)$/i.test(display)
}

async function readTarArchive(
  reader: RangeReader,
  packed: { readonly isGzip: boolean; readonly bytes: Uint8Array | undefined },
): Promise<Archive> {
  const directory = await readTar(reader)
  const byName = new Map(directory.entries.map(entry => [normalName(entry.name), entry]))
  const members = directory.entries.flatMap((entry, index): ArchiveMember[] => {
    const name = normalName(entry.name).replace(/\/$/, '')
    // The directory from which the archive was made.
    if (name === '' || name === '.') return []
    const linked = entry.kind === 'hard-link' ? byName.get(normalName(entry.target)) : undefined
    const holder = linked?.kind === 'file' ? linked : entry
    return [
      {
        index,
        name,
        isDirectory: entry.kind === 'directory',
        sizeBytes: holder.sizeBytes,
        mtimeMs: entry.mtimeMs,
        mode: entry.mode,
        isLink: entry.kind === 'symlink',
        unsafe: nameProblem(normalName(entry.name)),
        problem: entry.problem ?? (entry.kind === 'other' ? `${JSON.stringify(name)} in it is not a file` : undefined),
        async content() {
          if (entry.problem !== undefined) throw unsupported(entry.problem)
          if (entry.kind === 'symlink') return new TextEncoder().encode(entry.target)
          if (holder.kind !== 'file') throw damaged(`${JSON.stringify(name)} links to a missing member`)
          if (holder.sizeBytes > memberMaxBytes) throw tooLarge(name, holder.sizeBytes, memberMaxBytes)
          return (await reader.read(holder.offset, holder.offset + holder.sizeBytes)).slice()
        },
      },
    ]
  })
  return archiveOf({ format: 'tar', directory, ...packed }, members)
}

function archiveOf(form: ArchiveForm, members: readonly ArchiveMember[]): Archive {
  const byName = new Map<string, ArchiveMember>()
  const directories = new Set<string>()
  const duplicates = new Set<string>()
  for (const member of members) {
    if (member.unsafe !== undefined) continue
    if (byName.get(member.name)?.isDirectory === false || (byName.has(member.name) && !member.isDirectory))
      duplicates.add(member.name)
    byName.set(member.name, member)
    if (member.isDirectory) directories.add(member.name)
    for (let slash = member.name.lastIndexOf('/'); slash > 0; slash = member.name.lastIndexOf('/', slash - 1)) {
      const parent = member.name.slice(0, slash)
      if (directories.has(parent)) break
      directories.add(parent)
    }
  }
  return { form, members, byName, directories, duplicates: [...duplicates] }
}

function tooLarge(name: string, sizeBytes: number, mostBytes: number): CodecError {
  return new CodecError('limit', `${JSON.stringify(name)} has ${sizeBytes} bytes, and the most is ${mostBytes / 1024 / 1024} MB`)
}
