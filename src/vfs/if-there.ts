// Entries that may be missing: the result is `undefined` then. Other errors are thrown.

import { isVfsError, type VfsErrorCode } from './error.ts'

/** The result of `look`; `undefined` if it fails with one of `codes`, or with any code of a filesystem if none is given. */
export function ifThere<T>(look: () => T, ...codes: readonly VfsErrorCode[]): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isVfsError(error, ...codes)) return undefined
    throw error
  }
}

/** The same for a promise. */
export async function ifThereLater<T>(look: () => Promise<T>, ...codes: readonly VfsErrorCode[]): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (isVfsError(error, ...codes)) return undefined
    throw error
  }
}
