// The contents of a file tree on either side of a copy, and the actions that make one side equal to the other.

import { sameBytes } from '../../core/same-bytes.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { SnapshotNode } from './snapshot.ts'
import type { ContainerAction } from './wire.ts'

/** The content of an entry, shared by both sides. Paths are relative to both roots. */
export type Content =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'directory' }

export type Synced = Content & { readonly rev: number }

export function flatten(
  node: SnapshotNode,
  at: string,
  isExcluded: (path: string) => boolean,
  found: Map<string, Content>,
): void {
  if (node.kind !== 'directory') return
  for (const [name, child] of node.children) {
    const path = at === '' ? name : `${at}/${name}`
    if (isExcluded(path)) continue
    if (child.kind === 'directory') found.set(path, { kind: 'directory' })
    else found.set(path, child)
    flatten(child, path, isExcluded, found)
  }
}

/** Reads only files whose revision has changed. Leaves out files that are removed meanwhile. */
export async function currentOf(
  fs: Vfs,
  path: string,
  kind: Content['kind'],
  before: Synced | undefined,
): Promise<Synced | undefined> {
  try {
    const { rev } = await fs.lstat(path)
    if (before !== undefined && before.kind === kind && before.rev === rev) return before
    if (kind === 'directory') return { kind, rev }
    if (kind === 'symlink') return { kind, rev, target: await fs.readlink(path) }
    return { kind, rev, bytes: await fs.readFile(path) }
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/**
 * The actions that give the container the contents `now`. A file that only the container has is removed only if both sides had it before.
 */
export function actionsBetween(
  there: ReadonlyMap<string, Content>,
  now: ReadonlyMap<string, Content>,
  isComplete: boolean,
): ContainerAction[] {
  const removals: ContainerAction[] = []
  for (const [path, entry] of [...there].toSorted(deepestFirst)) {
    const own = now.get(path)
    const isInTheWay = own !== undefined && (own.kind !== entry.kind || (own.kind === 'symlink' && !isSame(own, entry)))
    if (isInTheWay || (own === undefined && isComplete))
      removals.push({ kind: entry.kind === 'directory' ? 'remove-directory' : 'remove-file', path })
  }
  const removed = new Set(removals.map(({ path }) => path))
  const additions: ContainerAction[] = []
  for (const [path, own] of [...now].toSorted(([a], [b]) => compareDepth(a, b))) {
    const entry = removed.has(path) ? undefined : there.get(path)
    if (entry !== undefined && isSame(entry, own)) continue
    if (own.kind === 'directory') additions.push({ kind: 'mkdir', path })
    else if (own.kind === 'symlink') additions.push({ kind: 'symlink', path, target: own.target })
    else additions.push({ kind: 'write', path, bytes: own.bytes.slice() })
  }
  return [...removals, ...additions]
}

export function isSame(a: Content, b: Content): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.bytes === b.bytes || sameBytes(a.bytes, b.bytes)
  if (a.kind === 'symlink' && b.kind === 'symlink') return a.target === b.target
  return a.kind === b.kind
}

export function compareDepth(a: string, b: string): number {
  const difference = a.split('/').length - b.split('/').length
  return difference === 0 ? (a < b ? -1 : 1) : difference
}

function deepestFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareDepth(b, a)
}
