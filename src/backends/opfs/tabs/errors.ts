// The error that a tab gets when the tab with the files does not answer, and how errors travel between tabs.

import { isVfsErrorCode, VfsError } from '../../../vfs/error.ts'
import type { Refusal } from './messages.ts'

/**
 * Whether the failed change was made. `not-done`: it was not made and will not be. `unknown`: it may have been made. Once a tab with the
 * files answers again, the question is decided, and reading shows the answer.
 */
export type Fate = 'not-done' | 'unknown'

/** `details` contains `reason: 'leader-unresponsive'` and `fate`, because a page receives only the code and the details. */
export class LeaderUnresponsive extends VfsError {
  constructor(syscall: string, fate: Fate) {
    const what =
      fate === 'not-done'
        ? 'nothing was changed; try again, or close that tab'
        : 'it is not known yet whether this change was made; read again before you repeat it, or close that tab'
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

/** Every failed request gets an answer: the failure must neither end this tab nor leave the other one waiting. */
export function failureOf(error: unknown, syscall: string): VfsError {
  return error instanceof VfsError ? error : new VfsError('EIO', syscall, { hint: String(error), cause: error })
}
