// Which files that one side of a merge added are files that it removed elsewhere.

import type { Repository } from '../repository.ts'
import { emptyBlobId, modes, type ObjectId } from '../store/object-format.ts'
import { maxScore, piecesOf, similarity, type FilePieces } from './similarity.ts'

/** A file of a tree. */
export interface Version {
  readonly mode: number
  readonly oid: ObjectId
}

export interface RenameCandidate extends Version {
  readonly path: string
}

export interface RenameOptions {
  /** From 0 to `maxScore`. */
  readonly minimum: number
  /** Without these the other side left the file alone, and it does not matter where it went. */
  readonly isRelevant: (path: string) => boolean
  /** More pairs than the square of this are not compared by content. */
  readonly limit: number
}

/** Old path to new path. Every path is in one pair only. */
export async function findRenames(
  repository: Repository,
  removed: readonly RenameCandidate[],
  added: readonly RenameCandidate[],
  { minimum, isRelevant, limit }: RenameOptions,
): Promise<ReadonlyMap<string, string>> {
  const renames = new Map<string, string>()
  const taken = new Set<string>()
  const pair = (source: RenameCandidate, target: RenameCandidate): void => {
    renames.set(source.path, target.path)
    taken.add(target.path)
  }
  pairEqual(removed, added, renames, pair)
  const isFree = (source: RenameCandidate): boolean => !renames.has(source.path) && isRegular(source) && isRelevant(source.path)
  const sources = removed.filter(isFree)
  if (sources.length === 0) return renames
  const targets = added.filter(target => !taken.has(target.path) && isRegular(target))
  const known = new Map<ObjectId, FilePieces>()
  const pieces = async ({ oid }: Version): Promise<FilePieces> => {
    const found = known.get(oid) ?? piecesOf(await repository.objects.readBlob(oid))
    known.set(oid, found)
    return found
  }
  const score = async (source: RenameCandidate, target: RenameCandidate, least: number): Promise<number> =>
    similarity(await pieces(source), await pieces(target), least)

  // Files that keep an unusual name are mostly the same file.
  const nameMinimum = Math.floor(minimum + (maxScore - minimum) / 2)
  const targetsByName = uniqueByName(targets)
  for (const [name, source] of uniqueByName(sources)) {
    const target = source === undefined ? undefined : targetsByName.get(name)
    if (source === undefined || target === undefined) continue
    if ((await score(source, target, nameMinimum)) >= nameMinimum) pair(source, target)
  }

  const openSources = sources.filter(isFree)
  const openTargets = targets.filter(({ path }) => !taken.has(path))
  if (openSources.length * openTargets.length > limit * limit) return renames
  const scores: {
    readonly source: RenameCandidate
    readonly target: RenameCandidate
    readonly score: number
    readonly sameName: number
  }[] = []
  for (const target of openTargets) {
    for (const source of openSources) {
      const value = await score(source, target, minimum)
      if (value >= minimum)
        scores.push({ source, target, score: value, sameName: Number(nameOf(source.path) === nameOf(target.path)) })
    }
  }
  scores.sort((one, other) => other.score - one.score || other.sameName - one.sameName)
  for (const { source, target } of scores) if (!renames.has(source.path) && !taken.has(target.path)) pair(source, target)
  return renames
}

/** Files with the same id, those that keep their name first. Empty files say nothing. */
function pairEqual(
  removed: readonly RenameCandidate[],
  added: readonly RenameCandidate[],
  renames: ReadonlyMap<string, string>,
  pair: (source: RenameCandidate, target: RenameCandidate) => void,
): void {
  const byId = new Map<ObjectId, RenameCandidate[]>()
  for (const source of removed) {
    if (source.oid !== emptyBlobId) byId.set(source.oid, [...(byId.get(source.oid) ?? []), source])
  }
  for (const target of added) {
    const free = (byId.get(target.oid) ?? []).filter(
      source => !renames.has(source.path) && (source.mode === target.mode || (isRegular(source) && isRegular(target))),
    )
    const source = free.find(({ path }) => nameOf(path) === nameOf(target.path)) ?? free[0]
    if (source !== undefined) pair(source, target)
  }
}

function uniqueByName(files: readonly RenameCandidate[]): ReadonlyMap<string, RenameCandidate | undefined> {
  const found = new Map<string, RenameCandidate | undefined>()
  for (const file of files) {
    const name = nameOf(file.path)
    found.set(name, found.has(name) ? undefined : file)
  }
  return found
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function isRegular({ mode }: Version): boolean {
  return mode === modes.file || mode === modes.executable
}
