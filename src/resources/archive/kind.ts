// zip, jar, tar and gz, and tar packed with gzip, xz, zstd or bzip2: `b.zip:` lists, `b.zip:src/a.txt` is a member, `a.zip:b.zip:c` is a member of an archive in an archive.

import { isGzip } from '../../codec/gzip.ts'
import { isTarHeader } from '../../codec/tar.ts'
import { ToolError } from '../../core/errors.ts'
import type { Resource, ResourceAddress, ResourceContext, ResourceMember, ResourceSource } from '../kind.ts'
import { readingArchive } from './failure.ts'
import { archiveMaxBytes, openArchive, type Archive, type ArchiveMember } from './open-archive.ts'

import { packingOf } from './packings.ts'

export { plan } from './plan.ts'

const maxListed = 500
const maxNamed = 5
const archiveName = /\.(?:zip|jar|tar|tgz|gz|xz|txz|zst|tzst|bz2|tbz2)$/i

export function claims(head: Uint8Array): boolean {
  const isZip = head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))
  return isZip || isGzip(head) || packingOf(head) !== undefined || isTarHeader(head.subarray(0, 512))
}

export async function open({ text, source, inner }: ResourceAddress, context: ResourceContext): Promise<Resource | undefined> {
  if (source === undefined) return undefined
  const archive = await readingArchive(source.display, () => openArchive(source, context))
  // `a.gz` shows its content; `a.gz:` lists it.
  const { form } = archive
  const isOne = form.format === 'gzip' || (form.format === 'packed' && !form.isTar)
  const only = isOne && inner === '' && !text.endsWith(':') ? archive.members[0] : undefined
  if (only !== undefined) return memberResource(source, archive, only, context)
  const found = lookUp(archive, inner)
  if (found === 'directory') return listing(source, archive, inner.replace(/\/$/, ''), context)
  if (found !== undefined) return memberResource(source, archive, found, context)
  return openNested(source, archive, inner, context)
}

function lookUp(archive: Archive, inner: string): ArchiveMember | 'directory' | undefined {
  if (inner === '') return 'directory'
  const name = inner.replace(/\/$/, '')
  const member = archive.byName.get(name)
  if (member !== undefined && !member.isDirectory) return inner.endsWith('/') ? undefined : member
  if (member !== undefined || archive.directories.has(name)) return 'directory'
  const unsafe = archive.members.find(each => each.unsafe !== undefined && each.name === name)
  if (unsafe === undefined) return undefined
  throw new ToolError('archive-name-unsafe', `The member ${JSON.stringify(unsafe.name)} is not opened: ${unsafe.unsafe}.`, {
    nextStep: 'Do not trust this archive.',
    details: { member: unsafe.name },
  })
}

/** One level: what lies deeper is unpacked first. */
async function openNested(
  source: ResourceSource,
  archive: Archive,
  inner: string,
  context: ResourceContext,
): Promise<Resource | undefined> {
  for (let colon = inner.indexOf(':'); colon !== -1; colon = inner.indexOf(':', colon + 1)) {
    const name = inner.slice(0, colon)
    const member = archiveName.test(name) ? archive.byName.get(name) : undefined
    if (member === undefined || member.isDirectory) continue
    const nested = memberSource(source, member)
    const rest = inner.slice(colon + 1)
    const within = await readingArchive(nested.display, () => openArchive(nested, context))
    const found = lookUp(within, rest)
    if (found === 'directory') return listing(nested, within, rest.replace(/\/$/, ''), context)
    if (found !== undefined) return memberResource(nested, within, found, context)
    if ([...within.byName.keys()].some(each => archiveName.test(each) && rest.startsWith(`${each}:`))) {
      throw new ToolError('archive-nested', `${nested.display}:${rest} is in three nested archives; at most two can be opened.`, {
        nextStep: 'Unpack the outer archive with bash first.',
      })
    }
  }
  return undefined
}

async function memberResource(
  source: ResourceSource,
  archive: Archive,
  member: ArchiveMember,
  context: ResourceContext,
): Promise<Resource> {
  const display = `${source.display}:${member.name}`
  const details = { member: member.name, mtimeMs: member.mtimeMs }
  if (member.isLink) {
    const target = new TextDecoder().decode(await readingArchive(source.display, () => member.content()))
    const text = `${display} is a symbolic link to ${JSON.stringify(target)}.`
    return { kind: 'text', display, text, details, notes: linkNotes(source, archive, member, target), members: () => noMembers() }
  }
  const twice = archive.duplicates.includes(member.name)
  return {
    kind: 'content',
    display,
    source: memberSource(source, member),
    details,
    ...(twice ? { notes: [`${display} is in the archive more than once; this is the last one, which unpacking leaves.`] } : {}),
    members: () => eachMember(source, [member], '', context),
  }
}

function linkNotes(source: ResourceSource, archive: Archive, { name }: ArchiveMember, target: string): readonly string[] {
  const parts = target.startsWith('/') ? ['..'] : [...name.split('/').slice(0, -1), ...target.split('/')]
  const resolved: string[] = []
  for (const part of parts) {
    if (part === '' || part === '.') continue
    if (part === '..' && resolved.pop() === undefined) return ['It leads out of the archive and is not followed.']
    if (part !== '..') resolved.push(part)
  }
  const path = resolved.join('/')
  return archive.byName.has(path) ? [`Read ${source.display}:${path}`] : ['Nothing in the archive has that name.']
}

function memberSource(source: ResourceSource, member: ArchiveMember): ResourceSource {
  const display = `${source.display}:${member.name}`
  let content: Promise<Uint8Array> | undefined
  return {
    display,
    sizeBytes: member.sizeBytes,
    async read(range) {
      const reading = content ?? readingArchive(source.display, () => member.content())
      // All of it is given away and not copied, because a member may be large.
      content = range === undefined ? undefined : reading
      const bytes = await reading
      if (range !== undefined) return bytes.slice(range.start ?? 0, range.end ?? bytes.length)
      return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
    },
  }
}

function listing(source: ResourceSource, archive: Archive, directory: string, context: ResourceContext): Resource {
  const prefix = directory === '' ? '' : `${directory}/`
  const names = new Set<string>()
  for (const { name, isDirectory, unsafe } of archive.members) {
    if (unsafe !== undefined || !name.startsWith(prefix)) continue
    const [first = '', ...below] = name.slice(prefix.length).split('/')
    if (first !== '') names.add(below.length > 0 || isDirectory ? `${first}/` : first)
  }
  const sorted = [...names].sort()
  const inside = archive.members.filter(({ name, unsafe }) => unsafe === undefined && name.startsWith(prefix))
  return {
    kind: 'entries',
    display: `${source.display}:${directory}`,
    names: sorted.slice(0, maxListed),
    total: sorted.length,
    details: { isDirectory: true, memberCount: archive.members.length },
    notes: listingNotes(archive),
    members: () => eachMember(source, inside, prefix, context),
  }
}

function listingNotes({ members, duplicates }: Archive): readonly string[] {
  const named = (names: readonly string[]): string =>
    `${names
      .slice(0, maxNamed)
      .map(name => JSON.stringify(name))
      .join(', ')}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}`
  const unsafe = members.filter(member => member.unsafe !== undefined).map(({ name }) => name)
  const closed = members.filter(({ problem }) => problem !== undefined)
  return [
    ...(unsafe.length === 0
      ? []
      : [`Left out, because their names lead out of the archive or are not in normal form: ${named(unsafe)}`]),
    ...(duplicates.length === 0 ? [] : [`More than once in the archive, the last one counts: ${named(duplicates)}`]),
    ...(closed.length === 0
      ? []
      : [`These cannot be unpacked here: ${closed.length} of ${members.length}. The first: ${closed[0]?.problem}`]),
  ]
}

/** What all members together unpack to is bounded: a search must not be a way to fill the memory. */
async function* eachMember(
  source: ResourceSource,
  members: readonly ArchiveMember[],
  prefix: string,
  { signal }: ResourceContext,
): AsyncGenerator<ResourceMember, void> {
  let unpackedBytes = 0
  const sorted = members.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  for (const member of sorted) {
    signal.throwIfAborted()
    const { name, isDirectory, isLink, mtimeMs, sizeBytes } = member
    const shown = { display: `${source.display}:${name}`, name: name.slice(prefix.length), isDirectory, mtimeMs }
    if (isDirectory || isLink) yield shown
    else {
      yield {
        ...shown,
        async text() {
          unpackedBytes += sizeBytes
          if (unpackedBytes > archiveMaxBytes) {
            throw new ToolError('archive-limit', `More than ${archiveMaxBytes} bytes of ${source.display} would be unpacked.`, {
              nextStep: 'Search a directory or a member of it.',
            })
          }
          const bytes = await readingArchive(source.display, () => member.content())
          return bytes.includes(0) ? undefined : bytes
        },
      }
    }
  }
}

async function* noMembers(): AsyncGenerator<ResourceMember, void> {}

/** `ENOENT`, with names that may have been meant. */
export async function missing({ source, inner, text }: ResourceAddress, context: ResourceContext): Promise<ToolError> {
  if (source === undefined) return new ToolError('ENOENT', `${text} does not exist.`)
  const archive = await readingArchive(source.display, () => openArchive(source, context))
  const base = inner.slice(inner.lastIndexOf('/') + 1).toLowerCase()
  const alike = [...archive.byName.keys()].filter(name => base !== '' && name.toLowerCase().endsWith(base)).slice(0, maxNamed)
  return new ToolError('ENOENT', `${source.display} has no member ${JSON.stringify(inner)}.`, {
    nextStep:
      alike.length === 0
        ? `List its members with read: ${source.display}:`
        : `It has ${alike.map(name => `${source.display}:${name}`).join(', ')}.`,
    details: { path: text },
  })
}
