// What an archive may be, and how it is refused.

import { AnchorageError } from '../../core/errors.ts'

/** Of the format without its 64-bit extension. The largest numbers stand for "see the extension". */
export const maxEntries = 65_534
export const maxArchiveBytes: number = 2 ** 32 - 2

/** How far an export or import is. */
export interface ZipProgress {
  readonly doneFiles: number
  readonly doneBytes: number
  /** Known from the start for an import; for an export it grows with `doneFiles`. */
  readonly totalFiles: number
}

export function damagedZip(why: string): AnchorageError {
  return new AnchorageError('zip-damaged', `The archive is damaged: ${why}. Nothing was changed. Next: get it again.`)
}

export function unsupportedZip(what: string): AnchorageError {
  return new AnchorageError(
    'zip-unsupported',
    `The archive cannot be read here: ${what}. Nothing was changed. Next: make one without that, or unpack it elsewhere.`,
  )
}

export function unsafeZip(name: string, why: string): AnchorageError {
  return new AnchorageError(
    'zip-unsafe',
    `The archive holds ${JSON.stringify(name)}, ${why}. Nothing was changed. Next: do not trust it; unpack it elsewhere if you must.`,
    { details: { name } },
  )
}

export function zipLimit(what: string, next: string): AnchorageError {
  return new AnchorageError('zip-limit', `${what} Nothing was changed. Next: ${next}.`)
}
