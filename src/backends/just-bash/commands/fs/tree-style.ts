// What a tree shows of each file, and how.

import type { FileKind, FileStat } from '../../../../shell/files.ts'
import { humanSize, permissions } from '../program.ts'

export interface TreeNode {
  readonly name: string
  readonly kind: FileKind
  readonly stat: FileStat | undefined
  readonly sizeBytes: number
  readonly target: string | undefined
  /** What a link leads to; otherwise the file itself. */
  readonly found: FileStat | undefined
  readonly children: readonly TreeNode[]
  /** Why its content is not shown. */
  readonly problem: string | undefined
}

export interface TreeStyle {
  readonly form: 'text' | 'json' | 'xml'
  readonly isAscii: boolean
  readonly hasIndent: boolean
  /** A slash behind a directory, a star behind a program. */
  readonly hasMarks: boolean
  readonly hasMode: boolean
  readonly size: 'none' | 'bytes' | 'human' | 'si'
  /** The size of a directory is that of its content. */
  readonly hasSums: boolean
  readonly time: ((timeMs: number) => string) | undefined
  readonly isQuoted: boolean
  readonly hasOnlyDirectories: boolean
  readonly hasReport: boolean
}

export interface TreeCounts {
  readonly directories: number
  readonly files: number
}

/** A directory that was named counts only if it shows something, or could show too much. */
export function countsOf(roots: readonly TreeNode[]): TreeCounts {
  let [directories, files] = [0, 0]
  const count = (node: TreeNode, isRoot: boolean): void => {
    if (node.found?.kind !== 'directory') {
      if (!isRoot || node.found !== undefined) files += 1
    } else if (!isRoot || node.children.length > 0 || node.problem !== undefined) directories += 1
    for (const child of node.children) count(child, false)
  }
  for (const root of roots) count(root, true)
  return { directories, files }
}

export function modeOf({ kind, stat }: TreeNode): string {
  return (kind === 'directory' ? 'd' : kind === 'symlink' ? 'l' : '-') + permissions(stat?.mode ?? 0)
}

export function sizeText(sizeBytes: number, size: TreeStyle['size']): string {
  return size === 'human' ? humanSize(sizeBytes) : size === 'si' ? humanSize(sizeBytes, 1000) : String(sizeBytes)
}
