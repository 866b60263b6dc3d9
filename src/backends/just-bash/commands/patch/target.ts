// Chooses the file that a patch applies to. The names in a patch are untrusted: a name that is not clearly inside the directory is refused.

import type { FilePatch } from './parse-patch.ts'

export interface Names {
  readonly from: string
  /** The file to write. */
  readonly to: string
  readonly moves: FilePatch['moves']
}

/** `undefined` if none of the names exists and the patch does not create a file. */
export async function chooseTarget(
  { oldName, newName, moves, hunks }: FilePatch,
  named: string | undefined,
  { strip, isReverse }: { readonly strip: number | undefined; readonly isReverse: boolean },
  exists: (path: string) => Promise<boolean>,
): Promise<Names | undefined> {
  if (named !== undefined) return { from: named, to: named, moves: undefined }
  const [from, to] = [stripped(oldName, strip), stripped(newName, strip)]
  if (moves !== undefined && from !== undefined && to !== undefined) return (await exists(from)) ? { from, to, moves } : undefined
  // Among equally good names the old one comes first, also with -R.
  const candidates = [...new Set(isReverse ? [to, from] : [from, to])].filter(name => name !== undefined)
  const found: string[] = []
  for (const name of candidates) if (await exists(name)) found.push(name)
  const [best] = found.sort(byPlainness)
  // A first hunk for an empty file may create it, even if the patch does not say that the file is missing.
  const created = hunks[0]?.oldStart === 0 ? candidates.toSorted(byPlainness)[0] : undefined
  const chosen = best ?? (oldName === undefined ? to : created)
  return chosen === undefined ? undefined : { from: chosen, to: chosen, moves: undefined }
}

/** Whether the name is absolute or contains `..`. */
export function isDangerous(name: string): boolean {
  return name.startsWith('/') || name.split('/').includes('..')
}

/** As in GNU patch: without -p, only the last component remains; `undefined` if the name has too few components. */
function stripped(name: string | undefined, strip: number | undefined): string | undefined {
  if (name === undefined) return undefined
  if (strip === undefined) return name.slice(name.lastIndexOf('/') + 1)
  let rest = name
  for (let left = strip; left > 0; left--) {
    const slash = rest.indexOf('/')
    if (slash === -1) return undefined
    rest = rest.slice(slash).replace(/^\/+/, '')
  }
  return rest
}

/** Orders names by the number of directories, then by length. */
function byPlainness(one: string, other: string): number {
  return one.split('/').length - other.split('/').length || one.length - other.length
}
