// A directory as a tree of depth 2, newest first.

import { displayPath, joinPath, type VfsPath } from '../../../core/path.ts'
import { printablePath } from '../../../core/printable.ts'
import { formatAge, formatSize } from '../../../core/size.ts'
import type { Dirent, Stat } from '../../../vfs/backend.ts'
import { lstatIfThere, readDirectoryIfThere, readlinkIfThere } from '../../../session/if-there.ts'
import { ifThereLater } from '../../../vfs/error.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import { isOnlyForTools } from '../../../session/tool-directories.ts'

const prunedNames = new Set(['.git', 'node_modules'])
const treeDepth = 2

export interface DirectoryTree {
  readonly text: string
  /** `limits` only if something was left out. */
  readonly meta: { readonly limits?: { readonly perDirLimit: number; readonly totalLines: number } }
}

interface TreeEntry {
  readonly name: string
  readonly stat: Stat
  readonly linkTarget: string | undefined
}

export async function directoryTree(session: Session, directory: ResolvedPath, signal: AbortSignal): Promise<DirectoryTree> {
  const lines = ['.']
  let isElided = false
  const nowMs = session.clock()

  async function addChildren(path: VfsPath, depth: number): Promise<void> {
    signal.throwIfAborted()
    const indent = '  '.repeat(depth)
    const look = (): Promise<readonly TreeEntry[]> => newestFirst(session, path)
    const entries = depth === 1 ? await look() : await ifThereLater(look, 'EACCES', 'EPERM', 'EIO')
    if (entries === undefined) {
      lines.push(`${indent}- (cannot be read)`)
      return
    }
    const { head, elidedCount, tail } =
      depth === 1 ? { head: entries, elidedCount: 0, tail: [] } : elide(entries, session.limits.treeMaxEntries)
    for (const entry of head) await addEntry(path, entry, depth, indent)
    if (elidedCount > 0) {
      isElided = true
      lines.push(`${indent}- … ${elidedCount} more`)
    }
    for (const entry of tail) await addEntry(path, entry, depth, indent)
  }

  async function addEntry(parent: VfsPath, entry: TreeEntry, depth: number, indent: string): Promise<void> {
    if (lines.length >= session.limits.treeMaxLines) {
      isElided = true
      return
    }
    lines.push(`${indent}- ${describeEntry(entry, nowMs)}`)
    if (entry.stat.kind === 'directory' && depth < treeDepth) await addChildren(joinPath(parent, entry.name), depth + 1)
  }

  await addChildren(directory.path, 1)
  if (lines.length === 1) lines.push('(empty directory)')
  if (lines.length >= session.limits.treeMaxLines)
    lines.push(`[Only the first ${session.limits.treeMaxLines} lines are shown. Read a subdirectory, or use find.]`)
  return {
    text: lines.join('\n'),
    meta: isElided ? { limits: { perDirLimit: session.limits.treeMaxEntries, totalLines: lines.length } } : {},
  }
}

function describeEntry({ name, stat, linkTarget }: TreeEntry, nowMs: number): string {
  const shown = printablePath(name)
  if (linkTarget !== undefined) return `${shown} -> ${printablePath(linkTarget)}`
  if (stat.kind === 'directory') return `${shown}/`
  return `${shown}  ${formatSize(stat.sizeBytes).padEnd(8)}  ${formatAge(Math.max(0, nowMs - stat.mtimeMs))}`
}

/** The newest entries and the oldest one, because the first file of a directory often describes it. */
function elide(
  entries: readonly TreeEntry[],
  maxEntries: number,
): { head: readonly TreeEntry[]; elidedCount: number; tail: readonly TreeEntry[] } {
  if (entries.length <= maxEntries) return { head: entries, elidedCount: 0, tail: [] }
  return { head: entries.slice(0, maxEntries - 1), elidedCount: entries.length - maxEntries, tail: entries.slice(-1) }
}

async function newestFirst(session: Session, path: VfsPath): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = []
  for (const entry of await readDirectoryIfThere(session.vfs, path)) {
    if (entry.kind === 'directory' && prunedNames.has(entry.name)) continue
    const child = joinPath(path, entry.name)
    if (entry.kind === 'directory' && (await isOnlyForTools(session.vfs, child, displayPath(child, session.root)))) continue
    const described = await describe(session, child, entry)
    if (described !== undefined) entries.push(described)
  }
  return entries.sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs || (a.name < b.name ? -1 : 1))
}

/** `undefined` if the entry was removed after the directory was listed. */
async function describe(session: Session, path: VfsPath, entry: Dirent): Promise<TreeEntry | undefined> {
  const stat = await lstatIfThere(session.vfs, path)
  if (stat === undefined) return undefined
  return { name: entry.name, stat, linkTarget: stat.kind === 'symlink' ? await readlinkIfThere(session.vfs, path) : undefined }
}
