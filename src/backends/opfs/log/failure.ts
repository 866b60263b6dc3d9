// What a platform throws when it cannot store or read, in the filesystem's words. Browsers agree on names, never on messages.

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
      hint: 'the browser gives this site no more room, and nothing was changed; delete something, or ask the person to allow more',
      cause: error,
    })
  }
  return new VfsError('EIO', syscall, {
    hint: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    cause: error,
  })
}

/** A store that is there and of which something is lost. It is never replaced by an empty one. */
export function damagedStore(losses: readonly Loss[]): AnchorageError {
  return new AnchorageError(
    'store-damaged',
    `The stored filesystem is damaged. Lost: ${describeLosses(losses)}. Nothing was changed. ` +
      "Next: open it with onDamage: 'cut' to go on with all that is whole, or remove it for good with deleteStore.",
    { details: { losses: losses.map(loss => ({ ...loss })) } },
  )
}

/** `version`: of the format; that of this release where only a record shows that a newer one wrote it. */
export function newerStore(version: number): AnchorageError {
  return new AnchorageError(
    'store-newer',
    `The stored filesystem was written by a newer release (format ${version}). Nothing was changed. Next: update anchorage.`,
    { details: { version } },
  )
}
