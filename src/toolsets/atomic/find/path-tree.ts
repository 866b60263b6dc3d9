// Paths as a tree that is short to read: files of a directory, then its subdirectories as `# dir/` headings, chains of single
// directories joined. Paths are relative to the root, so that each can be passed on to read.

import { printablePath } from '../../../core/printable.ts'
import { pushAll } from '../../../core/many.ts'

export interface TreePath {
  readonly path: string
  readonly isDirectory: boolean
}

interface Branch {
  readonly files: string[]
  readonly directories: Map<string, Branch>
  /** A matched directory is shown even when nothing below it matched. */
  isMatch: boolean
}

export function renderPathTree(paths: readonly TreePath[]): string {
  const root = newBranch()
  for (const { path, isDirectory } of paths) {
    const names = path.split('/')
    const last = names.pop() ?? ''
    const parent = names.reduce(descend, root)
    if (isDirectory) descend(parent, last).isMatch = true
    else parent.files.push(last)
  }
  const lines: string[] = []
  renderBranch(root, 0, lines)
  return lines.join('\n')
}

function renderBranch(branch: Branch, depth: number, lines: string[]): void {
  pushAll(lines, branch.files.sort().map(printablePath))
  for (const name of [...branch.directories.keys()].sort()) {
    const child = branch.directories.get(name)
    if (child === undefined) continue
    const { label, end } = joinChain(name, child)
    lines.push(`${'#'.repeat(depth + 1)} ${printablePath(`${label}/`)}`)
    renderBranch(end, depth + 1, lines)
  }
}

function joinChain(name: string, branch: Branch): { label: string; end: Branch } {
  const [only, ...others] = branch.directories
  if (only === undefined || others.length > 0 || branch.files.length > 0 || branch.isMatch) return { label: name, end: branch }
  return joinChain(`${name}/${only[0]}`, only[1])
}

function descend(branch: Branch, name: string): Branch {
  const known = branch.directories.get(name)
  if (known !== undefined) return known
  const made = newBranch()
  branch.directories.set(name, made)
  return made
}

function newBranch(): Branch {
  return { files: [], directories: new Map(), isMatch: false }
}
