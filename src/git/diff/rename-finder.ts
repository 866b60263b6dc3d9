// Pairs deleted with new files: first equal contents, then files with the same base name, then all others by how much of the content is
// kept. Pieces of content are lines, cut at 64 bytes.

import type { Repository } from '../repository.ts'
import { emptyBlobId, isRegularMode } from '../store/object-format.ts'
import { ContentReader, type FilePair } from './file-pair.ts'
import type { RenameOptions, RenameSource, RenameTarget } from './renames.ts'
import { type FilePieces, maxScore, piecesOf, similarity } from './similarity.ts'
import type { FileSide } from './tree-diff.ts'

/** The pairs, with the renames and copies that were found among them. */
export async function withRenames(
  repository: Repository,
  pairs: readonly FilePair[],
  { targets, sources }: { readonly targets: readonly RenameTarget[]; readonly sources: readonly RenameSource[] },
  options: RenameOptions,
): Promise<readonly FilePair[]> {
  await new Finder(repository, targets, sources, options).run()
  return render(pairs, targets)
}

class Finder {
  readonly #targets: readonly RenameTarget[]
  readonly #sources: readonly RenameSource[]
  readonly #options: RenameOptions
  readonly #minimum: number
  readonly #contents: Similarity

  constructor(
    repository: Repository,
    targets: readonly RenameTarget[],
    sources: readonly RenameSource[],
    options: RenameOptions,
  ) {
    this.#targets = targets
    this.#sources = sources
    this.#options = options
    this.#minimum = (options.minimumPercent * maxScore) / 100
    this.#contents = new Similarity(repository)
  }

  async run(): Promise<void> {
    this.#findEqual()
    if (this.#minimum >= maxScore) return
    if (this.#options.copies === 'none') await this.#findByName()
    const targets = this.#targets.filter(({ found }) => found === undefined)
    const sources = this.#sources.filter(
      source => (this.#options.copies !== 'none' || !source.isUsed) && this.#isRelevant(source),
    )
    if (targets.length * sources.length > this.#options.limit ** 2) return
    await this.#findSimilar(targets, sources)
  }

  #isRelevant({ pair }: RenameSource): boolean {
    return this.#options.isRelevant?.(pair.beforePath) ?? true
  }

  #findEqual(): void {
    const byId = new Map<string, RenameSource[]>()
    for (const source of this.#sources) byId.set(source.side.oid, [...(byId.get(source.side.oid) ?? []), source])
    for (const target of this.#targets) {
      let best: RenameSource | undefined
      let bestScore = -1
      const skipsEmpty = this.#options.skipsEmpty === true || this.#options.isRelevant !== undefined
      if (skipsEmpty && target.side.oid === emptyBlobId) continue
      for (const source of (byId.get(target.side.oid) ?? []).slice(0, 100)) {
        if (!areComparable(source.side, target.side)) continue
        if (source.isUsed && this.#options.copies === 'none') continue
        const score = (source.isUsed ? 0 : 1) + (isSameName(source, target) ? 1 : 0)
        if (score <= bestScore) continue
        best = source
        bestScore = score
        if (score === 2) break
      }
      if (best !== undefined) take(target, best, maxScore)
    }
  }

  /** Files whose name occurs once on both sides are only compared with each other. */
  async #findByName(): Promise<void> {
    const sources = uniqueNames(this.#sources.filter(source => !source.isUsed && this.#isRelevant(source)))
    const targets = uniqueNames(this.#targets.filter(({ found }) => found === undefined))
    const minimum = this.#minimum + (maxScore - this.#minimum) / 2
    for (const [name, source] of sources) {
      const target = targets.get(name)
      if (source === undefined || target === undefined) continue
      const score = await this.#contents.score(source, target, minimum)
      if (score >= minimum) take(target, source, score)
    }
  }

  async #findSimilar(targets: readonly RenameTarget[], sources: readonly RenameSource[]): Promise<void> {
    const rows: {
      readonly source: RenameSource
      readonly target: RenameTarget
      readonly score: number
      readonly isNamed: boolean
    }[] = []
    for (const target of targets) {
      const own: (typeof rows)[number][] = []
      for (const source of sources) {
        const score = await this.#contents.score(source, target, this.#minimum)
        if (score < this.#minimum) continue
        own.push({ source, target, score, isNamed: isSameName(source, target) })
      }
      rows.push(...own.sort(byScore).slice(0, 4))
    }
    rows.sort(byScore)
    for (const isCopying of [false, true]) {
      if (isCopying && this.#options.copies === 'none') break
      for (const { source, target, score } of rows) {
        if (target.found !== undefined || (!isCopying && source.isUsed)) continue
        take(target, source, score)
      }
    }
  }
}

function byScore(
  a: { readonly score: number; readonly isNamed: boolean },
  b: { readonly score: number; readonly isNamed: boolean },
): number {
  return b.score - a.score || Number(b.isNamed) - Number(a.isNamed)
}

function take(target: RenameTarget, source: RenameSource, score: number): void {
  target.found = { source, score }
  source.isUsed = true
}

function areComparable(a: FileSide, b: FileSide): boolean {
  return (a.mode & 0o170000) === (b.mode & 0o170000)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isSameName(source: RenameSource, target: RenameTarget): boolean {
  return nameOf(source.pair.path) === nameOf(target.pair.path)
}

function uniqueNames<T extends { readonly pair: FilePair }>(rows: readonly T[]): ReadonlyMap<string, T | undefined> {
  const found = new Map<string, T | undefined>()
  for (const row of rows) found.set(nameOf(row.pair.path), found.has(nameOf(row.pair.path)) ? undefined : row)
  return found
}

class Similarity {
  readonly #reader: ContentReader
  readonly #pieces = new Map<string, FilePieces>()

  constructor(repository: Repository) {
    this.#reader = new ContentReader(repository)
  }

  async score(source: RenameSource, target: RenameTarget, minimum: number): Promise<number> {
    if (!isRegularMode(source.side.mode) || !isRegularMode(target.side.mode)) return 0
    const a = await this.#of(source.pair.beforePath, source.side)
    const b = await this.#of(target.pair.path, target.side)
    return similarity(a, b, minimum)
  }

  async #of(path: string, side: FileSide): Promise<FilePieces> {
    const key = side.isWorkTree ? `:${path}` : side.oid
    const known = this.#pieces.get(key)
    if (known !== undefined) return known
    const found = piecesOf(await this.#reader.read(side, path))
    this.#pieces.set(key, found)
    return found
  }
}

function render(pairs: readonly FilePair[], targets: readonly RenameTarget[]): readonly FilePair[] {
  const foundAt = new Map<FilePair, NonNullable<RenameTarget['found']>>()
  const uses = new Map<FilePair, number>()
  for (const { pair, found } of targets) {
    if (found === undefined) continue
    foundAt.set(pair, found)
    uses.set(found.source.pair, (uses.get(found.source.pair) ?? 0) + 1)
  }
  const result: FilePair[] = []
  for (const pair of pairs) {
    const found = foundAt.get(pair)
    if (found === undefined) {
      if (pair.status !== 'D' || !uses.has(pair)) result.push(pair)
      continue
    }
    const { source, score } = found
    const left = (uses.get(source.pair) ?? 1) - 1
    uses.set(source.pair, left)
    // The last new file of a deleted one is the rename, those before it are copies.
    const status = source.isKept || left > 0 ? 'C' : 'R'
    const similarity = Math.floor((score * 100) / maxScore)
    result.push({ ...pair, status, similarity, beforePath: source.pair.beforePath, before: source.side })
  }
  return result
}
