// The error that a tab gets when the tab with the files does not answer, and how errors travel between tabs.

import { isVfsErrorCode, VfsError } from '../../../vfs/error.ts'
import type { Refusal } from './messages.ts'

/**
 * What is known of the change that failed. `not-done`: it did not happen and will not. `unknown`: it may have happened; once a tab that
 * has the files answers again it is there or will never be, so reading tells.
 */
export type Fate = 'not-done' | 'unknown'

/** `details` has `reason: 'leader-unresponsive'` and `fate`, because a page sees only the code and the details. */
export class LeaderUnresponsive extends VfsError {
  constructor(syscall: string, fate: Fate) {
    const what =
      fate === 'not-done'
        ? 'nothing was changed; try again, or close that tab'
        : 'whether this change was made is not known yet; read again before you repeat it, or close that tab'
    super('EAGAIN', syscall, {
      hint: `leader-unresponsive: the tab that has this stored filesystem open does not answer (it is busy, suspended or paused); ${what}`,
    })
    Object.assign(this.details, { reason: 'leader-unresponsive', fate })
  }
}

export function refusalOf(error: VfsError): Refusal {
  const { code, syscall, path, hint } = error
  return { code, syscall, ...(path === undefined ? {} : { path }), ...(hint === undefined ? {} : { hint }) }
}

export function errorOf({ code, syscall, path, hint }: Refusal): VfsError {
  return new VfsError(isVfsErrorCode(code) ? code : 'EIO', syscall, { path, hint })
}

export function closedFilesystem(): VfsError {
  return new VfsError('EBADF', 'open', { hint: 'this filesystem was closed' })
}
