// Describes archives, compressed files and documents in archives for the command `file`.

import { zeroEnded, type BinaryView } from './binary-view.ts'

interface Described {
  readonly description: string
  readonly mime: string
}

const office: readonly (readonly [folder: string, name: string, kind: string])[] = [
  ['word/', 'Microsoft Word 2007+', 'wordprocessingml.document'],
  ['ppt/', 'Microsoft PowerPoint 2007+', 'presentationml.presentation'],
  ['xl/', 'Microsoft Excel 2007+', 'spreadsheetml.sheet'],
]

const openDocuments: Readonly<Record<string, string>> = {
  text: 'Text',
  'text-template': 'Text Template',
  'text-master': 'Master Document',
  spreadsheet: 'Spreadsheet',
  'spreadsheet-template': 'Spreadsheet Template',
  presentation: 'Presentation',
  'presentation-template': 'Presentation Template',
  graphics: 'Drawing',
  'graphics-template': 'Drawing Template',
  formula: 'Formula',
}

const methods: Readonly<Record<number, string>> = {
  0: 'store',
  8: 'deflate',
  9: 'deflate64',
  12: 'bzip2',
  14: 'lzma',
  93: 'zstd',
  95: 'xz',
}

export function describeZip(view: BinaryView): Described {
  if (view.byte(2) === 5) return { description: 'Zip archive data (empty)', mime: 'application/zip' }
  const first = zipName(view, 0)
  if (first === 'mimetype') {
    const size = view.long(18, true)
    const declared = view.text(38, 38 + size)
    const kind = openDocuments[declared.replace('application/vnd.oasis.opendocument.', '')]
    if (kind !== undefined) return { description: `OpenDocument ${kind}`, mime: declared }
    if (declared === 'application/epub+zip') return { description: 'EPUB document', mime: declared }
  }
  if (/^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps|word\/|ppt\/|xl\/)/.test(first)) {
    const names = [first]
    for (let at = nextZipEntry(view, 1); at > 0 && names.length < 4; at = nextZipEntry(view, at + 1))
      names.push(zipName(view, at))
    const found = [0, 2, 3]
      .map(index => office.find(([folder]) => names[index]?.startsWith(folder)))
      .find(kind => kind !== undefined)
    if (found !== undefined) return { description: found[1], mime: `application/vnd.openxmlformats-officedocument.${found[2]}` }
  }
  if (view.short(28, true) >= 4 && view.short(30 + first.length, true) === 0xcafe)
    return { description: 'Java archive data (JAR)', mime: 'application/java-archive' }
  const version = (view.byte(4) / 10).toFixed(1)
  const method = methods[view.short(8, true)] ?? `[${view.short(8, true).toString(16)}]`
  return {
    description: `Zip archive data, at least v${version} to extract, compression method=${method}`,
    mime: 'application/zip',
  }
}

const zipName = (view: BinaryView, at: number): string => view.text(at + 30, at + 30 + view.short(at + 26, true))

function nextZipEntry(view: BinaryView, from: number): number {
  return view.text(0, view.length).indexOf('PK\x03\x04', from)
}

const gzipSystems: Readonly<Record<number, string>> = {
  0: 'FAT filesystem (MS-DOS, OS/2, NT)',
  1: 'Amiga',
  3: 'Unix',
  7: 'MacOS',
  10: 'TOPS/20',
  11: 'NTFS filesystem (NT)',
}

export function describeGzip(view: BinaryView): string {
  const flags = view.byte(3)
  const seconds = view.long(4, true)
  const parts = ['gzip compressed data']
  if (view.byte(2) !== 8) parts.push('unknown method')
  if ((flags & 1) !== 0) parts.push('ASCII')
  if ((flags & 2) !== 0) parts.push('has CRC')
  if ((flags & 4) !== 0) parts.push('extra field')
  if ((flags & 12) === 8) parts.push(`was "${zeroEnded(view, 10)}"`)
  if ((flags & 16) !== 0) parts.push('has comment')
  if ((flags & 32) !== 0) parts.push('encrypted')
  if (seconds > 0) parts.push(`last modified: ${dateText(seconds)}`)
  if (view.byte(8) === 2) parts.push('max compression')
  if (view.byte(8) === 4) parts.push('max speed')
  const system = gzipSystems[view.byte(9)]
  if (system !== undefined) parts.push(`from ${system}`)
  return [...parts, `original size modulo 2^32 ${view.long(view.length - 4, true)}`].join(', ')
}

/** A time as C's `ctime` writes it, in UTC. */
export function dateText(seconds: number): string {
  const [, weekday, day, month, year, time] =
    /^(\w+), 0?(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(seconds * 1000).toUTCString()) ?? []
  return `${weekday} ${month} ${day?.padStart(2)} ${time} ${year}`
}

export function describeDatabase(view: BinaryView): string {
  const encodings = ['unknown 0 encoding', 'UTF-8', 'UTF-16 little endian', 'UTF-16 big endian']
  const user = view.long(60)
  return [
    'SQLite 3.x database',
    ...(user > 0 ? [`user version ${user}`] : []),
    `last written using SQLite version ${view.long(96)}`,
    ...(view.short(16) !== 4096 ? [`page size ${view.short(16) === 1 ? 65_536 : view.short(16)}`] : []),
    ...(view.byte(18) > 1 ? [`writer version ${view.byte(18)}`] : []),
    ...(view.byte(19) > 1 ? [`read version ${view.byte(19)}`] : []),
    ...(view.byte(20) > 0 ? [`unused bytes ${view.byte(20)}`] : []),
    `file counter ${view.long(24)}`,
    `database pages ${view.long(28)}`,
    ...(view.long(32) > 0 ? [`1st free page ${view.long(32)}, free pages ${view.long(36)}`] : []),
    `cookie ${view.long(40) === 0 ? '' : '0x'}${view.long(40).toString(16)}`,
    `schema ${view.long(44)}`,
    encodings[view.long(56)] ?? `unknown ${view.long(56)} encoding`,
    `version-valid-for ${view.long(92)}`,
  ].join(', ')
}

/** An archive of `ar`: a Debian package, or a library. */
export function describeAr(view: BinaryView): Described {
  if (view.text(8, 21) !== 'debian-binary') return { description: 'current ar archive', mime: 'application/x-archive' }
  const members = view.text(68, view.length)
  const names = [...members.matchAll(/(control|data)\.tar(?:\.(\w+))?/g)]
  const control = names.find(([, part]) => part === 'control')
  const data = names.find(([, part]) => part === 'data')
  const parts = [
    view.length > 68 ? `Debian binary package (format ${view.text(68, 71)})` : 'Debian binary package',
    ...(control === undefined ? [] : [`with ${control[0]}`]),
    ...(data === undefined ? [] : [`data compression ${data[2] ?? 'none'}`]),
  ]
  return { description: parts.join(', '), mime: 'application/vnd.debian.binary-package' }
}

/** Whether the first block is the header of a tar archive: its own sum of bytes says so. */
export function isTar(view: BinaryView): boolean {
  const declared = /^ *([0-7]+)[ \0]/.exec(view.text(148, 156))?.[1]
  if (declared === undefined || view.length < 512) return false
  let sum = 8 * 32
  for (let index = 0; index < 512; index += 1) if (index < 148 || index >= 156) sum += view.byte(index)
  return sum === Number.parseInt(declared, 8)
}
