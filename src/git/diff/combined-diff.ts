// The combined diff of a merge commit (`--cc`, the default of `show`), and of conflicts in `git diff`.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { CallOutput } from '../call.ts'
import { paletteOf } from '../color/load-palette.ts'
import { quoteFor } from '../quote.ts'
import type { Repository } from '../repository.ts'
import type { ShortIds } from '../revs/short-ids.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { combinedHunks } from './combined.ts'
import { ContentReader, type FilePair, looksBinary, pairOf } from './file-pair.ts'
import type { DiffRenderer } from './render.ts'
import type { DiffSettings } from './settings.ts'
import { diffTrees, type FileChange, type FileSide } from './tree-diff.ts'

export interface CombinedFile {
  readonly path: string
  readonly parents: readonly (FileSide | undefined)[]
  readonly result: FileSide | undefined
  /** What happened since each parent. */
  readonly letters: string
  /** The file is missing in the work tree: git shows no lines. */
  readonly isMissing?: boolean
}

/** Pairs of files from the changes between two trees, with renames or without. */
export type PairFinder = (changes: readonly FileChange[]) => Promise<readonly FilePair[]> | readonly FilePair[]

const withoutRenames: PairFinder = changes => changes.map(pairOf)

/** Files that differ from every parent. */
export async function combinedFiles(
  repository: Repository,
  { parents, tree }: { readonly parents: readonly ObjectId[]; readonly tree: ObjectId },
  isWanted?: (path: string, isDirectory: boolean) => boolean,
  pairsOf?: PairFinder,
): Promise<readonly CombinedFile[]> {
  const trees: ObjectId[] = []
  for (const parent of parents) trees.push((await repository.objects.readCommit(parent)).tree)
  return combinedFilesOfTrees(repository, trees, tree, isWanted, pairsOf)
}

export async function combinedFilesOfTrees(
  repository: Repository,
  parents: readonly ObjectId[],
  tree: ObjectId,
  isWanted?: (path: string, isDirectory: boolean) => boolean,
  pairsOf: PairFinder = withoutRenames,
): Promise<readonly CombinedFile[]> {
  const byPath = new Map<string, { readonly pairs: FilePair[]; readonly result: FileSide | undefined }>()
  for (const parent of parents) {
    for (const pair of await pairsOf(await diffTrees(repository, parent, tree, { isWanted }))) {
      const row = byPath.get(pair.path) ?? { pairs: [], result: pair.after }
      row.pairs.push(pair)
      byPath.set(pair.path, row)
    }
  }
  return [...byPath].flatMap(([path, { pairs, result }]) =>
    pairs.length === parents.length
      ? [{ path, parents: pairs.map(({ before }) => before), letters: pairs.map(({ status }) => status).join(''), result }]
      : [],
  )
}

/** A file that is followed, from its differences from each parent: none where one has no such file. `undefined` for a directory. */
export function followedFile(
  path: string | undefined,
  ofParents: readonly (readonly FilePair[])[],
): readonly CombinedFile[] | undefined {
  const found = ofParents.flatMap(pairs => pairs.slice(0, 1))
  if (path === undefined || found.some(pair => pair.path.startsWith(`${path}/`))) return undefined
  if (found.length < ofParents.length || found.some(pair => pair.path !== path)) return []
  const letters = found.map(({ status }) => status).join('')
  return [{ path, parents: found.map(({ before }) => before), letters, result: found[0]?.after }]
}

/** The row of a file for `--raw` and `--name-status`. */
export async function combinedRow(
  repository: Repository,
  { path, parents, letters, result }: CombinedFile,
  { formats, abbrev, nullTerminated }: Pick<DiffSettings, 'formats' | 'abbrev' | 'nullTerminated'>,
  shortIds: ShortIds,
): Promise<string> {
  const [gap, name, end] = nullTerminated ? ['\0', path, '\0'] : ['\t', quoteFor(repository.config())(path), '\n']
  if (formats.has('name-only')) return name + end
  if (!formats.has('raw')) return letters + gap + name + end
  const octal = (side: FileSide | undefined): string => (side?.mode ?? 0).toString(8).padStart(6, '0')
  const sides = [...parents, result]
  const ids: string[] = []
  for (const side of sides) {
    const id = side === undefined || side.isWorkTree === true ? zeroId : side.oid
    ids.push(abbrev === 40 ? id : await shortIds.rawOf(id, abbrev))
  }
  return `${':'.repeat(parents.length)}${sides.map(octal).join(' ')} ${ids.join(' ')} ${letters}${gap}${name}${end}`
}

/** The patch of one file; empty if nothing is left of it. */
export async function combinedPatch(
  repository: Repository,
  file: CombinedFile,
  ids: ShortIds,
  isDense: boolean,
  settings: Pick<DiffSettings, 'isColored' | 'fullIndex' | 'abbrev' | 'prefixes' | 'isReversed'>,
): Promise<Uint8Array> {
  const patch = await plainPatch(repository, file, ids, isDense, settings)
  if (!settings.isColored) return patch
  const { paintedCombined } = await import('../color/painting.ts')
  return paintedCombined(patch, file.parents.length, await paletteOf(repository))
}

async function plainPatch(
  repository: Repository,
  file: CombinedFile,
  ids: ShortIds,
  isDense: boolean,
  { fullIndex, abbrev, prefixes, isReversed }: Pick<DiffSettings, 'fullIndex' | 'abbrev' | 'prefixes' | 'isReversed'>,
): Promise<Uint8Array> {
  const reader = new ContentReader(repository)
  const contents: Uint8Array[] = []
  for (const side of file.parents) contents.push(await reader.read(side, file.path))
  const result = await reader.read(file.result, file.path)
  const quote = quoteFor(repository.config())
  const octal = (side: FileSide | undefined): string => (side?.mode ?? 0).toString(8).padStart(6, '0')
  const id = async (oid: ObjectId): Promise<string> => (fullIndex === 'always' && abbrev !== 40 ? oid : ids.of(oid))
  const parentIds: string[] = []
  for (const side of file.parents) parentIds.push(await id(side?.oid ?? zeroId))
  const resultId = await id(file.result === undefined || file.result.isWorkTree ? zeroId : file.result.oid)
  const quoted = quote(file.path)
  const head = [`diff --${isDense ? 'cc' : 'combined'} ${quoted}`, `index ${parentIds.join(',')}..${resultId}`]
  const modes = file.parents.map(octal)
  if (file.result === undefined) head.push(`deleted file mode ${modes.join(',')}`)
  else if (file.parents.every(side => side === undefined)) head.push(`new file mode ${octal(file.result)}`)
  else if (modes.some(mode => mode !== octal(file.result))) head.push(`mode ${modes.join(',')}..${octal(file.result)}`)
  if (looksBinary(result) || contents.some(looksBinary)) return encodeText(`${head.join('\n')}\nBinary files differ\n`)
  const hunks = file.isMissing ? new Uint8Array() : combinedHunks(contents, result, isDense)
  const hasModeChange = head.length > 2
  if (hunks.length === 0 && !file.isMissing && !hasModeChange) return hunks
  const [before, after] = isReversed ? [prefixes[1], prefixes[0]] : prefixes
  const prefixed = (prefix: string): string => (quoted === file.path ? prefix + file.path : `"${prefix}${quoted.slice(1)}`)
  const from = file.parents.every(side => side === undefined) ? '/dev/null' : prefixed(before)
  const to = file.result === undefined ? '/dev/null' : prefixed(after)
  head.push(`--- ${from}`, `+++ ${to}`)
  return joinBytes([encodeText(`${head.join('\n')}\n`), hunks])
}

/** What `log`, `show` and `diff` need to print a merge that is compared with all of its parents at once. */
export interface CombinedOutput {
  readonly repository: Repository
  readonly settings: DiffSettings
  readonly ids: ShortIds
  readonly isDense: boolean
  /** For the formats that compare with the first parent. */
  readonly renderer: (settings: DiffSettings) => Promise<DiffRenderer>
}

/** `pairs`: the differences from the first parent. */
export async function writeCombined(
  out: CallOutput,
  { repository, settings, ids, isDense, renderer }: CombinedOutput,
  files: readonly CombinedFile[],
  pairs: readonly FilePair[] | undefined,
): Promise<void> {
  const { formats } = settings
  const lists = [...formats].filter(format => format !== 'patch')
  const made: Uint8Array[] = []
  if (formats.has('patch')) for (const file of files) made.push(await combinedPatch(repository, file, ids, isDense, settings))
  if (formats.has('name-status') || formats.has('raw')) {
    for (const file of files) await out.write(await combinedRow(repository, file, settings, ids))
  } else if (pairs !== undefined && lists.length > 0) {
    // Totals compare with the first parent; names and the patch are of files that differ from all.
    const wanted = new Set(files.map(({ path }) => path))
    const kept = formats.has('name-only') ? pairs.filter(({ path }) => wanted.has(path)) : pairs
    await (await renderer({ ...settings, formats: new Set(lists) })).write(out, kept)
  }
  if (lists.length > 0 && made.some(bytes => bytes.length > 0)) await out.write('\n')
  for (const bytes of made) await out.write(bytes)
}
