// Errors of files by their errno names, and their wording in Unix programs.

export function errno(code: string, reason: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${reason}, '${path}'`), { code, path })
}

/** Whether only a directory can have this name: it ends in a slash, or in a dot behind one. */
export function namesDirectory(name: string): boolean {
  return /\/\.?$/.test(name)
}

/** Throws for the name of a file that only a directory can have. */
export function checkFileName(name: string): void {
  if (namesDirectory(name)) throw errno('ENOTDIR', 'not a directory', name)
}

/** The errno name of a filesystem error: its code, or the beginning of a message in Node's form. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? /^E[A-Z]+(?=: )/.exec(error.message)?.[0] : undefined
}

/** Whether the engine ran out of stack. V8 and JavaScriptCore throw a `RangeError`, Firefox throws an error of its own. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/.test(error.message)
}

export const nestsTooDeeply = 'this nests too deeply; use fewer levels'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  EINVAL: 'Invalid argument',
  EBADF: 'Bad file descriptor',
  EROFS: 'Read-only file system',
  EXDEV: 'Invalid cross-device link',
  ENOSPC: 'No space left on device',
}

/** The message for an error in the wording of Unix programs. Details from the workspace, such as the reason of a policy, are kept. */
export function reasonOf(error: unknown): string {
  if (isStackOverflow(error)) return nestsTooDeeply
  const known = reasons[codeOf(error) ?? '']
  const message = error instanceof Error ? error.message : String(error)
  const hint = / \(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(message)?.[1]
  if (known === undefined) return message
  return hint === undefined ? known : `${known} (${hint})`
}
