// A tree as JSON or XML.

import { countsOf, modeOf, sizeText, type TreeNode, type TreeStyle } from './tree-style.ts'

type Member = readonly [name: string, value: string | number]

export function treeAsData(roots: readonly TreeNode[], form: 'json' | 'xml', style: TreeStyle): string {
  return form === 'json' ? jsonOf(roots, style) : xmlOf(roots, style)
}

function typeOf({ kind }: TreeNode): string {
  return kind === 'symlink' ? 'link' : kind
}

/** What is shown of a file beside its type and its content. */
function membersOf(node: TreeNode, style: TreeStyle): Member[] {
  const members: Member[] = [['name', node.name]]
  if (node.target !== undefined) members.push(['target', node.target])
  if (node.stat === undefined) return members
  if (style.hasMode) members.push(['mode', (node.stat.mode & 0o7777).toString(8).padStart(4, '0')], ['prot', modeOf(node)])
  if (style.size !== 'none')
    members.push(['size', style.size === 'bytes' || style.form === 'xml' ? node.sizeBytes : sizeText(node.sizeBytes, style.size)])
  const time = style.time?.(node.stat.mtimeMs)
  if (time !== undefined) members.push(['time', time])
  return members
}

function reportMembers(roots: readonly TreeNode[], style: TreeStyle): Member[] {
  const { directories, files } = countsOf(roots)
  const sum = roots.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  return [
    ...(style.hasSums ? [['size', sum] as const] : []),
    ['directories', directories],
    ...(style.hasOnlyDirectories ? [] : [['files', files] as const]),
  ]
}

function jsonOf(roots: readonly TreeNode[], style: TreeStyle): string {
  const written = ([name, value]: Member): string => `"${name}":${JSON.stringify(value)}`
  const show = (node: TreeNode, indent: string): string => {
    const head = `${indent}{"type":"${typeOf(node)}",${membersOf(node, style).map(written).join(',')}`
    if (node.problem !== undefined) return `${head},"contents":[{"error": "${node.problem}"}\n\n${indent}]}`
    if (node.children.length === 0) return `${head}}`
    const children = node.children.map(child => show(child, `${indent}  `))
    return `${head},"contents":[\n${children.join(',\n')}\n${indent}]}`
  }
  const report = style.hasReport ? `,\n  {"type":"report",${reportMembers(roots, style).map(written).join(',')}}` : ''
  return `[\n${roots.map(root => show(root, '  ')).join(',\n')}\n${report}\n]\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, letter => entities[letter] ?? letter)
}

function xmlOf(roots: readonly TreeNode[], style: TreeStyle): string {
  const show = (node: TreeNode, indent: string): string => {
    const type = typeOf(node)
    const attributes = membersOf(node, style).map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    const head = `${indent}<${type}${attributes.join('')}>`
    if (node.problem !== undefined) return `${head}<error>${escaped(node.problem)}</error>\n${indent}</${type}>\n`
    const isRoot = indent === '  '
    if (node.children.length === 0 && !isRoot) return `${head}</${type}>\n`
    return `${head}\n${node.children.map(child => show(child, `${indent}  `)).join('')}${indent}</${type}>\n`
  }
  const counts = reportMembers(roots, style).map(([name, value]) => `    <${name}>${value}</${name}>\n`)
  const report = style.hasReport ? `  <report>\n${counts.join('')}  </report>\n` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n${roots.map(root => show(root, '  ')).join('')}${report}</tree>\n`
}
