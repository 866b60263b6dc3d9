// Writes commits as `log`, `show` and `diff-tree` do, each with its changes.

import { findRenames } from '../diff/renames.ts'
import { collectOutput } from '../../shell/commands.ts'
import { CallOutput, type GitCall } from '../call.ts'
import type { CombinedFile } from '../diff/combined-diff.ts'
import { type FilePair, pairOf } from '../diff/file-pair.ts'
import type { DiffRenderer } from '../diff/render.ts'
import { asksForDiff, type DiffSettings, isDiffSilenced, readDiffSettings } from '../diff/settings.ts'
import { diffTrees, type FileChange, type TreeDiffOptions } from '../diff/tree-diff.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { Graph } from '../revs/graph.ts'
import { outputRecoder } from '../revs/subject.ts'
import { Mailmap } from '../revs/mailmap.ts'
import { Pretty, type ShownCommit } from '../revs/pretty.ts'
import { type PrettyForm } from '../revs/pretty-form.ts'
import { type RevisionArguments } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { ShownNotes } from '../revs/shown-notes.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import type { Commit, ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { markOf } from './commit-mark.ts'
import { diffDefaults, hidesAllCommits, type LogKind, refuseSignature } from './log-defaults.ts'
import { LogEntries } from './log-entries.ts'
import { chosenMergeDiff, type MergeDiff } from './merge-diff.ts'
import type { TextFilterOptions } from './text-filter.ts'
import { prettyForm, prettySettings } from './pretty-settings.ts'

export class LogWriter {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #form: PrettyForm
  readonly #pretty: Pretty
  #diffRenderer: DiffRenderer | undefined
  readonly #settings: DiffSettings
  readonly #ids: ShortIds
  readonly #notes: ShownNotes
  #mailmap: Promise<Mailmap> | undefined
  readonly #showsProperNames: boolean
  /** `--diff-merges` without `-p`: other commits have no differences. */
  readonly #showsOnlyMerges: boolean
  readonly #isWanted: ((path: string, isDirectory: boolean) => boolean) | undefined
  readonly #showsDiff: boolean
  readonly #graph: Graph | undefined
  readonly #mergeDiff: MergeDiff | undefined
  readonly #entries: LogEntries
  readonly #treeOptions: Pick<TreeDiffOptions, 'recursive' | 'showTrees'>
  readonly needsSources: boolean
  /** Some commits are left out because of their changes. */
  readonly isSelective: boolean
  readonly #skipsUnchanged: boolean
  readonly #hidesAll: boolean
  readonly #max: number
  /** Whether any written commit showed a change. */
  hasChanges = false
  #written = 0
  #recode: ((text: string) => string) | undefined
  #followed: string | undefined
  #lineText: ((oid: ObjectId) => Promise<Uint8Array>) | undefined

  static async open(
    call: GitCall,
    repository: Repository,
    options: Options,
    args: RevisionArguments,
    kind: LogKind,
    graph: Graph | undefined,
    /** For `diff-tree`: ignores the configuration, and trees may be rows. */
    plumbing?: Pick<TreeDiffOptions, 'recursive' | 'showTrees'>,
  ): Promise<LogWriter> {
    const settings = await readDiffSettings(options, diffDefaults(repository, options, kind))
    return new LogWriter(call, repository, options, args, kind, graph, settings, plumbing ?? {})
  }

  private constructor(
    call: GitCall,
    repository: Repository,
    options: Options,
    args: RevisionArguments,
    kind: LogKind,
    graph: Graph | undefined,
    settings: DiffSettings,
    plumbing: Pick<TreeDiffOptions, 'recursive' | 'showTrees'>,
  ) {
    this.#treeOptions = plumbing
    this.#call = call
    this.#repository = repository
    this.#options = options
    const config = repository.config()
    this.#form = prettyForm(options, config)
    this.#entries = new LogEntries(call.out, this.#form, graph, options.has('z') ? '\0' : '\n')
    this.needsSources = /%[-+ ]?S/.test(this.#form.format)
    const isPlumbing = kind === 'diff-tree'
    this.#ids = new ShortIds(repository)
    const isFormatGiven = options.given.some(({ key }) => key === 'oneline' || key === 'pretty' || key === 'format')
    this.#notes = new ShownNotes(call, repository, options, /%[-+ ]?N/.test(this.#form.format) || (!isPlumbing && !isFormatGiven))
    this.#showsProperNames =
      options.has('mailmap') || (!options.isNegated('mailmap') && !isPlumbing && config.bool('log.mailmap', true))
    this.#pretty = new Pretty({
      ...prettySettings(repository, options, isPlumbing),
      notes: oid => this.#notes.raw(oid),
      mailmap: () => this.#readMailmap(),
      showsProperNames: this.#showsProperNames,
      repository,
      ids: this.#ids,
      now: call.now,
    })
    this.#settings = settings
    const pathspec = parsePathspec(repository, args.paths)
    this.#isWanted = pathspec.isEmpty || options.has('full-diff') ? undefined : pathspec.filter
    this.#mergeDiff = chosenMergeDiff(options, config, kind)
    const given = options.value('merge-diff')
    const chooses = given === '-c' || given === '--cc'
    this.#showsOnlyMerges =
      kind === 'log' && given !== undefined && !['-m', 'off', 'none'].includes(given) && !chooses && !asksForDiff(options)
    const asks = asksForDiff(options) || chooses || this.#showsOnlyMerges
    this.#showsDiff =
      (kind !== 'log' || asks) && (this.#settings.formats.size > 0 || asks) && !isDiffSilenced(options) && !options.has('quiet')
    this.#graph = graph
    this.#hidesAll = kind === 'log' && hidesAllCommits(options, settings) && (isDiffSilenced(options) || !asks)
    this.#skipsUnchanged = kind === 'whatchanged'
    this.isSelective = this.#isPicky || this.#skipsUnchanged || options.has('follow')
    this.#max = this.isSelective ? (options.number('max-count') ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  }

  /** Commits are chosen by their differences. */
  get #isPicky(): boolean {
    const { pickaxe, filter, objectName } = this.#settings
    return pickaxe !== undefined || filter !== undefined || objectName !== undefined
  }

  /** The requested number was written. */
  get isFull(): boolean {
    return this.#max >= 0 && this.#written >= this.#max
  }

  /** `-L`: the differences of a commit are these. */
  showLines(text: (oid: ObjectId) => Promise<Uint8Array>): void {
    this.#lineText = text
  }

  follow(path: string): void {
    this.#followed = path
  }

  /** `--follow`: the file under its name at that time, against one parent; leaves out other commits. */
  async #followedPairs(commit: Commit, parent = commit.parents[0]): Promise<readonly FilePair[] | undefined> {
    const path = this.#followed
    if (path === undefined) return undefined
    if (commit.parents.length > 1 && this.#mergeDiff === undefined) return []
    const before = parent === undefined ? undefined : await this.#repository.treeOf(parent)
    const changes = await diffTrees(this.#repository, before, commit.tree)
    const own = changes.find(change => change.path === path)
    // Of a directory no renames are followed.
    if (own === undefined) return changes.some(change => change.path.startsWith(`${path}/`)) ? this.#pairs(commit) : []
    let found = pairOf(own)
    if (own.before === undefined) {
      const pairs = await findRenames(this.#repository, changes.map(pairOf), {
        minimumPercent: this.#settings.minimumPercent,
        copies: 'changed',
        limit: 1000,
      })
      const pair = pairs.find(candidate => candidate.path === path)
      if (pair?.status === 'R' || pair?.status === 'C') {
        this.#followed = pair.beforePath
        found = pair
      }
    }
    return this.#isPicky ? (await this.#renderer()).sifted([found]) : [found]
  }

  async #combinedFiles(commit: Commit): Promise<readonly CombinedFile[]> {
    const { combinedFiles, followedFile } = await import('../diff/combined-diff.ts')
    const path = this.#followed
    const ofParents: (readonly FilePair[])[] = []
    if (path !== undefined) for (const parent of commit.parents) ofParents.push((await this.#followedPairs(commit, parent)) ?? [])
    this.#followed = path
    const pairsOf = async (changes: readonly FileChange[]) => (await this.#renderer()).pairs(changes)
    return followedFile(path, ofParents) ?? combinedFiles(this.#repository, commit, this.#isWanted, pairsOf)
  }

  /** `-m`: shows a merge once for each parent. */
  async #writeSeparately(walked: WalkedCommit, shown: ShownCommit): Promise<void> {
    const { commit } = walked
    let isShown = false
    for (const parent of commit.parents) {
      const before = await this.#repository.treeOf(parent)
      const options = { ...this.#treeOptions, isWanted: this.#isWanted }
      const pairs =
        (await this.#followedPairs(commit, parent)) ??
        (await (await this.#renderer()).pairs(await diffTrees(this.#repository, before, commit.tree, options)))
      if (pairs.length === 0) continue
      isShown = true
      await this.#entry({ ...shown, mark: '', from: parent }, pairs)
    }
    if (!isShown && !this.#skipsUnchanged && !this.#isPicky && this.#followed === undefined) await this.#entry(shown, undefined)
  }

  async write(found: WalkedCommit): Promise<void> {
    // A simplified history compares a commit with the parents that it has there.
    const isSimplified = this.#options.has('simplify-by-decoration') || this.#options.has('simplify-merges')
    const walked = isSimplified ? { ...found, commit: { ...found.commit, parents: found.parents } } : found
    const mark = markOf(walked, this.#options)
    const shown = this.#shownOf(walked, mark)
    this.#entries.place(shown, mark)
    if (this.#lineText !== undefined) return this.#entry(shown, undefined)
    const needsDiff = this.#showsDiff || this.#isPicky || this.#followed !== undefined
    if (needsDiff && walked.commit.parents.length > 1 && this.#mergeDiff === 'separate')
      return this.#writeSeparately(walked, shown)
    const isMerge = walked.commit.parents.length > 1
    const path = this.#followed
    const followed = await this.#followedPairs(walked.commit)
    if (isMerge && this.#isCombinedStyle) this.#followed = path
    else if (followed?.length === 0) return
    // The message of a merge that is compared with all of its parents comes before its differences are known.
    const isSure = this.#showsDiff && isMerge && this.#isCombinedStyle
    const showsDiff = this.#showsDiff && (!this.#showsOnlyMerges || walked.commit.parents.length > 1)
    const pairs =
      showsDiff || this.#isPicky || this.#skipsUnchanged ? (followed ?? (await this.#pairs(walked.commit))) : undefined
    if (!isSure && this.#isPicky && (pairs === undefined || pairs.length === 0)) return
    if (!isSure && this.#skipsUnchanged && (isMerge ? !this.#showsMerges : (pairs ?? []).length === 0)) return
    if (this.isSelective) {
      if (this.isFull && !walked.isBoundary) return
      this.#written++
    }
    await this.#entry(shown, pairs)
  }

  #shownOf(walked: WalkedCommit, mark: ShownCommit['mark']): ShownCommit {
    const { oid, commit, parents, source, children, hasTwin, side, isBoundary } = walked
    const others = this.#options.has('children') ? (children ?? []) : this.#options.has('parents') ? parents : []
    return {
      oid,
      commit,
      parents: this.#options.has('parents') || this.#graph !== undefined ? commit.parents : parents,
      mark: this.#graph === undefined ? mark : '',
      sideMark: isBoundary ? '-' : hasTwin ? '=' : side === 'left' ? '<' : '>',
      others,
      graphParents: parents,
      ...(source === undefined ? {} : { source }),
    }
  }

  /** Loaded when the first differences are shown. */
  async #renderer(settings?: DiffSettings): Promise<DiffRenderer> {
    if (settings === undefined && this.#diffRenderer !== undefined) return this.#diffRenderer
    const { DiffRenderer } = await import('../diff/render.ts')
    const made = new DiffRenderer(this.#repository, settings ?? this.#settings, this.#ids)
    if (settings === undefined) this.#diffRenderer = made
    return made
  }

  async #pairs(commit: Commit): Promise<readonly FilePair[] | undefined> {
    const [first, ...rest] = commit.parents
    if (rest.length > 0 && this.#mergeDiff === undefined) return undefined
    const config = this.#repository.config()
    if (first === undefined && config.has('log.showroot') && !config.bool('log.showroot', true) && !this.#options.has('root'))
      return []
    const before = first === undefined ? undefined : await this.#repository.treeOf(first)
    if (rest.length > 0 && this.#isCombinedStyle && this.#isPatchOnly) return undefined
    const changes = await diffTrees(this.#repository, before, commit.tree, { ...this.#treeOptions, isWanted: this.#isWanted })
    return (await this.#renderer()).pairs(changes, async () =>
      (await diffTrees(this.#repository, undefined, before)).map(({ path, after }) => pairOf({ path, before: after, after })),
    )
  }

  #readMailmap(): Promise<Mailmap> {
    return (this.#mailmap ??= Mailmap.read(this.#repository))
  }

  /** Where people are shown by their proper names they are looked for by them, too; and what is looked for may be in the shown notes. */
  get searched(): TextFilterOptions {
    return { mailmap: this.#showsProperNames ? () => this.#readMailmap() : undefined, notes: () => this.#notes.texts() }
  }

  get #showsMerges(): boolean {
    return this.#mergeDiff !== undefined
  }

  get #isCombinedStyle(): boolean {
    return this.#mergeDiff === 'dense' || this.#mergeDiff === 'combined'
  }

  get #isPatchOnly(): boolean {
    const { formats } = this.#settings
    return formats.has('patch') && formats.size === 1
  }

  /** The text below the message. */
  async #diffText(shown: ShownCommit, pairs: readonly FilePair[] | undefined, prefixColumns: number): Promise<Uint8Array> {
    const collected = collectOutput()
    const { stat } = this.#settings
    const settings = { ...this.#settings, stat: stat.isWidthGiven ? stat : { ...stat, width: stat.width - prefixColumns } }
    const out = new CallOutput(collected)
    const { commit } = shown
    const isMerge = commit.parents.length > 1
    if (this.#settings.formats.has('patch') && this.#repository.config().subsections('diff').length > 0) {
      const { tellSkippedPrograms } = await import('../diff/rare-forms.ts')
      await tellSkippedPrograms(this.#call, this.#repository, this.#options, pairs ?? [], false)
    }
    if (isMerge && this.#isCombinedStyle) {
      const { writeCombined } = await import('../diff/combined-diff.ts')
      await writeCombined(
        out,
        {
          repository: this.#repository,
          settings,
          ids: this.#ids,
          isDense: this.#mergeDiff === 'dense',
          renderer: settings => this.#renderer(settings),
        },
        await this.#combinedFiles(commit),
        pairs,
      )
    } else if (pairs !== undefined && pairs.length > 0)
      await (await this.#renderer(prefixColumns === 0 ? undefined : settings)).write(out, pairs)
    await out.flush()
    return collected.bytes()
  }

  async #notesBelow(oid: ObjectId): Promise<string> {
    const { kind } = this.#form
    if (kind === 'format' || kind === 'reference') return ''
    const text = await this.#notes.below(oid)
    // The entry writes the line feed at its end.
    if (text === '') return ''
    return kind === 'oneline' ? text : `\n${text.replace(/\n$/, '')}`
  }

  async #entry(shown: ShownCommit, pairs: readonly FilePair[] | undefined): Promise<void> {
    if (this.#hidesAll) return
    refuseSignature(this.#options, this.#repository.config(), shown.commit)
    const message = await this.#pretty.render({ ...shown, graphColumns: this.#graph?.width }, this.#form)
    this.#recode ??= await outputRecoder(this.#repository.config(), this.#options.value('encoding'))
    const text = this.#recode(message + (await this.#notesBelow(shown.oid)))
    const isMergeOfAll = shown.commit.parents.length > 1 && this.#isCombinedStyle
    const hasDifferences = isMergeOfAll || (this.#form.kind !== 'oneline' && pairs !== undefined && pairs.length > 0)
    const lines = this.#lineText
    if (lines !== undefined) {
      const bytes = async () => (isDiffSilenced(this.#options) ? new Uint8Array() : lines(shown.oid))
      this.hasChanges = true
      return this.#entries.write(text, { bytes, hasGap: false, gap: '', gapEnd: '' })
    }
    await this.#entries.write(text, {
      bytes: async prefixColumns => {
        const bytes = this.#showsDiff ? await this.#diffText(shown, pairs, prefixColumns) : new Uint8Array()
        this.hasChanges ||= bytes.length > 0
        return bytes
      },
      hasGap: this.#showsDiff && this.#settings.formats.size > 0 && hasDifferences,
      gap: !isMergeOfAll && this.#startsWithDashes ? '---' : '',
      gapEnd: isMergeOfAll && this.#options.has('z') ? '\0' : '\n',
      isBare: isMergeOfAll && (this.#settings.formats.has('name-only') || this.#settings.formats.has('name-status')),
    })
  }

  /** Dashes separate a message from totals that a patch follows. */
  get #startsWithDashes(): boolean {
    const { formats } = this.#settings
    return (
      formats.has('patch') &&
      (formats.has('stat') || formats.has('shortstat') || formats.has('numstat') || formats.has('summary'))
    )
  }

  get kind(): PrettyForm['kind'] {
    return this.#form.kind
  }

  /** Separates a tree or a tag from the entry before it. */
  async startObject(): Promise<void> {
    await this.#entries.startObject()
  }

  /** Whether the paths that were named came unchanged from a parent. */
  async isUntouched(commit: Commit): Promise<boolean> {
    const isWanted = this.#isWanted
    if (isWanted === undefined || this.#options.value('history') === 'sparse') return false
    for (const parent of commit.parents.length === 0 ? [undefined] : commit.parents) {
      const before = parent === undefined ? undefined : await this.#repository.treeOf(parent)
      if ((await diffTrees(this.#repository, before, commit.tree, { isWanted })).length === 0) return true
    }
    return false
  }

  /** Follows the log of a reference instead of ancestors: newest first. */
  async reflog(args: RevisionArguments): Promise<number> {
    const { reflogEntries } = await import('./reflog-entries.ts')
    const entries = reflogEntries(this.#repository, this.#options, args, {
      now: this.#call.now,
      ...this.searched,
      isLeftOut: commit => this.isUntouched(commit),
    })
    for await (const shown of entries) {
      const pairs = this.#showsDiff || this.#isPicky ? await this.#pairs(shown.commit) : undefined
      if (!this.#isPicky || (pairs ?? []).length > 0) await this.#entry(shown, pairs)
    }
    return 0
  }
}
