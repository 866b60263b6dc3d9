// How the media type from a server determines the kind of a content.

import { ownValue } from '../../core/record.ts'

/** Types that are opened like a file with such a name. JSON is not among them, because it is text. */
const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/x-ipynb+json': 'ipynb',
  'application/zip': 'zip',
  'application/java-archive': 'jar',
  'application/x-tar': 'tar',
  'application/gzip': 'gz',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/x-icon': 'ico',
}

const byName = /\.(pdf|docx?|xlsx?|pptx?|odt|rtf|epub|ipynb|zip|jar|tar|tgz|gz|png|jpe?g|gif|webp|bmp|tiff?|ico)$/i
const unspecific: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/download'])

/** The extension of a file of this type; if the type is not known, the extension in the address. */
export function extensionOf(type: string, url: URL): string | undefined {
  const named = ownValue(extensions, type)
  if (named !== undefined) return named
  const own = byName.exec(url.pathname)?.[1]?.toLowerCase()
  return own === 'ipynb' || unspecific.has(type) ? own : undefined
}

export function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml'
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)[\s>]/i.test(text.slice(0, 2000))
}

/** If the type does not show it, a null byte does. */
export function isTextual(type: string, bytes: Uint8Array): boolean {
  if (type.startsWith('text/') || /[/+](?:json|xml|yaml|x-yaml|javascript|toml|sql)$/.test(type)) return true
  return unspecific.has(type) && !bytes.subarray(0, 8192).includes(0)
}
