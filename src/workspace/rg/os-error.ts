// Errors of the filesystem in the words of ripgrep's release for Linux.

import { errnoText, type VfsError, type VfsErrorCode } from '../../vfs/error.ts'

const words: Partial<Readonly<Record<VfsErrorCode, string>>> = {
  EPERM: 'Operation not permitted (os error 1)',
  ENOENT: 'No such file or directory (os error 2)',
  EIO: 'I/O error (os error 5)',
  EACCES: 'Permission denied (os error 13)',
  ENOTDIR: 'Not a directory (os error 20)',
  EISDIR: 'Is a directory (os error 21)',
  ELOOP: 'Symbolic link loop (os error 40)',
}

/** An error that ripgrep does not have is shown with our message. */
export function osErrorOf({ code, message }: VfsError): string {
  return words[code] ?? message
}

export function osError(code: VfsErrorCode): string {
  return words[code] ?? errnoText[code]
}
