// Directories that one side of a merge renamed: what the other side adds below the old name belongs below the new one.
// The rules are those that git documents for `merge.directoryRenames`.

import type { Repository } from '../repository.ts'
import { findInTree } from '../revs/revision.ts'
import { compareText, modes, type ObjectId } from '../store/object-format.ts'
import type { Entry, Side } from './tree-merge.ts'

/** Old path to new path. */
type Renames = ReadonlyMap<string, string>

interface MovedPath {
  readonly side: Side
  readonly from: string
  readonly to: string
  /** The path before, if the side renamed the file into the directory. */
  readonly source: string | undefined
}

interface Findings {
  readonly moved: readonly MovedPath[]
  readonly messages: readonly { readonly path: string; readonly text: string }[]
  /** Something is left for a person. */
  readonly isUnclear: boolean
}

const otherSide: Readonly<Record<Side, Side>> = { ours: 'theirs', theirs: 'ours' }
const sides: readonly Side[] = ['ours', 'theirs']

export class DirectoryRenames {
  readonly #repository: Repository
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #trees: Readonly<Record<Side, ObjectId>>
  readonly #removed: Record<Side, Map<string, boolean>> = { ours: new Map(), theirs: new Map() }
  readonly #messages: { path: string; text: string }[] = []
  #isUnclear = false

  constructor(repository: Repository, entries: ReadonlyMap<string, Entry>, trees: Readonly<Record<Side, ObjectId>>) {
    this.#repository = repository
    this.#entries = entries
    this.#trees = trees
  }

  /** Finds the directories that a side removed while the other side added files below them. */
  async findRemoved(): Promise<boolean> {
    for (const side of sides) {
      const deletedBelow = new Set<string>()
      for (const [path, entry] of this.#entries)
        if (entry.base !== undefined && entry[side] === undefined) for (const above of ancestors(path)) deletedBelow.add(above)
      for (const [path, entry] of this.#entries) {
        if (entry.base !== undefined || entry[otherSide[side]] === undefined) continue
        for (const above of ancestors(path)) {
          if (!deletedBelow.has(above) || this.#removed[side].has(above)) continue
          const found = await findInTree(this.#repository, this.#trees[side], above)
          this.#removed[side].set(above, found?.mode !== modes.tree)
        }
      }
    }
    return sides.some(side => [...this.#removed[side].values()].includes(true))
  }

  #isRemoved(side: Side, directory: string): boolean {
    return this.#removed[side].get(directory) === true
  }

  /** Whether a rename from here can tell where a directory went. */
  isRelevant(side: Side, path: string): boolean {
    return ancestors(path).some(above => this.#isRemoved(side, above))
  }

  async apply(renames: Readonly<Record<Side, Renames>>, labels: Readonly<Record<Side, string>>): Promise<Findings> {
    const found = { ours: this.#targets('ours', renames.ours), theirs: this.#targets('theirs', renames.theirs) }
    for (const directory of [...found.ours.keys()])
      if (found.theirs.has(directory)) for (const side of sides) found[side].delete(directory)
    const moved: MovedPath[] = []
    for (const side of sides) {
      const directories = found[otherSide[side]]
      if (directories.size === 0) continue
      const sources = new Map([...renames[side]].map(([from, to]) => [to, from] as const))
      const planned = new Map<string, string[]>()
      const added = [...this.#entries]
        .filter(([, entry]) => entry.base === undefined && entry[side] !== undefined)
        .map(([path]) => path)
        .sort(compareText)
      for (const path of added) {
        const [directory, target] = nearest(path, directories)
        if (directory === undefined || target === undefined) continue
        if (found[side].has(target)) {
          const why = `WARNING: Avoiding applying ${directory} -> ${target} rename to ${path}, because ${target} itself was renamed.`
          this.#messages.push({ path, text: why })
          continue
        }
        const to = target === '' ? path.slice(directory.length + 1) : target + path.slice(directory.length)
        planned.set(to, [...(planned.get(to) ?? []), path])
      }
      for (const [to, paths] of planned) {
        const inWay = (await findInTree(this.#repository, this.#trees[side], to)) !== undefined
        const [from, ...more] = paths
        if (from === undefined) continue
        if (!inWay && more.length === 0) {
          const source = sources.get(from)
          moved.push({ side, from, to, source })
          this.#messages.push({ path: to, text: this.#told({ side, from, to, source }, labels) })
          continue
        }
        this.#isUnclear = true
        const text = inWay
          ? `Existing file/dir at ${to} in the way of implicit directory rename(s) putting the following path(s) there: ${paths.join(', ')}.`
          : `Cannot map more than one path to ${to}; implicit directory renames tried to put these paths there: ${paths.join(', ')}`
        this.#messages.push({ path: to, text: `CONFLICT (implicit dir rename): ${text}` })
      }
    }
    return { moved, messages: this.#messages, isUnclear: this.#isUnclear }
  }

  get isSuggestion(): boolean {
    const setting = this.#repository.config().get('merge.directoryrenames')
    return setting === undefined || !/^(?:true|yes|on|1)$/i.test(setting)
  }

  #told({ side, from, to, source }: MovedPath, labels: Readonly<Record<Side, string>>): string {
    const [mine, other] = [labels[side], labels[otherSide[side]]]
    const what =
      source === undefined
        ? `${from} added in ${mine} inside a directory that was renamed in ${other}`
        : `${source} renamed to ${from} in ${mine}, inside a directory that was renamed in ${other}`
    return this.isSuggestion
      ? `CONFLICT (file location): ${what}, suggesting it should perhaps be moved to ${to}.`
      : `Path updated: ${what}; moving it to ${to}.`
  }

  /** Where most files of each removed directory went. */
  #targets(side: Side, renames: Renames): Map<string, string> {
    const counts = new Map<string, Map<string, number>>()
    for (const [from, to] of renames) {
      for (const [directory, target] of directoryPairs(from, to)) {
        if (!this.#isRemoved(side, directory)) continue
        const own = counts.get(directory) ?? new Map<string, number>()
        own.set(target, (own.get(target) ?? 0) + 1)
        counts.set(directory, own)
      }
    }
    const targets = new Map<string, string>()
    for (const [directory, own] of [...counts].sort(([a], [b]) => compareText(a, b))) {
      const [best, next] = [...own].sort(([, a], [, b]) => b - a)
      if (best === undefined) continue
      if (best[1] !== next?.[1]) {
        targets.set(directory, best[0])
        continue
      }
      this.#isUnclear = true
      this.#messages.push({
        path: directory,
        text:
          `CONFLICT (directory rename split): Unclear where to rename ${directory} to; it was renamed to multiple other directories, ` +
          'with no destination getting a majority of the files.',
      })
    }
    return targets
  }
}

/** Directories that a rename moves: the one of the file, and those above while the names below them are the same. */
function directoryPairs(from: string, to: string): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  let [directory, target] = [parent(from), parent(to)]
  while (directory !== undefined && target !== undefined && directory !== target) {
    pairs.push([directory, target])
    if (directory === '' || target === '' || lastName(directory) !== lastName(target)) break
    directory = parent(directory)
    target = parent(target)
  }
  return pairs
}

function parent(path: string): string | undefined {
  return path === '' ? undefined : path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function ancestors(path: string): readonly string[] {
  const found: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}

function nearest(path: string, directories: ReadonlyMap<string, string>): readonly [string | undefined, string | undefined] {
  const directory = ancestors(path).find(above => directories.has(above))
  return [directory, directory === undefined ? undefined : directories.get(directory)]
}
