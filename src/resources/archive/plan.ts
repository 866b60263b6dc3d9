// Writes and removes members. The bytes of all others stay as they are.

import { readerOf } from '../../codec/bytes.ts'
import { CodecError } from '../../codec/error.ts'
import { gunzip, gzip } from '../../codec/gzip.ts'
import { readTar, rewriteTar } from '../../codec/tar.ts'
import { readDirectory } from '../../codec/zip/directory.ts'
import { emptyZip, rewriteZip } from '../../codec/zip/rewrite.ts'
import { ToolError } from '../../core/errors.ts'
import { formatSize } from '../../core/size.ts'
import { decodeUtf8 } from '../../core/text.ts'
import type { ResourceAddress, ResourceContext, ResourceSource, StoredFile, WritePlan } from '../kind.ts'
import { readingArchive, refusedWrite } from './failure.ts'
import { nameProblem } from './names.ts'
import { archiveMaxBytes, openArchive, type Archive, type ArchiveForm, type ArchiveMember } from './open-archive.ts'

/** The content that removes a member. */
const removal = '@delete'
const defaultMode = 0o644

export async function plan(
  { text, source, inner }: ResourceAddress,
  content: string,
  context: ResourceContext,
): Promise<WritePlan> {
  const stored = source?.stored
  if (source === undefined || stored === undefined) throw refusedWrite(text, 'it is in another archive', 'Unpack that first.')
  checkName(text, inner)
  if (source.sizeBytes > archiveMaxBytes)
    throw refusedWrite(source.display, `it is ${formatSize(source.sizeBytes)}`, 'Change it with zip or tar in bash.')
  const archive =
    stored.rev === 0 ? emptyArchive(source.display) : await readingArchive(source.display, () => openArchive(source, context))
  checkPlace(source, archive, inner)
  const present = archive.byName.get(inner)
  const isRemoval = content.trim() === removal
  if (isRemoval && present === undefined)
    throw refusedWrite(text, 'the member to remove does not exist', `List it with read: ${source.display}:`)
  const added = isRemoval ? undefined : new TextEncoder().encode(content)
  const bytes = await readingArchive(source.display, async () => {
    const changed = await changedArchive({ source, archive, stored, inner, present, added, nowMs: context.clock() })
    await checkWhole(
      changed,
      archive.form,
      archive.members.length + (added === undefined ? 0 : 1) - (present === undefined ? 0 : 1),
    )
    return changed
  })
  const before = present === undefined ? undefined : await textOf(present)
  const sizeBytes = added?.length ?? 0
  const done = isRemoval ? 'Removed' : present === undefined ? 'Created' : 'Wrote'
  return {
    kind: 'files',
    writes: [
      {
        path: stored.path,
        display: source.display,
        bytes,
        baseRev: stored.rev,
        inside: { display: text, before, after: isRemoval ? undefined : content },
      },
    ],
    summary: isRemoval ? `${done} ${text}.` : `${done} ${text} (${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}).`,
    details: {
      resolvedPath: stored.path,
      member: inner,
      created: present === undefined,
      sizeBytes,
      meta: { source: 'archive', sourcePath: stored.path },
    },
  }
}

function checkName(text: string, inner: string): void {
  if (inner === '' || inner.endsWith('/'))
    throw refusedWrite(text, 'it names a directory', 'Name the member to write, such as b.zip:src/a.txt.')
  const problem = nameProblem(inner)
  if (problem !== undefined)
    throw refusedWrite(text, `the name of the member cannot be used: ${problem}`, 'Use a relative path such as src/a.txt.')
}

/** Refuses a name that would make the archive ambiguous. */
function checkPlace({ display }: ResourceSource, archive: Archive, inner: string): void {
  const full = `${display}:${inner}`
  const present = archive.byName.get(inner)
  if (archive.duplicates.includes(inner))
    throw refusedWrite(full, 'the archive has it more than once', 'Create the archive again with zip or tar in bash.')
  if (archive.directories.has(inner) || present?.isDirectory === true)
    throw refusedWrite(full, 'it is a directory', 'Name a member inside it.')
  if (present?.isLink === true) throw refusedWrite(full, 'it is a symbolic link', 'Write to the target of the link.')
  const parts = inner.split('/')
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = archive.byName.get(parts.slice(0, depth).join('/'))
    if (parent?.isDirectory === false)
      throw refusedWrite(full, `${JSON.stringify(parent.name)} is a file in it`, 'Choose another name.')
  }
  for (const name of archive.byName.keys()) {
    if (inner.startsWith(`${name}:`) && /\.(?:zip|jar|tar|tgz|gz|xz|txz|zst|tzst|bz2|tbz2)$/i.test(name))
      throw refusedWrite(full, 'it is in a nested archive, which is read-only', 'Unpack the outer one with bash.')
  }
  if (archive.form.format === 'gzip' && archive.members[0]?.name !== inner) {
    throw refusedWrite(
      full,
      `a gzip file has one member, ${JSON.stringify(archive.members[0]?.name)}`,
      'Use a zip or tar archive for more.',
    )
  }
}

function emptyArchive(display: string): Archive {
  const none = { members: [], byName: new Map(), directories: new Set<string>(), duplicates: [] }
  if (/\.(?:zip|jar)$/i.test(display)) return { ...none, form: { format: 'zip', directory: emptyZip } }
  if (/\.(?:tar|tgz|tar\.gz)$/i.test(display)) {
    const form = {
      format: 'tar',
      directory: { entries: [], end: 0 },
      isGzip: !/\.tar$/i.test(display),
      bytes: new Uint8Array(),
    } as const
    return { ...none, form }
  }
  throw new ToolError('ENOENT', `${display} does not exist, and a new gzip file has no named members.`, {
    nextStep: 'Write the plain file, and pack it with gzip in bash.',
    details: { path: display },
  })
}

interface Change {
  readonly source: ResourceSource
  readonly archive: Archive
  readonly stored: StoredFile
  readonly inner: string
  readonly present: ArchiveMember | undefined
  readonly added: Uint8Array | undefined
  readonly nowMs: number
}

async function changedArchive({ source, archive, stored, inner, present, added, nowMs }: Change): Promise<Uint8Array> {
  const { form } = archive
  const mode = present?.mode ?? defaultMode
  const entry = added === undefined ? undefined : { name: inner, content: added, mtimeMs: nowMs, mode }
  const whole = stored.rev === 0 ? new Uint8Array() : await source.read()
  switch (form.format) {
    case 'zip':
      return rewriteZip(whole, form.directory, {
        replaced: new Map(present === undefined ? [] : [[present.index, entry]]),
        added: present === undefined && entry !== undefined ? [entry] : [],
      })
    case 'tar': {
      const removed = new Set(present === undefined ? [] : [present.index])
      const tar = rewriteTar(form.isGzip ? (form.bytes ?? whole) : whole, form.directory, removed, entry)
      return form.isGzip ? gzip(tar, nowMs) : tar
    }
    case 'gzip': {
      if (added === undefined)
        throw refusedWrite(`${source.display}:${inner}`, 'it is the only member of the file', 'Remove the file with rm in bash.')
      return gzip(added, nowMs)
    }
    case 'packed': {
      const why = `it is packed with ${form.packing}, which can be read and not written`
      throw refusedWrite(source.display, why, 'Write the files beside it, or make a zip or tar.gz with bash.')
    }
  }
}

/** Read again before it is written: a mistake here would cost the other members. */
async function checkWhole(bytes: Uint8Array, { format, ...form }: ArchiveForm, count: number): Promise<void> {
  if (format === 'gzip') return
  if (format === 'zip') {
    const { entries } = await readDirectory(readerOf(bytes))
    if (entries.length !== count) throw new Error(`the new archive has ${entries.length} entries instead of ${count}`)
    return
  }
  const tar = 'isGzip' in form && form.isGzip ? gunzip(bytes, 2 * archiveMaxBytes) : bytes
  await readTar(readerOf(tar))
}

async function textOf(member: ArchiveMember): Promise<string | undefined> {
  if (member.problem !== undefined) return undefined
  try {
    const decoded = decodeUtf8(await member.content())
    return decoded.kind === 'text' ? decoded.text : undefined
  } catch (error) {
    // A member that is damaged may be replaced by one that is not.
    if (error instanceof CodecError) return undefined
    throw error
  }
}
