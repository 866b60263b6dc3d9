// Merges three trees into one: the changes of two sides to a base, file by file, including renames on one side. The result is a list of
// changes to our tree, conflicts with the three versions that the index keeps, and messages in git's words.

import { mergeFiles } from '../../text/git-merge/merge-files.ts'
import { looksBinary, pairOf } from '../diff/file-pair.ts'
import { notBuilt } from '../errors.ts'
import { findRenames } from '../diff/renames.ts'
import { diffTrees, type FileChange } from '../diff/tree-diff.ts'
import type { Repository } from '../repository.ts'
import type { DirectoryRenames } from './directory-renames.ts'
import type { ConflictStages, Entry, MergeLabels, MergeTreesOptions, Side, TreeMerge, Version } from './tree-merge.ts'
import { compareText, isRegularMode, type ObjectId } from '../store/object-format.ts'

const renameLimit = 7000

export async function mergeTrees(
  repository: Repository,
  trees: { readonly base: ObjectId | undefined; readonly ours: ObjectId; readonly theirs: ObjectId },
  options: MergeTreesOptions,
): Promise<TreeMerge> {
  return new TreeMerger(repository, options).run(trees)
}

class TreeMerger {
  readonly #repository: Repository
  readonly #options: MergeTreesOptions
  readonly #entries = new Map<string, Entry>()
  readonly #before = new Map<string, Version | undefined>()
  readonly #changes = new Map<string, Version | undefined>()
  readonly #conflicts = new Map<string, ConflictStages>()
  readonly #messages: { readonly path: string; readonly text: string }[] = []

  #isUnclear = false

  constructor(repository: Repository, options: MergeTreesOptions) {
    this.#repository = repository
    this.#options = options
  }

  get #isInner(): boolean {
    return (this.#options.depth ?? 0) > 0
  }

  async run(trees: {
    readonly base: ObjectId | undefined
    readonly ours: ObjectId
    readonly theirs: ObjectId
  }): Promise<TreeMerge> {
    const ours = await diffTrees(this.#repository, trees.base, trees.ours)
    const theirs = await diffTrees(this.#repository, trees.base, trees.theirs)
    for (const { path, before, after } of ours) {
      this.#entries.set(path, { base: before, ours: after, theirs: before })
      this.#before.set(path, after)
    }
    for (const { path, before, after } of theirs) {
      const entry = this.#entries.get(path)
      if (entry === undefined) {
        this.#entries.set(path, { base: before, ours: before, theirs: after })
        this.#before.set(path, before)
      } else entry.theirs = after
    }
    await this.#pairRenames(trees)
    for (const path of [...this.#entries.keys()].sort(compareText)) {
      const entry = this.#entries.get(path)
      if (entry !== undefined) await this.#settle(path, entry)
    }
    await this.#moveFilesOutOfDirectories()
    this.#messages.sort((one, other) => compareText(one.path, other.path))
    return {
      changes: this.#changes,
      conflicts: this.#isInner ? new Map() : this.#conflicts,
      isClean: this.#conflicts.size === 0 && !this.#isUnclear,
      messages: this.#messages.map(({ text }) => text),
    }
  }

  #tell(path: string, text: string): void {
    if (!this.#isInner) this.#messages.push({ path, text })
  }

  async #pairRenames(trees: Readonly<Record<Side, ObjectId>>): Promise<void> {
    const directories = await this.#directoryRenames(trees)
    const ours = await this.#renamesOf('ours', 'theirs', directories)
    const theirs = await this.#renamesOf('theirs', 'ours', directories)
    if (directories !== undefined) await this.#renameDirectories(directories, { ours, theirs })
    for (const from of [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareText)) {
      const source = this.#entries.get(from)
      if (source === undefined) continue
      const [one, other] = [ours.get(from), theirs.get(from)]
      if (one !== undefined && other !== undefined) await this.#renamedTwice(from, source, one, other)
      else if (one !== undefined) await this.#renamedOnce(from, source, one, 'ours')
      else if (other !== undefined) await this.#renamedOnce(from, source, other, 'theirs')
    }
  }

  /** Undefined where no side can have renamed a directory into which the other side added files. */
  async #directoryRenames(trees: Readonly<Record<Side, ObjectId>>): Promise<DirectoryRenames | undefined> {
    const entries = [...this.#entries.values()]
    if (this.#isInner || !entries.some(({ base }) => base === undefined)) return undefined
    if (!entries.some(({ base, ours, theirs }) => base !== undefined && (ours === undefined || theirs === undefined)))
      return undefined
    if (/^(?:false|no|off|0)$/i.test(this.#repository.config().get('merge.directoryrenames') ?? '')) return undefined
    const { DirectoryRenames } = await import('./directory-renames.ts')
    const directories = new DirectoryRenames(this.#repository, this.#entries, trees)
    return (await directories.findRemoved()) ? directories : undefined
  }

  async #renameDirectories(directories: DirectoryRenames, renames: Readonly<Record<Side, Map<string, string>>>): Promise<void> {
    const { moved, messages, isUnclear } = await directories.apply(renames, this.#options.labels)
    for (const { path, text } of messages) this.#tell(path, text)
    this.#isUnclear ||= isUnclear
    for (const { side, from, to, source } of moved) {
      const version = this.#entries.get(from)?.[side]
      this.#entries.delete(from)
      if (this.#before.get(from) !== undefined) this.#changes.set(from, undefined)
      const target = this.#entries.get(to) ?? { base: undefined, ours: undefined, theirs: undefined }
      target[side] = version
      if (this.#entries.has(to)) target.paths = { base: to, ours: to, theirs: to, [side]: from }
      if (directories.isSuggestion) target.isConflict = true
      this.#entries.set(to, target)
      if (source !== undefined) renames[side].set(source, to)
    }
  }

  async #renamesOf(side: Side, other: Side, directories: DirectoryRenames | undefined): Promise<Map<string, string>> {
    const isRelevant = (path: string): boolean => {
      const entry = this.#entries.get(path)
      if (entry === undefined) return false
      return !isSame(entry.base, entry[other]) || directories?.isRelevant(side, path) === true
    }
    const changes: FileChange[] = []
    for (const path of [...this.#entries.keys()].sort(compareText)) {
      const entry = this.#entries.get(path)
      if (entry !== undefined && (entry.base === undefined) !== (entry[side] === undefined))
        changes.push({ path, before: entry.base, after: entry[side] })
    }
    // As in git, without a source that matters no rename is looked for.
    if (!changes.some(({ path, before }) => before !== undefined && isRelevant(path))) return new Map()
    const pairs = await findRenames(this.#repository, changes.map(pairOf), {
      minimumPercent: this.#options.renamePercent ?? 50,
      copies: 'none',
      limit: renameLimit,
      isRelevant,
    })
    return new Map(pairs.flatMap(({ status, beforePath, path }) => (status === 'R' ? [[beforePath, path]] : [])))
  }

  async #renamedTwice(from: string, source: Entry, one: string, other: string): Promise<void> {
    const [mine, others] = [this.#entries.get(one), this.#entries.get(other)]
    if (mine === undefined || others === undefined || source.base === undefined) return
    if (one === other) {
      mine.base = source.base
      this.#entries.delete(from)
      return
    }
    const { labels } = this.#options
    if (mine.ours !== undefined && others.theirs !== undefined) {
      const paths = { base: from, ours: one, theirs: other }
      const merged = await this.#mergeContent(from, { base: source.base, ours: mine.ours, theirs: others.theirs }, paths, 1)
      mine.ours = merged.version
      others.theirs = merged.version
    }
    this.#tell(from, `CONFLICT (rename/rename): ${from} renamed to ${one} in ${labels.ours} and to ${other} in ${labels.theirs}.`)
    mine.isConflict = true
    others.isConflict = true
    source.ours = undefined
    source.theirs = undefined
    source.isConflict = true
    source.isGone = true
  }

  async #renamedOnce(from: string, source: Entry, to: string, side: 'ours' | 'theirs'): Promise<void> {
    const target = this.#entries.get(to)
    const { base } = source
    if (target === undefined || base === undefined) return
    const other = side === 'ours' ? 'theirs' : 'ours'
    const { labels } = this.#options
    const left = source[other]
    if (left === undefined) {
      this.#tell(to, `CONFLICT (rename/delete): ${from} renamed to ${to} in ${labels[side]}, but deleted in ${labels[other]}.`)
      target.isConflict = true
      if (target[other] === undefined) target.base = base
    } else if (target[other] === undefined && kindOf(target[side] ?? left) !== kindOf(left)) {
      // What is of another kind at the old name is another file.
      target.base = base
      this.#modifiedAndDeleted(to, target, base)
      this.#entries.delete(to)
      source.base = source[side] = undefined
      return
    } else if (target[other] !== undefined) {
      // Another file is at the new name of a renamed file: the renamed content is merged first, then the two files.
      const paths = side === 'ours' ? { base: from, ours: to, theirs: from } : { base: from, ours: from, theirs: to }
      const moved = target[side]
      const versions = side === 'ours' ? { base, ours: moved, theirs: left } : { base, ours: left, theirs: moved }
      if (versions.ours !== undefined && versions.theirs !== undefined) {
        const merged = await this.#mergeContent(from, { base, ours: versions.ours, theirs: versions.theirs }, paths, 1)
        target[side] = merged.version
      }
    } else {
      target.base = base
      target[other] = left
      target.paths = side === 'ours' ? { base: from, ours: to, theirs: from } : { base: from, ours: from, theirs: to }
    }
    this.#entries.delete(from)
    if (side === 'theirs' && this.#before.get(from) !== undefined) this.#changes.set(from, undefined)
  }

  async #settle(path: string, entry: Entry): Promise<void> {
    const { base, ours, theirs } = entry
    if (entry.isGone) {
      this.#conflicts.set(path, [base, undefined, undefined])
      return
    }
    if (isSame(ours, theirs)) this.#finish(path, entry, ours)
    else if (isSame(base, ours)) this.#oneSided(path, entry, theirs)
    else if (isSame(base, theirs)) this.#oneSided(path, entry, ours)
    else if (ours !== undefined && theirs !== undefined) await this.#meet(path, entry, ours, theirs)
    else if (base === undefined) this.#finish(path, entry, ours ?? theirs)
    else this.#modifiedAndDeleted(path, entry, base)
  }

  /** One side did not change the file. */
  #oneSided(path: string, entry: Entry, version: Version | undefined): void {
    // A file that was renamed on one side and removed on the other is a conflict with its content.
    if (entry.isConflict && version === undefined) this.#finish(path, entry, entry.ours ?? entry.theirs)
    else this.#finish(path, entry, version)
  }

  #finish(path: string, entry: Entry, version: Version | undefined): void {
    this.#put(path, version)
    if (entry.isConflict) this.#conflicts.set(path, [entry.base, entry.ours, entry.theirs])
  }

  #put(path: string, version: Version | undefined): void {
    if (isSame(this.#before.get(path), version)) this.#changes.delete(path)
    else this.#changes.set(path, version)
  }

  #modifiedAndDeleted(path: string, entry: Entry, base: Version): void {
    const { labels } = this.#options
    const [kept, gone] =
      entry.ours === undefined ? ([labels.theirs, labels.ours] as const) : ([labels.ours, labels.theirs] as const)
    this.#put(path, this.#isInner ? base : (entry.ours ?? entry.theirs))
    this.#conflicts.set(path, [entry.base, entry.ours, entry.theirs])
    this.#tell(
      path,
      `CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${kept}.  Version ${kept} of ${path} left in tree.`,
    )
  }

  /** Both sides have the file, and both changed it. */
  async #meet(path: string, entry: Entry, ours: Version, theirs: Version): Promise<void> {
    const { base } = entry
    if (kindOf(ours) !== kindOf(theirs)) {
      this.#distinctTypes(path, entry, ours, theirs)
      return
    }
    const merged = await this.#mergeContent(path, { base, ours, theirs }, entry.paths)
    this.#put(path, merged.version)
    if (!merged.isClean) {
      const reason = kindOf(merged.version) === 'submodule' ? 'submodule' : base === undefined ? 'add/add' : 'content'
      this.#tell(path, `CONFLICT (${reason}): Merge conflict in ${path}`)
    }
    if (!merged.isClean || entry.isConflict) this.#conflicts.set(path, [base, ours, theirs])
  }

  #distinctTypes(path: string, entry: Entry, ours: Version, theirs: Version): void {
    if (this.#isInner) {
      this.#put(path, entry.base ?? ours)
      return
    }
    const { labels } = this.#options
    // A regular file is moved aside for an entry of another kind.
    const movesOurs = isRegularMode(ours.mode)
    const movesTheirs = !movesOurs && isRegularMode(theirs.mode)
    const isOnlyOne = movesOurs !== movesTheirs
    const oursPath = movesOurs || !isOnlyOne ? this.#freePath(path, labels.ours) : path
    const theirsPath = movesTheirs || !isOnlyOne ? this.#freePath(path, labels.theirs) : path
    const some = isOnlyOne ? 'one' : 'both'
    this.#tell(
      path,
      `CONFLICT (distinct types): ${path} had different types on each side; renamed ${some} of them so each can be recorded somewhere.`,
    )
    const base = entry.base
    const baseFits = (version: Version): Version | undefined =>
      base !== undefined && kindOf(base) === kindOf(version) ? base : undefined
    if (oursPath !== path && theirsPath !== path) this.#put(path, undefined)
    this.#put(oursPath, ours)
    this.#conflicts.set(oursPath, [baseFits(ours), ours, undefined])
    this.#put(theirsPath, theirs)
    this.#conflicts.set(theirsPath, [baseFits(theirs), undefined, theirs])
  }

  #freePath(path: string, label: string): string {
    const wanted = `${path}~${label.replaceAll('/', '_')}`
    let free = wanted
    for (let number = 0; this.#entries.has(free) || this.#changes.has(free); number++) free = `${wanted}_${number}`
    return free
  }

  /** If the name of a file is a directory in the result, the file gets another name beside it. */
  async #moveFilesOutOfDirectories(): Promise<void> {
    const directories = new Set<string>()
    const files = new Map<string, Version>()
    for (const path of [...this.#entries.keys()].sort(compareText)) {
      const version = this.#changes.has(path) ? this.#changes.get(path) : this.#before.get(path)
      if (version === undefined) continue
      files.set(path, version)
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) directories.add(path.slice(0, end))
    }
    for (const [path, version] of files) {
      if (!directories.has(path)) continue
      const { moveOutOfDirectory } = await import('./out-of-directory.ts')
      moveOutOfDirectory(path, version, {
        entry: this.#entries.get(path),
        before: this.#before,
        changes: this.#changes,
        conflicts: this.#conflicts,
        messages: this.#isInner ? [] : this.#messages,
        labels: this.#options.labels,
        freePath: label => this.#freePath(path, label),
      })
    }
  }

  async #mergeContent(
    path: string,
    versions: { readonly base: Version | undefined; readonly ours: Version; readonly theirs: Version },
    paths: Entry['paths'],
    extraMarks = 0,
  ): Promise<{ readonly version: Version; readonly isClean: boolean }> {
    const { base, ours, theirs } = versions
    let isClean = true
    let { mode } = ours
    if (ours.mode === theirs.mode || ours.mode === base?.mode) mode = theirs.mode
    else isClean = theirs.mode === base?.mode
    if (ours.oid === theirs.oid || ours.oid === base?.oid) return { version: { mode, oid: theirs.oid }, isClean }
    if (theirs.oid === base?.oid) return { version: { mode, oid: ours.oid }, isClean }
    const sameBase = base !== undefined && kindOf(base) === kindOf(ours) ? base : undefined
    if (!isRegularMode(ours.mode))
      return { version: { mode, oid: this.#isInner ? (sameBase ?? ours).oid : ours.oid }, isClean: false }
    const merged = await this.#mergeText(path, { base: sameBase, ours, theirs }, paths, extraMarks)
    this.#tell(path, `Auto-merging ${path}`)
    return { version: { mode, oid: merged.oid }, isClean: isClean && merged.isClean }
  }

  async #mergeText(
    path: string,
    { base, ours, theirs }: { readonly base: Version | undefined; readonly ours: Version; readonly theirs: Version },
    paths: Entry['paths'],
    extraMarks: number,
  ): Promise<{ readonly oid: ObjectId; readonly isClean: boolean }> {
    const { objects } = this.#repository
    const { labels, style = 'merge', depth = 0, algorithm = 'histogram', whitespace = 'exact' } = this.#options
    const [before, mine, others] = [
      base === undefined ? new Uint8Array() : await objects.readBlob(base.oid),
      await objects.readBlob(ours.oid),
      await objects.readBlob(theirs.oid),
    ]
    const attributes = await this.#repository.attributes().of(path)
    const config = this.#repository.config()
    const driver = attributes.get('merge') ?? config.get('merge.default')
    const program = typeof driver === 'string' ? config.get(`merge.${driver}.driver`) : undefined
    // Programs of a repository are never run; this one keeps our version.
    if (program === 'true') return { oid: ours.oid, isClean: true }
    if (program !== undefined) throw notBuilt(`the merge driver '${driver}' of ${path}`)
    const favor = this.#isInner ? undefined : this.#options.favor
    const labelled = paths === undefined ? labels : withPaths(labels, paths)
    if (driver === false || driver === 'binary' || [before, mine, others].some(looksBinary)) {
      if (this.#isInner) return { oid: base?.oid ?? ours.oid, isClean: false }
      if (favor !== undefined) return { oid: favor === 'ours' ? ours.oid : theirs.oid, isClean: true }
      this.#tell(path, `warning: Cannot merge binary files: ${path} (${labelled.ours} vs. ${labelled.theirs})`)
      return { oid: ours.oid, isClean: false }
    }
    const size = Number(attributes.get('conflict-marker-size'))
    const merged = mergeFiles(before, mine, others, {
      style,
      labels: labelled,
      keepsNearConflictsApart: true,
      markerSize: (Number.isInteger(size) && size > 0 ? size : 7) + depth * 2 + extraMarks,
      comparison: { algorithm, whitespace },
      ...(driver === 'union' ? { favor: 'union' } : favor === undefined ? {} : { favor }),
    })
    return { oid: await objects.write('blob', merged.bytes), isClean: merged.conflicts === 0 }
  }
}

function withPaths(labels: MergeLabels, paths: NonNullable<Entry['paths']>): MergeLabels {
  return {
    ours: `${labels.ours}:${paths.ours}`,
    base: `${labels.base}:${paths.base}`,
    theirs: `${labels.theirs}:${paths.theirs}`,
  }
}

export function isSame(one: Version | undefined, other: Version | undefined): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode
}

function kindOf(version: Version): 'file' | 'submodule' | 'symlink' {
  return isRegularMode(version.mode) ? 'file' : version.mode === 0o160000 ? 'submodule' : 'symlink'
}
