// The binary formats that the command `file` knows, by their first bytes.

import { describeAr, dateText, describeDatabase, describeGzip, describeZip, isTar } from './archive-types.ts'
import { viewOf, type BinaryView } from './binary-view.ts'
import { describeElf } from './elf-type.ts'
import {
  describeBitmap,
  describeGif,
  describeIcon,
  describeJpeg,
  describePng,
  describeTiff,
  describeWebP,
} from './picture-types.ts'

interface BinaryType {
  readonly description: string
  readonly mime: string
}

type Describe = (view: BinaryView) => string | BinaryType

const describeNetpbm: Describe = view => {
  const kinds: Readonly<Record<string, readonly [string, string]>> = {
    P4: ['bitmap', 'bit'],
    P5: ['greymap', 'grey'],
    P6: ['pixmap', 'pix'],
  }
  const [name, mime] = kinds[view.text(0, 2)] ?? ['', '']
  const [, width, height] = /^P.\s(?:#[^\n]*\n)*(\d+)\s+(\d+)/.exec(view.text(0, 1024)) ?? []
  return { description: `Netpbm image data, size = ${width} x ${height}, rawbits, ${name}`, mime: `image/x-portable-${mime}map` }
}

const describePdf: Describe = view => {
  const tree = /\/Type ?\/Pages[^]{0,500}?\/Count (\d+)/.exec(view.text(0, view.length))
  const packed = view.text(0, view.length).includes('/FlateDecode') ? ' (zip deflate encoded)' : ''
  const count = tree?.[1]
  return `PDF document, version ${view.text(5, 8)}${count === undefined ? '' : `, ${count} pages${packed}`}`
}

const describeWave: Describe = view => {
  const channels = view.short(22, true)
  const kinds: Readonly<Record<number, string>> = {
    1: 'Microsoft PCM',
    3: 'IEEE Float',
    6: 'ITU G.711 A-law',
    7: 'ITU G.711 mu-law',
    0x55: 'MPEG Layer 3',
  }
  const kind = kinds[view.short(20, true)]
  const bits = view.short(34, true)
  const shown = channels === 1 ? 'mono' : channels === 2 ? 'stereo' : `${channels} channels`
  return `RIFF (little-endian) data, WAVE audio${kind === undefined ? '' : `, ${kind}`}${bits > 0 ? `, ${bits} bit` : ''}, ${shown} ${view.long(24, true)} Hz`
}

/** A class of Java, or a program for several machines: both begin alike, and a small number means the second. */
const describeCafebabe: Describe = view => {
  const count = view.long(4)
  if (count < 43)
    return {
      description: `Mach-O universal binary with ${count} architecture${count === 1 ? '' : 's'}`,
      mime: 'application/x-mach-binary',
    }
  const [major, minor] = [view.short(6), view.short(4)]
  const java = major >= 46 && major <= 65 ? `${major < 53 ? '1.' : 'SE '}${major - 44}` : undefined
  return `compiled Java class data, version ${major}.${minor}${java === undefined ? '' : ` (Java ${java})`}`
}

const describeMach: Describe = view => {
  const machines: Readonly<Record<number, string>> = { 0x01000007: 'x86_64', 0x0100000c: 'arm64' }
  const kinds: Readonly<Record<number, string>> = {
    1: 'object',
    2: 'executable',
    6: 'dynamically linked shared library',
    8: 'bundle',
  }
  return `Mach-O 64-bit ${machines[view.long(4, true)] ?? ''} ${kinds[view.long(12, true)] ?? ''}`
}

const describeExe: Describe = view => {
  const at = view.long(60, true)
  if (view.text(at, at + 4) !== 'PE\0\0') return 'MS-DOS executable, MZ for MS-DOS'
  const machines: Readonly<Record<number, string>> = {
    0x14c: 'Intel 80386',
    0x8664: 'x86-64',
    0xaa64: 'Aarch64',
    0x1c4: 'ARMv7 Thumb',
  }
  const screens: Readonly<Record<number, string>> = { 1: 'native', 2: 'GUI', 3: 'console', 10: 'EFI application' }
  const isWide = view.short(at + 24, true) === 0x20b
  const kind = (view.short(at + 22, true) & 0x2000) === 0 ? 'executable' : 'executable (DLL)'
  const screen = screens[view.short(at + 92, true)] ?? ''
  const sections = view.short(at + 6, true)
  return `PE32${isWide ? '+' : ''} ${kind} (${screen}) ${machines[view.short(at + 4, true)] ?? ''}, for MS Windows, ${sections} sections`
}

const describeMedia: Describe = view => {
  const brands: Readonly<Record<string, readonly [string, string]>> = {
    isom: ['MP4 Base Media v1 [ISO 14496-12:2003]', 'video/mp4'],
    iso2: ['MP4 Base Media v2 [ISO 14496-12:2005]', 'video/mp4'],
    iso5: ['MP4 Base Media v5', 'video/mp4'],
    iso6: ['MP4 Base Media v6', 'video/mp4'],
    mp41: ['MP4 v1 [ISO 14496-1:ch13]', 'video/mp4'],
    mp42: ['MP4 v2 [ISO 14496-14]', 'video/mp4'],
    avc1: ['MP4 Base Media w/ AVC ext [ISO 14496-12:2005]', 'video/mp4'],
    'M4A ': ['Apple iTunes ALAC/AAC-LC (.M4A) Audio', 'audio/x-m4a'],
    'M4V ': ['Apple iTunes Video (.M4V) Video', 'video/x-m4v'],
    'qt  ': ['Apple QuickTime movie, Apple QuickTime (.MOV/QT)', 'video/quicktime'],
    avif: ['AVIF Image', 'image/avif'],
    heic: ['HEIF Image HEVC Main or Main Still Picture Profile', 'image/heic'],
  }
  const [name, mime] = brands[view.text(8, 12)] ?? ['', 'application/octet-stream']
  return { description: name === '' ? 'ISO Media' : `ISO Media, ${name}`, mime }
}

const describePython: Describe = view => {
  const magic = view.short(0, true)
  const versions = [
    [3379, '3.6'],
    [3394, '3.7'],
    [3413, '3.8'],
    [3425, '3.9'],
    [3439, '3.10'],
    [3495, '3.11'],
  ] as const
  const version = versions.find(([last]) => magic <= last)?.[1] ?? '3.12 or newer'
  if ((view.long(4, true) & 1) !== 0)
    return `Byte-compiled Python module for CPython ${version}, hash-based, check-source flag ${(view.long(4, true) & 2) === 0 ? 'un' : ''}set`
  return `Byte-compiled Python module for CPython ${version}, timestamp-based, .py timestamp: ${dateText(view.long(8, true))} UTC, .py size: ${view.long(12, true)} bytes`
}

const describeFont =
  (name: string): Describe =>
  view =>
    `${name}, ${view.text(4, 8) === 'OTTO' ? 'CFF' : 'TrueType'}, length ${view.long(8)}, version ${view.short(name.includes('2') ? 24 : 20)}.${view.short(name.includes('2') ? 26 : 22)}`

const describeEbml: Describe = view => {
  const head = view.text(0, 4096)
  if (/\x42\x82.webm/.test(head)) return { description: 'WebM', mime: 'video/webm' }
  return /\x42\x82.matroska/.test(head)
    ? { description: 'Matroska data', mime: 'video/x-matroska' }
    : { description: 'EBML file', mime: 'application/octet-stream' }
}

interface Format {
  readonly begin: RegExp
  readonly describe: string | Describe
  readonly mime: string
}

const row = (begin: RegExp, describe: string | Describe, mime = 'application/octet-stream'): Format => ({ begin, describe, mime })

const formats: readonly Format[] = [
  row(/^\x89PNG\r\n\x1a\n[^]{4}IHDR/, view => describePng(view), 'image/png'),
  row(/^GIF8[79]a/, describeGif, 'image/gif'),
  row(/^\xff\xd8\xff/, describeJpeg, 'image/jpeg'),
  row(/^BM[^]{12}[\x0c\x28\x6c\x7c]\0\0\0/, describeBitmap, 'image/bmp'),
  row(/^(?:II\*\0|MM\0\*)/, view => describeTiff(view), 'image/tiff'),
  row(/^\0\0\x01\0[^\0]\0[^]{2}[^]\0/, describeIcon, 'image/vnd.microsoft.icon'),
  row(/^RIFF[^]{4}WEBP/, describeWebP, 'image/webp'),
  row(/^RIFF[^]{4}WAVEfmt /, describeWave, 'audio/x-wav'),
  row(/^P[456]\s(?:#[^\n]*\n)*\d+\s+\d+\s/, describeNetpbm),
  row(/^8BPS/, 'Adobe Photoshop Image', 'image/vnd.adobe.photoshop'),
  row(/^%PDF-\d\.\d/, describePdf, 'application/pdf'),
  row(/^PK(?:\x03\x04|\x05\x06)/, describeZip),
  row(/^\x1f\x8b/, describeGzip, 'application/gzip'),
  row(/^BZh\d/, view => `bzip2 compressed data, block size = ${view.text(3, 4)}00k`, 'application/x-bzip2'),
  row(
    /^\xfd7zXZ\0/,
    view =>
      `XZ compressed data, checksum ${({ 0: 'NONE', 1: 'CRC32', 4: 'CRC64', 10: 'SHA-256' } as Readonly<Record<number, string>>)[view.byte(7)] ?? ''}`,
    'application/x-xz',
  ),
  row(
    /^\x28\xb5\x2f\xfd/,
    view => `Zstandard compressed data (v0.8+), Dictionary ID: ${(view.byte(4) & 3) === 0 ? 'None' : view.byte(5)}`,
    'application/zstd',
  ),
  row(/^\x04\x22\x4d\x18/, 'LZ4 compressed data (v1.4+)', 'application/x-lz4'),
  row(/^LZIP/, view => `lzip compressed data, version: ${view.byte(4)}`, 'application/x-lzip'),
  row(/^\x1f\x9d/, view => `compress'd data ${view.byte(2) & 31} bits`, 'application/x-compress'),
  row(
    /^7z\xbc\xaf\x27\x1c/,
    view => `7-zip archive data, version ${view.byte(6)}.${view.byte(7)}`,
    'application/x-7z-compressed',
  ),
  row(/^Rar!\x1a\x07\x01\0/, 'RAR archive data, v5', 'application/x-rar'),
  row(/^Rar!\x1a\x07\0/, 'RAR archive data', 'application/x-rar'),
  row(/^!<arch>\n/, describeAr),
  row(/^\x7fELF/, view => describeElf(view)),
  row(/^MZ/, describeExe, 'application/x-dosexec'),
  row(/^\xcf\xfa\xed\xfe/, describeMach, 'application/x-mach-binary'),
  row(/^\xca\xfe\xba\xbe/, describeCafebabe, 'application/x-java-applet'),
  row(
    /^\0asm/,
    view =>
      `WebAssembly (wasm) binary module version 0x${view.long(4, true).toString(16)}${view.long(4, true) === 1 ? ' (MVP)' : ''}`,
    'application/wasm',
  ),
  row(/^SQLite format 3\0/, describeDatabase, 'application/vnd.sqlite3'),
  row(/^[\x0c-\xff]\x0d\x0d\x0a[\0-\x03]\0\0\0/, describePython, 'application/x-bytecode.python'),
  row(/^ID3/, view => `Audio file with ID3 version 2.${view.byte(3)}.${view.byte(4)}`, 'audio/mpeg'),
  row(/^OggS[^]{24}\x01vorbis/, 'Ogg data, Vorbis audio', 'audio/ogg'),
  row(/^OggS[^]{24}OpusHead/, 'Ogg data, Opus audio', 'audio/ogg'),
  row(/^fLaC/, 'FLAC audio bitstream data', 'audio/flac'),
  row(/^[^]{4}ftyp/, describeMedia),
  row(/^\x1a\x45\xdf\xa3/, describeEbml),
  row(/^\0\x01\0\0\0[^\0]/, view => `TrueType Font data, ${view.short(4)} tables, 1st "${view.text(12, 16)}"`, 'font/sfnt'),
  row(/^OTTO/, 'OpenType font data', 'application/vnd.ms-opentype'),
  row(/^wOFF/, describeFont('Web Open Font Format'), 'font/woff'),
  row(/^wOF2/, describeFont('Web Open Font Format (Version 2)'), 'font/woff2'),
  row(/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'OLE 2 Compound Document', 'application/x-ole-storage'),
  row(/^\x93NUMPY/, view => `NumPy array, version ${view.byte(6)}.${view.byte(7)}, header length ${view.short(8, true)}`),
  row(/^PAR1/, 'Apache Parquet'),
  row(/^Obj\x01/, 'Apache Avro version 1'),
  row(/^DIRC/, view => `Git index, version ${view.long(4)}, ${view.long(8)} entries`),
  row(/^PACK/, view => `Git pack, version ${view.long(4)}, ${view.long(8)} objects`, 'application/x-git'),
  row(
    /^\xde\x12\x04\x95/,
    view =>
      `GNU message catalog (little endian), revision ${view.short(6, true)}.${view.short(4, true)}, ${view.long(8, true)} messages`,
    'application/x-gettext-translation',
  ),
  row(/^glTF/, view => `glTF binary model, version ${view.long(4, true)}`),
  row(/^icns/, view => `Mac OS X icon, ${view.long(4)} bytes, "${view.text(8, 12)}" type`, 'image/x-icns'),
]

export function binaryTypeOf(bytes: Uint8Array, head: string): BinaryType | undefined {
  const view = viewOf(bytes)
  const format = formats.find(({ begin }) => begin.test(head))
  if (format !== undefined) {
    const described = typeof format.describe === 'string' ? format.describe : format.describe(view)
    return typeof described === 'string' ? { description: described, mime: format.mime } : described
  }
  if (!isTar(view)) return undefined
  const kind = /^ustar {2}\0/.test(head.slice(257))
    ? 'POSIX tar archive (GNU)'
    : head.startsWith('ustar\0', 257)
      ? 'POSIX tar archive'
      : 'tar archive'
  return { description: kind, mime: 'application/x-tar' }
}
