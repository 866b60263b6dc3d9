// The client of a WebContainer keeps only the name, message and stack of an error, and no code that a program could check
// (stackblitz/webcontainer-core#1171). The code is parsed from the message, only in this file.

import { AnchorageError } from '../../core/errors.ts'
import { isVfsErrorCode, VfsError, type VfsErrorCode } from '../../vfs/error.ts'
import type { ContainerFailure } from './wire.ts'

/** Without a code in the message: by the words of the runtime. */
const byWords: readonly (readonly [words: RegExp, code: VfsErrorCode])[] = [
  [/no such file or directory|not found/i, 'ENOENT'],
  [/not a directory/i, 'ENOTDIR'],
  [/is a directory|illegal operation on a directory/i, 'EISDIR'],
  [/already exists/i, 'EEXIST'],
  [/not empty/i, 'ENOTEMPTY'],
  [/permission denied|not permitted/i, 'EACCES'],
  [/out of memory|no space/i, 'ENOSPC'],
]

/** An error of the client as plain data. `path` is the path of the call. */
export function failureOf(error: unknown, path?: string): ContainerFailure {
  const message = error instanceof Error ? error.message : String(error)
  const where = path === undefined ? {} : { path }
  const first = /^(?:\w*Error: )?(E[A-Z0-9]+)\b/.exec(message)?.[1] ?? /^spawn .* (ENOENT)$/.exec(message)?.[1]
  if (first !== undefined) return { code: isVfsErrorCode(first) ? first : 'EIO', message, ...where }
  const code = byWords.find(([words]) => words.test(message))?.[1]
  return { code: code ?? 'EIO', message, ...where }
}

/** The error for the caller of a failed operation. */
export function toVfsError({ code, message, path }: ContainerFailure, syscall: string): AnchorageError {
  if (!isVfsErrorCode(code)) return new AnchorageError(code, message)
  const hint = `the container says: ${message}`
  return new VfsError(code, syscall, { path: path === undefined ? undefined : `/${path}`, hint })
}

export const lostCode = 'container-lost'

/** The error of every call in progress when the container is gone, and of every later call. */
export function lostError(why: string): AnchorageError {
  return new AnchorageError(
    lostCode,
    `The WebContainer is gone: ${why}. Its files are lost unless they were stored elsewhere. Next: open a new container and connect a new workspace.`,
    { details: { why } },
  )
}
