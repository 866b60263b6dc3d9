// Turns the errors of a platform that cannot store or read into errors of the filesystem. Browsers agree on error names, not on messages.

import { AnchorageError } from '../../../core/errors.ts'
import { VfsError } from '../../../vfs/error.ts'
import { describeLosses, type Loss } from './losses.ts'

export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}

export function storageError(error: unknown, syscall: string): VfsError {
  if (error instanceof VfsError) return error
  if (isQuotaError(error)) {
    return new VfsError('ENOSPC', syscall, {
      hint: 'the browser allows this site no more storage, and nothing was changed; delete files, or ask the user to allow more storage',
      cause: error,
    })
  }
  return new VfsError('EIO', syscall, {
    hint: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    cause: error,
  })
}

/** The store exists, and part of it is lost. It is never replaced with an empty one. */
export function damagedStore(losses: readonly Loss[]): AnchorageError {
  return new AnchorageError(
    'store-damaged',
    `The stored filesystem is damaged. Lost: ${describeLosses(losses)}. Nothing was changed. ` +
      "Next: open it with onDamage: 'cut' to continue with everything undamaged, or remove it with deleteStore.",
    { details: { losses: losses.map(loss => ({ ...loss })) } },
  )
}

/** `version` is the version of the format. It is this release's version if only a record shows that a newer release wrote it. */
export function newerStore(version: number): AnchorageError {
  return new AnchorageError(
    'store-newer',
    `The stored filesystem was written by a newer release (format ${version}). Nothing was changed. Next: update anchorage.`,
    { details: { version } },
  )
}
