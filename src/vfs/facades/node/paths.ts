// Node takes a path as text, as bytes or as a file: URL, and resolves it from the process's directory.

import { sameBytes } from '../../../core/same-bytes.ts'
import { coded, invalidType, invalidValue, isBytes } from './arguments.ts'

/** A path as Node takes it: text, bytes or a file URL. */
export type NodePath = string | Uint8Array | URL

export function isPath(value: unknown): value is NodePath {
  return typeof value === 'string' || isBytes(value) || isUrl(value)
}

/** Node looks at the shape, so that the URLs of other realms and of jsdom count; objects of `url.parse` have `auth` and `path`. */
function isUrl(value: unknown): value is URL {
  const { href, protocol, auth, path } = Object(value) as Record<string, unknown>
  return Boolean(href && protocol) && auth === undefined && path === undefined
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Names are text here. Bytes that are not UTF-8 become halves of surrogate pairs, which every filesystem refuses with EINVAL: as replacement
 * characters they would name the same file as other bytes.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  if (!text.includes('\ufffd') || sameBytes(new TextEncoder().encode(text), bytes)) return text
  return text.replaceAll('\ufffd', '\udcff')
}

/** The path as Node would show it in an error, which is as it was given. `name` is the name of the argument. */
export function pathText(path: unknown, name = 'path'): string {
  const text = typeof path === 'string' ? path : isBytes(path) ? textOfBytes(path) : urlText(path, name)
  if (text.includes('\0'))
    throw invalidValue(name, isUrl(path) ? text : path, 'must be a string, Uint8Array, or URL without null bytes')
  return text
}

function urlText(url: unknown, name: string): string {
  if (!isUrl(url)) throw invalidType(name, 'of type string or an instance of Buffer or URL', url)
  const fail = (code: string, message: string): Error => coded(new TypeError(message), code)
  if (url.protocol !== 'file:') throw fail('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file')
  if (url.hostname !== '') throw fail('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux')
  if (/%2f/i.test(url.pathname)) throw fail('ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters')
  return decodeURIComponent(url.pathname)
}

/** Makes `text` absolute. An empty path stays empty, because it means ENOENT and not the working directory. */
export function absolute(text: string, workingDirectory: string): string {
  if (text === '' || text.startsWith('/')) return text
  return workingDirectory === '/' ? `/${text}` : `${workingDirectory}/${text}`
}

/** Removes '.', '//' and, after a name, '..'. */
export function normal(path: string): string {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name !== '..' || !path.startsWith('/')) names.push(name)
  }
  return path.startsWith('/') ? `/${names.join('/')}` : names.join('/') || '.'
}
