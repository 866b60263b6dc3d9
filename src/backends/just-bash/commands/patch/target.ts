// Which file a patch is for. Its names come from somebody else's machine: what is not plainly below the directory is refused.

import type { FilePatch } from './parse-patch.ts'

export interface Names {
  /** What is read. */
  readonly from: string
  /** What is written. */
  readonly to: string
  readonly moves: FilePatch['moves']
}

/** `undefined`: none of its names is a file here, and none is to be made. */
export async function chooseTarget(
  { oldName, newName, moves }: FilePatch,
  named: string | undefined,
  strip: number | undefined,
  exists: (path: string) => Promise<boolean>,
): Promise<Names | undefined> {
  if (named !== undefined) return { from: named, to: named, moves: undefined }
  const [from, to] = [stripped(oldName, strip), stripped(newName, strip)]
  if (moves !== undefined && from !== undefined && to !== undefined) return (await exists(from)) ? { from, to, moves } : undefined
  const candidates = [...new Set([from, to])].filter(name => name !== undefined)
  const found: string[] = []
  for (const name of candidates) if (await exists(name)) found.push(name)
  const [best] = found.sort(byPlainness)
  const chosen = best ?? (oldName === undefined ? to : undefined)
  return chosen === undefined ? undefined : { from: chosen, to: chosen, moves: undefined }
}

/** Absolute, or with a way out. */
export function isDangerous(name: string): boolean {
  return name.startsWith('/') || name.split('/').includes('..')
}

/** As GNU's: without -p the last name only; with more to leave off than there is, no name. */
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

/** Fewer directories first, then the shorter. */
function byPlainness(one: string, other: string): number {
  return one.split('/').length - other.split('/').length || one.length - other.length
}
