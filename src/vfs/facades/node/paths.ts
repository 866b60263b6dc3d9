// Node takes a path as text, as bytes or as a file: URL, and relative to the process's directory.

import { argumentError } from './errors.ts'

/** A path as Node takes it: text, bytes or a file URL. */
export type NodePath = string | Uint8Array | URL

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text that Node would show in an error, which is the path as it was given. */
export function pathText(path: NodePath): string {
  const text = typeof path === 'string' ? path : path instanceof Uint8Array ? decoder.decode(path) : urlText(path)
  if (text.includes('\0')) {
    throw argumentError(
      'ERR_INVALID_ARG_VALUE',
      `The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received ${JSON.stringify(text)}`,
    )
  }
  return text
}

function urlText(url: unknown): string {
  if (!(url instanceof URL)) {
    throw argumentError(
      'ERR_INVALID_ARG_TYPE',
      `The "path" argument must be a string, a Uint8Array or a URL. Received ${typeof url}`,
    )
  }
  if (url.protocol !== 'file:')
    throw argumentError('ERR_INVALID_ARG_VALUE', `The URL must be of scheme file. Received ${url.protocol}`)
  return decodeURIComponent(url.pathname)
}

/** `text` from `/`. An empty path stays empty, for it is ENOENT and not the working directory. */
export function absolute(text: string, workingDirectory: string): string {
  if (text === '' || text.startsWith('/')) return text
  return workingDirectory === '/' ? `/${text}` : `${workingDirectory}/${text}`
}
