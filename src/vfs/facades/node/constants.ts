// The numbers that programs combine for `access`, `open` and `copyFile`, with the values of Linux.

type Name =
  | 'F_OK'
  | 'X_OK'
  | 'W_OK'
  | 'R_OK'
  | 'COPYFILE_EXCL'
  | 'COPYFILE_FICLONE'
  | 'COPYFILE_FICLONE_FORCE'
  | 'O_RDONLY'
  | 'O_WRONLY'
  | 'O_RDWR'
  | 'O_CREAT'
  | 'O_EXCL'
  | 'O_TRUNC'
  | 'O_APPEND'
  | 'O_DIRECTORY'
  | 'O_NOFOLLOW'
  | 'O_SYNC'
  | 'S_IFMT'
  | 'S_IFREG'
  | 'S_IFDIR'
  | 'S_IFLNK'

export const constants: Readonly<Record<Name, number>> = Object.freeze({
  F_OK: 0,
  X_OK: 1,
  W_OK: 2,
  R_OK: 4,
  COPYFILE_EXCL: 1,
  COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE_FORCE: 4,
  O_RDONLY: 0,
  O_WRONLY: 0o1,
  O_RDWR: 0o2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_DIRECTORY: 0o200000,
  O_NOFOLLOW: 0o400000,
  O_SYNC: 0o4010000,
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o040000,
  S_IFLNK: 0o120000,
})
