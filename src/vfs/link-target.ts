// What following a symlink comes down to, whichever filesystem it lies in.

/** As on Linux; one more is ELOOP. */
export const maxSymlinkHops = 40

/** Stands for a '/' at a target's end. */
export const endingSlash = ''

/** The names that a symlink puts in its place, in order. */
export function targetNames(target: string): readonly string[] {
  const names = target.split('/').filter(name => name !== '')
  return target.endsWith('/') ? [...names, endingSlash] : names
}
