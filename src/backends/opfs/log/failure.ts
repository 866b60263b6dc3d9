// What a platform throws when it cannot store or read, in the filesystem's words. Browsers agree on names, never on messages.

import { AnchorageError } from '../../../core/errors.ts'
import { VfsError } from '../../../vfs/error.ts'

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

/** A store that is there and cannot be used as it is. It is never replaced by an empty one. */
export function damagedStore(why: string): AnchorageError {
  return new AnchorageError(
    'store-damaged',
    `The stored filesystem cannot be opened: ${why}. Nothing was changed. ` +
      "Next: open it with onDamage: 'cut' to go back to the last state that is whole, or remove it for good with deleteStore.",
  )
}
