// The combined diff of a merge commit (`--cc`, the default of `show`), and of conflicts in `git diff`.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { paletteOf } from '../color/load-palette.ts'
import { quoteFor } from '../quote.ts'
import type { Repository } from '../repository.ts'
import type { ShortIds } from '../revs/short-ids.ts'
import { type Commit, zeroId } from '../store/object-format.ts'
import { combinedHunks } from './combined.ts'
import { ContentReader, looksBinary } from './file-pair.ts'
import type { DiffSettings } from './settings.ts'
import { diffTrees, type FileSide } from './tree-diff.ts'

export interface CombinedFile {
  readonly path: string
  readonly parents: readonly (FileSide | undefined)[]
  readonly result: FileSide | undefined
}

/** Files that differ from every parent. */
export async function combinedFiles(
  repository: Repository,
  commit: Commit,
  isWanted?: (path: string, isDirectory: boolean) => boolean,
): Promise<readonly CombinedFile[]> {
  const byPath = new Map<string, { readonly sides: (FileSide | undefined)[]; count: number; result: FileSide | undefined }>()
  for (const [number, parent] of commit.parents.entries()) {
    const tree = (await repository.objects.readCommit(parent)).tree
    for (const { path, before, after } of await diffTrees(repository, tree, commit.tree, { isWanted })) {
      const row = byPath.get(path) ?? { sides: [], count: 0, result: after }
      row.sides[number] = before
      row.count++
      byPath.set(path, row)
    }
  }
  return [...byPath].flatMap(([path, { sides, count, result }]) =>
    count === commit.parents.length ? [{ path, parents: commit.parents.map((_, number) => sides[number]), result }] : [],
  )
}

/** The row of a file for `--raw` and `--name-status`. */
export async function combinedRow(
  repository: Repository,
  { path, parents, result }: CombinedFile,
  { formats, abbrev }: Pick<DiffSettings, 'formats' | 'abbrev'>,
  shortIds: ShortIds,
): Promise<string> {
  const letters = parents.map(side => (side === undefined ? 'A' : result === undefined ? 'D' : 'M')).join('')
  const name = quoteFor(repository.config())(path)
  if (!formats.has('raw')) return `${letters}\t${name}\n`
  const octal = (side: FileSide | undefined): string => (side?.mode ?? 0).toString(8).padStart(6, '0')
  const sides = [...parents, result]
  const ids: string[] = []
  for (const side of sides) {
    const id = side?.oid ?? zeroId
    ids.push(abbrev === 40 ? id : await shortIds.rawOf(id, abbrev))
  }
  return `${':'.repeat(parents.length)}${sides.map(octal).join(' ')} ${ids.join(' ')} ${letters}\t${name}\n`
}

/** The patch of one file; empty if nothing is left of it. */
export async function combinedPatch(
  repository: Repository,
  file: CombinedFile,
  ids: ShortIds,
  isDense: boolean,
  isColored: boolean,
): Promise<Uint8Array> {
  const patch = await plainPatch(repository, file, ids, isDense)
  if (!isColored) return patch
  const { paintedCombined } = await import('../color/painted-patch.ts')
  return paintedCombined(patch, file.parents.length, await paletteOf(repository))
}

async function plainPatch(repository: Repository, file: CombinedFile, ids: ShortIds, isDense: boolean): Promise<Uint8Array> {
  const reader = new ContentReader(repository)
  const contents: Uint8Array[] = []
  for (const side of file.parents) contents.push(await reader.read(side, file.path))
  const result = await reader.read(file.result, file.path)
  const quote = quoteFor(repository.config())
  const octal = (side: FileSide | undefined): string => (side?.mode ?? 0).toString(8).padStart(6, '0')
  const parentIds: string[] = []
  for (const side of file.parents) parentIds.push(await ids.of(side?.oid ?? zeroId))
  const resultId = await ids.of(file.result === undefined || file.result.isWorkTree ? zeroId : file.result.oid)
  const quoted = quote(file.path)
  const head = [`diff --${isDense ? 'cc' : 'combined'} ${quoted}`, `index ${parentIds.join(',')}..${resultId}`]
  const modes = file.parents.map(octal)
  if (file.result === undefined) head.push(`deleted file mode ${modes.join(',')}`)
  else if (file.parents.every(side => side === undefined)) head.push(`new file mode ${octal(file.result)}`)
  else if (modes.some(mode => mode !== octal(file.result))) head.push(`mode ${modes.join(',')}..${octal(file.result)}`)
  if (looksBinary(result) || contents.some(looksBinary)) return encodeText(`${head.join('\n')}\nBinary files differ\n`)
  const hunks = combinedHunks(contents, result, isDense)
  const hasModeChange = head.length > 2
  if (hunks.length === 0) return hasModeChange ? encodeText(`${head.join('\n')}\n`) : hunks
  const prefixed = (prefix: string): string => (quoted === file.path ? prefix + file.path : `"${prefix}${quoted.slice(1)}`)
  const from = file.parents.every(side => side === undefined) ? '/dev/null' : prefixed('a/')
  const to = file.result === undefined ? '/dev/null' : prefixed('b/')
  head.push(`--- ${from}`, `+++ ${to}`)
  return joinBytes([encodeText(`${head.join('\n')}\n`), hunks])
}
