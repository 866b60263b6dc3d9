// The limits of archives, and the errors that refuse them.

import { AnchorageError } from '../../core/errors.ts'

/** The limit of the format without its 64-bit extension, in which the largest number means "see the extension". */
export const maxEntries = 65_534
export const maxArchiveBytes: number = 2 ** 32 - 2

/** The progress of an export or import. */
export interface ZipProgress {
  readonly doneFiles: number
  readonly doneBytes: number
  /** For an import, known from the start; for an export it grows with `doneFiles`. */
  readonly totalFiles: number
}

export function damagedZip(why: string): AnchorageError {
  return new AnchorageError(
    'zip-damaged',
    `The archive is damaged: ${why}. Nothing was changed. Next: download or copy it again.`,
  )
}

export function unsupportedZip(what: string): AnchorageError {
  return new AnchorageError(
    'zip-unsupported',
    `The archive cannot be read here: ${what}. Nothing was changed. Next: create one without that, or unpack it elsewhere.`,
  )
}

export function unsafeZip(name: string, why: string): AnchorageError {
  return new AnchorageError(
    'zip-unsafe',
    `The archive contains ${JSON.stringify(name)}, ${why}. Nothing was changed. Next: do not trust it; unpack it elsewhere if you must.`,
    { details: { name } },
  )
}

export function zipLimit(what: string, next: string): AnchorageError {
  return new AnchorageError('zip-limit', `${what} Nothing was changed. Next: ${next}.`)
}
