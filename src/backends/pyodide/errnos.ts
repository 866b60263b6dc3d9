// The numbers that Emscripten gives to errors, by the codes of the shell's files.

import { numberTable } from '../../core/words.ts'

export const errnos: Readonly<Record<string, number>> = numberTable(`
  EACCES 2, EAGAIN 6, EBADF 8, EBUSY 10, EEXIST 20, EFBIG 22, EINVAL 28, EIO 29, EISDIR 31, ELOOP 32, EMLINK 34,
  ENAMETOOLONG 37, ENOENT 44, ENOSPC 51, ENOSYS 52, ENOTDIR 54, ENOTEMPTY 55, ENOTSUP 138, EPERM 63, EPIPE 64, EROFS 69,
  ESPIPE 70, ESTALE 72, EXDEV 75
`)
