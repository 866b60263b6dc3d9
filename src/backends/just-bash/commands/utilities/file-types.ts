// Detects the type of a file from its first bytes, for the command `file`.

import { latin1Text } from '../../encoding.ts'
import { isCommaSeparated, textKindOf } from './source-types.ts'

export interface FileType {
  readonly description: string
  readonly mime: string
  readonly charset: string
}

type Detail = (head: string) => string

const number = (text: string, isLittle: boolean): number =>
  Array.from(isLittle ? Array.from(text).toReversed() : text).reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)

const pngColors: Readonly<Record<number, string>> = { 0: 'grayscale', 2: 'RGB', 3: 'colormap', 4: 'gray+alpha', 6: 'RGBA' }

const pngDetail: Detail = head => {
  const [width, height] = [number(head.slice(16, 20), false), number(head.slice(20, 24), false)]
  const color = pngColors[head.charCodeAt(25)] ?? ''
  return `PNG image data, ${width} x ${height}, ${head.charCodeAt(24)}-bit${color === 'grayscale' ? ' ' : '/color '}${color}, ${head.charCodeAt(28) === 1 ? 'interlaced' : 'non-interlaced'}`
}

const binaries: readonly (readonly [begin: RegExp, description: string | Detail, mime: string])[] = [
  [/^\x89PNG\r\n\x1a\n[^]{4}IHDR[^]{13}/, pngDetail, 'image/png'],
  [
    /^GIF8[79]a/,
    head => `GIF image data, version ${head.slice(3, 6)}, ${number(head.slice(6, 8), true)} x ${number(head.slice(8, 10), true)}`,
    'image/gif',
  ],
  [/^\xff\xd8\xff/, 'JPEG image data', 'image/jpeg'],
  [/^RIFF[^]{4}WEBP/, 'RIFF (little-endian) data, Web/P image', 'image/webp'],
  [/^%PDF-(\d\.\d)/, head => `PDF document, version ${head.slice(5, 8)}`, 'application/pdf'],
  [
    /^PK(?:\x03\x04|\x05\x06)/,
    head =>
      head.startsWith('PK\x05')
        ? 'Zip archive data (empty)'
        : `Zip archive data, at least v${(head.charCodeAt(4) / 10).toFixed(1)} to extract, compression method=${head.charCodeAt(8) === 8 ? 'deflate' : 'store'}`,
    'application/zip',
  ],
  [/^\x1f\x8b/, 'gzip compressed data', 'application/gzip'],
  [/^BZh/, 'bzip2 compressed data', 'application/x-bzip2'],
  [/^\xfd7zXZ\0/, 'XZ compressed data', 'application/x-xz'],
  [/^\x28\xb5\x2f\xfd/, 'Zstandard compressed data', 'application/zstd'],
  [/^\x7fELF/, 'ELF', 'application/x-executable'],
  [/^\0asm/, 'WebAssembly (wasm) binary module', 'application/wasm'],
  [/^SQLite format 3\0/, 'SQLite 3.x database', 'application/vnd.sqlite3'],
  [/^[^]{257}ustar {2}\0/, 'POSIX tar archive (GNU)', 'application/x-tar'],
  [/^[^]{257}ustar\0/, 'POSIX tar archive', 'application/x-tar'],
]

const texts: readonly (readonly [begin: RegExp, name: string, mime: string, isExecutable: boolean])[] = [
  [/^#! ?\/(?:usr\/)?(?:local\/)?bin\/(?:env )?bash/, 'Bourne-Again shell script', 'text/x-shellscript', true],
  [/^#! ?\/(?:usr\/)?bin\/(?:env )?(?:da)?sh/, 'POSIX shell script', 'text/x-shellscript', true],
  [/^#!.*python/, 'Python script', 'text/x-script.python', true],
  [/^#!.*perl/, 'Perl script', 'text/x-perl', true],
  [/^#!.*ruby/, 'Ruby script', 'text/x-ruby', true],
  [/^#!.*awk/, 'awk script', 'text/x-awk', true],
  [/^<\?xml(?![^]{0,400}<svg)/, 'XML 1.0 document', 'text/xml', false],
]

export function typeOf(bytes: Uint8Array): FileType {
  if (bytes.length === 0) return { description: 'empty', mime: 'inode/x-empty', charset: 'binary' }
  const head = latin1Text(bytes.subarray(0, 65_536))
  for (const [begin, description, mime] of binaries)
    if (begin.test(head))
      return { description: typeof description === 'string' ? description : description(head), mime, charset: 'binary' }
  const wide = wideText(bytes)
  if (wide !== undefined) return wide
  const encoding = encodingOf(bytes, head)
  if (encoding === undefined) return { description: 'data', mime: 'application/octet-stream', charset: 'binary' }
  const { name, charset } = encoding
  if (isJson(bytes)) return { description: 'JSON text data', mime: 'application/json', charset }
  if (isJsonLines(bytes)) return { description: 'New Line Delimited JSON text data', mime: 'application/x-ndjson', charset }
  if (isCommaSeparated(head)) return { description: 'CSV text', mime: 'text/csv', charset }
  const lines = lineEndings(head)
  if (/^#!.*\bnode\b/.test(head))
    return { description: `Node.js script executable, ${name}${lines}`, mime: 'application/javascript', charset }
  for (const [begin, kind, mime, isExecutable] of texts)
    if (begin.test(head)) return { description: `${kind}, ${name}${isExecutable ? ' executable' : ''}${lines}`, mime, charset }
  const kind = textKindOf(head)
  if (kind === undefined) return { description: name + lines, mime: 'text/plain', charset }
  const encoded = kind.adds === false ? '' : `, ${name}${kind.isExecutable === true ? ' executable' : ''}${lines}`
  return { description: kind.name + encoded, mime: kind.mime, charset }
}

/** UTF-16 with a byte order mark. */
function wideText(bytes: Uint8Array): FileType | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return undefined
  const text = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes.subarray(0, 65_536))
  if (/[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]/.test(text)) return undefined
  const order = isLittle ? 'little' : 'big'
  const description = `Unicode text, UTF-16, ${order}-endian text${lineEndings(text)}`
  return { description, mime: 'text/plain', charset: `utf-16${isLittle ? 'le' : 'be'}` }
}

function encodingOf(bytes: Uint8Array, head: string): { readonly name: string; readonly charset: string } | undefined {
  if (/[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]/.test(head)) return undefined
  if (!/[\x80-\xff]/.test(head)) return { name: 'ASCII text', charset: 'us-ascii' }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { name: `Unicode text, UTF-8 ${head.startsWith('\xef\xbb\xbf') ? '(with BOM) ' : ''}text`, charset: 'utf-8' }
  } catch {
    return /[\x80-\x9f]/.test(head)
      ? { name: 'Non-ISO extended-ASCII text', charset: 'unknown-8bit' }
      : { name: 'ISO-8859 text', charset: 'iso-8859-1' }
  }
}

const mostJsonBytes = 1024 * 1024

function isJson(bytes: Uint8Array): boolean {
  if (bytes.length > mostJsonBytes) return false
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined
    return typeof value === 'object'
  } catch {
    return false
  }
}

function isJsonLines(bytes: Uint8Array): boolean {
  const lines = new TextDecoder()
    .decode(bytes.subarray(0, mostJsonBytes))
    .split('\n')
    .filter(line => line !== '')
  return lines.length > 1 && lines.every(line => /^\s*\{/.test(line) && isJson(new TextEncoder().encode(line)))
}

function lineEndings(head: string): string {
  const longest = Math.max(...head.split(/\r\n|\r|\n/).map(line => line.length))
  const long = longest > 300 ? `, with very long lines (${longest})` : ''
  const found = [/\r\n/.test(head) && 'CRLF', /\r(?!\n)/.test(head) && 'CR', /(?<!\r)\n/.test(head) && 'LF'].filter(
    kind => kind !== false,
  )
  if (found.length === 0) return `${long}, with no line terminators`
  return found.length === 1 && found[0] === 'LF' ? long : `${long}, with ${found.join(', ')} line terminators`
}
