// A tree as lines with branches.

import { countsOf, modeOf, sizeText, type TreeNode, type TreeStyle } from './tree-style.ts'

interface Branches {
  readonly inner: string
  readonly last: string
  readonly through: string
}

const drawn: Branches = { inner: '├── ', last: '└── ', through: '│\u00a0\u00a0 ' }
const ascii: Branches = { inner: '|-- ', last: '`-- ', through: '|   ' }

export function treeAsText(roots: readonly TreeNode[], style: TreeStyle): string {
  const branches = style.isAscii ? ascii : drawn
  const lines: string[] = []
  const show = (node: TreeNode, indent: string, branch: string): void => {
    lines.push(`${style.hasIndent ? indent + branch : ''}${labelOf(node, style)}`)
    const below = indent + (branch === '' ? '' : branch === branches.last ? '    ' : branches.through)
    for (const [index, child] of node.children.entries())
      show(child, below, index === node.children.length - 1 ? branches.last : branches.inner)
  }
  for (const root of roots) show(root, '', '')
  if (style.hasReport) lines.push('', reportOf(roots, style))
  return lines.map(line => `${line}\n`).join('')
}

function labelOf(node: TreeNode, style: TreeStyle): string {
  const quoted = (text: string): string => (style.isQuoted ? `"${text}"` : text)
  const target = node.target === undefined ? '' : ` -> ${quoted(node.target)}`
  const problem = node.problem === undefined ? '' : `  [${node.problem}]`
  const mark = style.hasMarks && node.problem !== 'error opening dir' ? markOf(node) : ''
  return `${detailsOf(node, style)}${quoted(node.name)}${target}${mark}${problem}`
}

/** The target of a link decides how it is marked. */
function markOf({ found }: TreeNode): string {
  return found?.kind === 'directory' ? '/' : found?.kind === 'file' && (found.mode & 0o111) !== 0 ? '*' : ''
}

function detailsOf(node: TreeNode, { hasMode, size, time }: TreeStyle): string {
  if (node.stat === undefined) return ''
  const parts = [
    hasMode ? modeOf(node) : undefined,
    size === 'none' ? undefined : sizeText(node.sizeBytes, size).padStart(size === 'bytes' ? 11 : 4),
    time?.(node.stat.mtimeMs),
  ].filter(part => part !== undefined)
  return parts.length === 0 ? '' : `[${parts.join(' ')}]  `
}

function reportOf(roots: readonly TreeNode[], style: TreeStyle): string {
  const { directories, files } = countsOf(roots)
  const counted = (value: number, one: string, many: string): string => `${value} ${value === 1 ? one : many}`
  const counts = `${counted(directories, 'directory', 'directories')}${style.hasOnlyDirectories ? '' : `, ${counted(files, 'file', 'files')}`}`
  if (!style.hasSums) return counts
  const sum = roots.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  const shown = sizeText(sum, style.size).padStart(style.size === 'bytes' ? 12 : 5)
  return `${shown}${style.size === 'bytes' ? ' bytes' : ''} used in ${counts}`
}
