// What `git apply` reports about a patch without applying it.

import type { Quote } from '../quote.ts'
import { renamedPath } from '../diff/stat.ts'
import { countPatch, type FilePatch } from './parse-patch.ts'
import { largest } from '../../core/many.ts'

const maxNameColumns = 50
const maxColumns = 70

function nameOf({ oldPath, newPath }: FilePatch): string {
  return newPath ?? oldPath ?? ''
}

export function patchStat(patches: readonly FilePatch[], quote: Quote): string {
  const counts = patches.map(countPatch)
  const maxChange = largest(counts.map(({ added, deleted }) => added + deleted))
  const names = patches.flatMap(({ oldPath, newPath }) => [oldPath, newPath]).flatMap(path => (path === undefined ? [] : [path]))
  const width = Math.min(maxNameColumns, largest(names.map(path => quote(path).length)))
  const graph = width + maxChange > maxColumns ? maxColumns - width : maxChange
  const scaled = (value: number): number => Math.floor((value * graph + Math.floor(maxChange / 2)) / maxChange)
  const rows = patches.map((patch, index) => {
    const { added = 0, deleted = 0 } = counts[index] ?? {}
    const name = ` ${shortened(quote(nameOf(patch)), width).padEnd(width)} |`
    if (patch.binary !== undefined) return `${name}  Bin\n`
    const [total, plus] = maxChange === 0 ? [0, 0] : [scaled(added + deleted), scaled(added)]
    return `${name}${String(added + deleted).padStart(5)} ${'+'.repeat(plus)}${'-'.repeat(total - plus)}\n`
  })
  const sum = (pick: (count: { readonly added: number; readonly deleted: number }) => number): number =>
    counts.reduce((total, count) => total + pick(count), 0)
  return (
    rows.join('') +
    sums(
      patches.length,
      sum(({ added }) => added),
      sum(({ deleted }) => deleted),
    )
  )
}

function sums(files: number, added: number, deleted: number): string {
  let line = ` ${files} file${files === 1 ? '' : 's'} changed`
  if (files === 0) return `${line}\n`
  if (added > 0 || deleted === 0) line += `, ${added} insertion${added === 1 ? '' : 's'}(+)`
  if (deleted > 0 || added === 0) line += `, ${deleted} deletion${deleted === 1 ? '' : 's'}(-)`
  return `${line}\n`
}

function shortened(name: string, width: number): string {
  if (name.length <= width) return name
  const from = name.length + 3 - width
  const slash = name.indexOf('/', from)
  return `...${name.slice(slash === -1 ? from : slash)}`
}

export function patchNumstat(patches: readonly FilePatch[], quote: Quote): string {
  const row = (patch: FilePatch): string => {
    const { added, deleted } = countPatch(patch)
    return `${patch.binary === undefined ? `${added}\t${deleted}` : '-\t-'}\t${quote(nameOf(patch))}\n`
  }
  return patches.map(row).join('')
}

export function patchSummary(patches: readonly FilePatch[], quote: Quote): string {
  return patches.map(patch => summaryOf(patch, quote)).join('')
}

function summaryOf(patch: FilePatch, quote: Quote): string {
  const { kind, oldPath = '', newPath = '', oldMode, newMode, similarity } = patch
  const octal = (mode: number | undefined): string => (mode ?? 0).toString(8).padStart(6, '0')
  const made = (word: string, mode: number | undefined, path: string): string =>
    ` ${word}${mode === undefined ? '' : ` mode ${octal(mode)}`} ${quote(path)}\n`
  const isModeChange = oldMode !== undefined && newMode !== undefined && oldMode !== newMode
  const modeChange = ` mode change ${octal(oldMode)} => ${octal(newMode)}`
  switch (kind) {
    case 'new':
      return made('create', newMode, newPath)
    case 'deleted':
      return made('delete', oldMode, oldPath)
    case 'change':
      return isModeChange ? `${modeChange} ${quote(newPath)}\n` : ''
    case 'rename':
    case 'copy':
      return ` ${kind} ${renamedPath(oldPath, newPath, quote)} (${similarity}%)\n${isModeChange ? `${modeChange}\n` : ''}`
  }
}
