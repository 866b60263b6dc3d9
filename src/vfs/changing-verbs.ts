// The functions that change a filesystem, and which of their arguments are paths. Wrappers of these functions are derived from this table.

import type { BatchFs } from './vfs.ts'

export type ChangingVerb = 'writeFile' | 'mkdir' | 'rm' | 'rename' | 'copy' | 'link' | 'symlink' | 'chmod' | 'utimes'

const pathArguments: Readonly<Record<ChangingVerb, readonly (0 | 1)[]>> = {
  writeFile: [0],
  mkdir: [0],
  rm: [0],
  rename: [0, 1],
  copy: [0, 1],
  link: [0, 1],
  // The target of a symlink is text, not a path.
  symlink: [1],
  chmod: [0],
  utimes: [0],
}

/** The functions of `fs` that change it: each calls `around`, whose `act` makes the change. */
export function aroundChanges<F extends BatchFs>(
  fs: F,
  around: (verb: ChangingVerb, paths: readonly string[], act: () => Promise<unknown>) => Promise<unknown>,
): Pick<F, ChangingVerb & keyof F> {
  const verbs = Object.keys(pathArguments) as ChangingVerb[]
  const functions = fs as Partial<Record<ChangingVerb, (...args: unknown[]) => Promise<unknown>>>
  const rows = verbs.flatMap(verb => {
    const change = functions[verb]
    if (change === undefined) return []
    const paths = (args: readonly unknown[]): readonly string[] => pathArguments[verb].map(at => String(args[at]))
    return [[verb, async (...args: unknown[]) => await around(verb, paths(args), () => change(...args))]]
  })
  // `fromEntries` cannot tell which function belongs to which name.
  return Object.fromEntries(rows) as Pick<F, ChangingVerb & keyof F>
}
