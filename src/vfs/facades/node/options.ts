// The options of single functions, checked as Node checks them.

import { checkBoolean, checkInteger, coded, optionsOf } from './arguments.ts'

export interface RemoveOptions {
  readonly recursive: boolean
  readonly force: boolean
  readonly maxRetries: number
  readonly retryDelay: number
}

const removeDefaults = { recursive: false, force: false, maxRetries: 0, retryDelay: 100 }

/** `rmdir` has no option `force`, and ignores it. */
export function parseRemoveOptions(given: unknown, hasForce = true): RemoveOptions {
  // Node refuses an option that is given as undefined.
  const options: RemoveOptions = { ...removeDefaults, ...optionsOf<RemoveOptions>(given, false) }
  const { recursive, force, maxRetries, retryDelay } = options
  if (hasForce) checkBoolean('options.force', force)
  checkBoolean('options.recursive', recursive)
  checkInteger('options.retryDelay', retryDelay, 0, 2 ** 31 - 1)
  checkInteger('options.maxRetries', maxRetries, 0, 2 ** 32 - 1)
  return options
}

/** A mode of three bits. Node's two errors about it have a special format. */
export function smallMode(mode: unknown): number {
  if (mode === undefined || mode === null) return 0
  if (typeof mode !== 'number')
    throw Object.assign(new TypeError('mode must be int32 or null/undefined'), { code: 'ERR_INVALID_ARG_TYPE' })
  if (!(mode >= 0 && mode <= 7)) {
    const range = Number.isFinite(mode) ? ': >= 0 && <= 7' : ''
    throw Object.assign(new RangeError(`mode is out of range${range}`), { code: 'ERR_OUT_OF_RANGE' })
  }
  return Math.trunc(mode)
}

export function checkLinkType(type: unknown): void {
  if (typeof type !== 'string' || type === 'dir' || type === 'file' || type === 'junction') return
  const message = `Symlink type must be one of "dir", "file", or "junction". Received "${type}"`
  throw coded(new Error(message), 'ERR_FS_INVALID_SYMLINK_TYPE')
}
