// The operations of a shell's files by name, for those who ask for them over a boundary of threads.

import type { ShellFiles } from './files.ts'

/** A record instead of an array, so that a missing verb is a type error. */
const verbs: Readonly<Record<keyof ShellFiles, true>> = {
  readFile: true,
  writeFile: true,
  exists: true,
  stat: true,
  lstat: true,
  mkdir: true,
  readdir: true,
  rm: true,
  rename: true,
  chmod: true,
  symlink: true,
  link: true,
  readlink: true,
  realpath: true,
  utimes: true,
}

export function isShellFileVerb(verb: string): verb is keyof ShellFiles {
  return Object.hasOwn(verbs, verb)
}
