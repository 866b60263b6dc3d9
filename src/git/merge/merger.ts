// Merges another history into the current branch: by moving the branch, or by a commit with two parents. Also used by `pull`.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { cleanedBy, cutLines, withTrailer } from '../commands/message.ts'
import { failure, fatal, GitFailure, notBuilt } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { octopusBases } from '../revs/merge-base.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { boolOf } from '../store/config.ts'
import type { ObjectId } from '../store/object-format.ts'
import { commentMark, conflictNote } from './commit-text.ts'
import { keepOldHead, logStay, moveHead, writeState } from './head-moves.ts'
import { mergeCommits } from './merge-commits.ts'
import { type MergeHead, neededHeads, readHeads } from './merge-heads.ts'
import { mergeMessage, tagTexts } from './merge-message.ts'
import type { TreeMerge } from './tree-merge.ts'
import { checkOutMerge, mergedTree, refuseConflicts, tellMerge } from './outcome.ts'
import { refuseBehindLinks } from './behind-links.ts'
import { conflictStyle, strategyOptions } from './replay.ts'
import { mergeStateFiles } from './state-files.ts'
import { stagedPaths } from './update-work-tree.ts'

interface Histories {
  readonly ours: ObjectId
  readonly heads: readonly MergeHead[]
  readonly strategy: Strategy
  /** Ours is a part of the others, so that the commit does not need it as a parent. */
  readonly isReached: boolean
  /** Of `-m` and `-F`. */
  readonly text: string | undefined
}

const strategies = ['ort', 'recursive', 'ours', 'octopus'] as const
/** How many subjects `--log` lists. */
const defaultLogCount = 20

type Strategy = (typeof strategies)[number]

export class Merger {
  readonly #call: GitCall
  readonly #repository: Repository
  /** The options of `git merge`. */
  readonly #options: Options
  readonly #givenAction: string | undefined

  /** `action` is the text for the logs of another command. */
  constructor(call: GitCall, repository: Repository, options: Options, action?: string) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#givenAction = call.environment.env['GIT_REFLOG_ACTION'] || action
  }

  /** Returns the exit code. */
  async run(names: readonly string[]): Promise<number> {
    const repository = this.#repository
    const options = this.#options
    if (options.has('squash') && options.isNegated('ff')) throw fatal("options '--squash' and '--no-ff.' cannot be used together")
    if (options.has('squash') && options.has('commit')) throw fatal("options '--squash' and '--commit.' cannot be used together")
    cleanedBy(this.#cleanup, '', false, '')
    this.#logCount()
    await this.#needsEditor()
    if (!/^cop(?:y|ies)$/.test(repository.config().get('merge.renames') ?? '')) repository.config().bool('merge.renames', true)
    const text = await this.#givenText()
    await this.#refuseUnfinished()
    const { oid: ours } = await repository.head()
    if (ours === undefined && options.isNegated('ff'))
      throw fatal('Non-fast-forward commit does not make sense into an empty head')
    if (ours === undefined && options.has('squash')) throw fatal('Squash commit into empty head not supported yet')
    const named = await readHeads(repository, names)
    if (ours === undefined) {
      const [only, ...more] = named
      if (only === undefined || more.length > 0) throw fatal('Can merge only exactly one commit into empty head')
      return (await import('../commands/rare-commands.ts')).mergeIntoNothing(repository, only.oid)
    }
    const { needed: heads, isReached } = await neededHeads(repository, ours, named)
    const strategy = this.#strategy(heads.length)
    const changes = new Changes()
    keepOldHead(repository, changes, ours)
    const [first, ...more] = heads
    if (first === undefined) await repository.removeState(changes, 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE')
    await repository.commit(changes)
    if (first === undefined) {
      await this.#say(options.has('squash') ? 'Already up to date. (nothing to squash)' : 'Already up to date.')
      return 0
    }
    const bases = await octopusBases(repository, [ours, ...heads.map(({ oid }) => oid)])
    if (bases.length === 0 && !options.has('allow-unrelated-histories')) throw fatal('refusing to merge unrelated histories')
    const { isForced, isOnly } = this.#forwarding()
    const aside =
      options.has('autostash') || (!options.isNegated('autostash') && repository.config().bool('merge.autostash', false))
    const histories = { ours, heads, strategy, isReached: isReached && !isForced, text }
    const forwards = strategy !== 'ours' && !isForced && more.length === 0 && isReached
    if (!forwards && isOnly) throw fatal('Not possible to fast-forward, aborting.')
    const merged = (): Promise<number> => (forwards ? this.#fastForward(ours, first) : this.#mergeHistories(histories))
    const ids = new ShortIds(repository)
    if (forwards) await this.#say(`Updating ${await ids.of(ours)}..${await ids.of(first.oid)}`)
    if (!aside) return merged()
    const { withAutostash } = await import('../commands/rebase.ts')
    return withAutostash(this.#call, repository, merged)
  }

  #strategy(count: number): Strategy {
    const setting = this.#repository.config().get(count > 1 ? 'pull.octopus' : 'pull.twohead')
    const given = this.#options.values('strategy')
    const [name = count > 1 ? 'octopus' : 'ort', ...more] = given.length > 0 ? given : (setting?.split(' ') ?? [])
    const known = strategies.find(strategy => strategy === name)
    if (more.length > 0 || name === 'resolve' || name === 'subtree')
      throw notBuilt(`the merge strategy ${[name, ...more].join(', ')}`)
    if (known === undefined)
      throw new GitFailure(
        `Could not find merge strategy '${name}'.\nAvailable strategies are: octopus ours recursive resolve subtree.`,
        1,
      )
    return known
  }

  /** `isForced`: makes a commit even if moving the branch would be enough. */
  #forwarding(): { readonly isForced: boolean; readonly isOnly: boolean } {
    const options = this.#options
    const last = options.given.findLast(({ key }) => key === 'ff' || key === 'ff-only')
    if (last !== undefined)
      return { isForced: last.key === 'ff' && last.isNegated, isOnly: last.key === 'ff-only' && !last.isNegated }
    const setting = this.#repository.config().get('merge.ff')
    return { isForced: setting === 'false', isOnly: setting === 'only' }
  }

  async #refuseUnfinished(): Promise<void> {
    await refuseConflicts(this.#call, await this.#repository.readIndex(), 'Merging')
    for (const [file, name] of [
      ['MERGE_HEAD', 'merge'],
      ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ] as const) {
      if ((await this.#repository.refs.read(file)) === undefined) continue
      throw fatal(`You have not concluded your ${name} (${file} exists).\nPlease, commit your changes before you merge.`)
    }
  }

  #action(heads: readonly MergeHead[]): string {
    return this.#givenAction ?? ['merge', ...heads.map(({ name }) => name)].join(' ')
  }

  async #say(line: string): Promise<void> {
    if (!this.#options.has('quiet')) await this.#call.print(line)
  }

  /** Git keeps local changes in a stash meanwhile, which cannot hold a file of `add -N`. */
  async #refuseUnstashable(index: GitIndex): Promise<void> {
    if (!index.sorted().some(entry => entry.isIntentToAdd)) return
    const { refuseIntentToAdd } = await import('../commands/stash-push.ts')
    try {
      await refuseIntentToAdd(this.#repository, index)
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      throw new GitFailure(`${error.message}\nfatal: stash failed`, 128)
    }
  }

  /** Git keeps local changes in a stash meanwhile, and applying one without changes of files is told. */
  async #tellRestored(index: GitIndex, head: ObjectId): Promise<void> {
    const { createStash } = await import('../commands/stash-push.ts')
    const stash = await createStash(this.#call, this.#repository, index, {
      message: undefined,
      keepsIndex: false,
      untracked: 'none',
      isStagedOnly: false,
      isQuiet: true,
      paths: undefined,
    }).catch(() => undefined)
    if (stash === undefined) return
    const tree = await this.#repository.treeOf(stash.oid)
    if (tree === head) await this.#call.print('Already up to date.')
    const changes = new Changes()
    writeState(this.#repository, changes, 'AUTO_MERGE', `${tree}\n`)
    await this.#repository.commit(changes)
  }

  async #tellChanges(from: ObjectId, into: ObjectId): Promise<void> {
    const options = this.#options
    const isUsual = this.#repository.config().bool('merge.stat', true)
    if (options.has('quiet') || options.has('no-stat') || options.isNegated('stat') || !(isUsual || options.has('stat'))) return
    const { changeSummary } = await import('./change-summary.ts')
    await this.#call.out.write(await changeSummary(this.#repository, from, into, 'long'))
  }

  async #fastForward(ours: ObjectId, head: MergeHead): Promise<number> {
    const repository = this.#repository
    const theirs = head.oid
    const index = await repository.readIndex()
    const changes = new Changes()
    const [from, into] = [await repository.treeOf(ours), await repository.treeOf(theirs)]
    await checkOutMerge(repository, index, changes, { from, into, operation: 'merge' })
    const isSquash = this.#options.has('squash')
    const told = `Fast-forward${this.#options.given.some(({ key }) => key === 'message' || key === 'file') ? ' (no commit created; -m option ignored)' : ''}`
    if (isSquash) await this.#writeSquashed(changes, ours, [theirs])
    else {
      await moveHead(repository, changes, [{ oid: theirs, message: `${this.#action([head])}: ${told}` }])
    }
    await repository.removeState(changes, 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE')
    await repository.commit(changes, index)
    await this.#say(told)
    if (isSquash) await this.#call.print('Squash commit -- not updating HEAD')
    await this.#tellChanges(from, into)
    return 0
  }

  async #mergeHistories(histories: Histories): Promise<number> {
    const { ours, heads, strategy } = histories
    const repository = this.#repository
    const options = this.#options
    const failed = `Merge with strategy ${strategy} failed.`
    const from = await repository.treeOf(ours)
    const index = await repository.readIndex()
    const staged = await stagedPaths(repository, index, from)
    await this.#refuseUnstashable(index)
    if (heads.length > 1 && (strategy === 'ort' || strategy === 'recursive'))
      throw new GitFailure(`error: Not handling anything other than two heads merge.\n${failed}`, 2)
    await refuseBehindLinks(repository, index, staged, 'merge')
    if (staged.length > 0) {
      const changes = new Changes()
      await logStay(repository, changes, ours, `${this.#action(heads)}: updating HEAD`)
      await repository.removeState(changes, ...mergeStateFiles, 'MERGE_RR', 'SQUASH_MSG')
      await repository.commit(changes)
      const local = 'Your local changes to the following files would be overwritten by merge'
      if (strategy === 'octopus') {
        await this.#call.print(`Error: ${local}\n${staged.map(path => `    ${path}`).join('\n')}`)
        throw new GitFailure(failed, 2)
      }
      await this.#tellRestored(index, from)
      throw new GitFailure(`error: ${local}:\n  ${staged.join(' ')}\n${failed}`, 2)
    }
    if (strategy === 'octopus' && heads.length === 1) throw new GitFailure(failed, 2)
    const result = await this.#mergeBy(histories)
    const changes = new Changes()
    const into = await mergedTree(repository, from, result)
    try {
      await checkOutMerge(repository, index, changes, { from, into: from, merge: result, operation: 'merge' })
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      await this.#tellRestored(index, from)
      throw new GitFailure(`${error.message}\n${failed}`, 2)
    }
    const message = await this.#messageFor(histories)
    const cleaned = cleanedBy(this.#cleanup, await this.#signed(message), false, commentMark(repository.config()))
    const stops = !result.isClean || options.has('squash') || options.isNegated('commit')
    const needsEditor = await this.#needsEditor()
    const problem = needsEditor ? 'an editor is never run by this git; give --no-edit.' : 'Empty commit message.'
    if (stops || cleaned === '' || needsEditor)
      return this.#stop(histories, { changes, index, into, result, message, problem: stops ? undefined : problem })
    const oid = await repository.writeCommit({
      tree: into,
      parents: [...(histories.isReached ? [] : [ours]), ...heads.map(({ oid }) => oid)],
      author: await repository.identity('author'),
      committer: await repository.identity('committer'),
      message: cleaned,
    })
    await moveHead(repository, changes, [{ oid, message: `${this.#action(heads)}: Merge made by the '${strategy}' strategy.` }])
    await repository.removeState(changes, 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE')
    await repository.commit(changes, index)
    await tellMerge(this.#call, result)
    await this.#say(`Merge made by the '${strategy}' strategy.`)
    await this.#tellChanges(from, into)
    return 0
  }

  async #mergeBy({ ours, heads, strategy }: Histories): Promise<TreeMerge> {
    const [{ name, oid: theirs }] = heads as [MergeHead]
    if (strategy === 'ours') return { changes: new Map(), conflicts: new Map(), isClean: true, messages: [] }
    if (strategy === 'octopus')
      return (await import('../commands/rare-commands.ts')).mergeSeveral(this.#call, this.#repository, ours, heads)
    return mergeCommits(this.#repository, ours, theirs, {
      ...strategyOptions(this.#options.values('strategy-option')),
      style: conflictStyle(this.#repository),
      labels: { ours: 'HEAD', theirs: name },
    })
  }

  /** Leaves the result for a person to commit. */
  async #stop(
    { ours, heads, strategy }: Histories,
    state: {
      readonly changes: Changes
      readonly index: Parameters<Repository['commit']>[1]
      readonly into: ObjectId
      readonly result: TreeMerge
      readonly message: string
      readonly problem: string | undefined
    },
  ): Promise<number> {
    const repository = this.#repository
    const { changes, result } = state
    const isSquash = this.#options.has('squash')
    const hasConflicts = !result.isClean
    const mark = commentMark(repository.config())
    const cut = this.#cleanup === 'scissors' ? cutLines(mark) : ''
    const note = hasConflicts ? cut + conflictNote(result.conflicts.keys(), mark) : ''
    if (isSquash) {
      await this.#writeSquashed(
        changes,
        ours,
        heads.map(({ oid }) => oid),
      )
      if (hasConflicts) writeState(repository, changes, 'MERGE_MSG', note)
    } else {
      writeState(repository, changes, 'MERGE_HEAD', heads.map(({ oid }) => `${oid}\n`).join(''))
      writeState(repository, changes, 'MERGE_MODE', this.#options.isNegated('ff') ? 'no-ff' : '')
      writeState(repository, changes, 'MERGE_MSG', `${state.message}\n${note}`)
    }
    if (strategy === 'ort') writeState(repository, changes, 'AUTO_MERGE', `${state.into}\n`)
    await repository.commit(changes, state.index)
    await tellMerge(this.#call, result)
    if (state.problem !== undefined)
      throw failure(`${state.problem}\nNot committing merge; use 'git commit' to complete the merge.`)
    if (isSquash) await this.#call.print('Squash commit -- not updating HEAD')
    if (hasConflicts) {
      await this.#call.print('Automatic merge failed; fix conflicts and then commit the result.')
      return 1
    }
    await this.#call.warn('Automatic merge went well; stopped before committing as requested')
    return 0
  }

  async #writeSquashed(changes: Changes, ours: ObjectId, theirs: readonly ObjectId[]): Promise<void> {
    const { squashMessage } = await import('./merge-state.ts')
    writeState(this.#repository, changes, 'SQUASH_MSG', await squashMessage(this.#repository, ours, theirs, this.#call.now))
  }

  /** The text of all `-m` and `-F`, in their order. */
  async #givenText(): Promise<string | undefined> {
    let text: string | undefined
    for (const { key, value = '' } of this.#options.given) {
      if (key === 'message') text = text ? `${text}\n\n${value}` : value
      else if (key === 'file') text = `${text ? `${text}\n` : ''}${await this.#readMessage(value)}`
    }
    return text
  }

  /** Without a line feed at its end, unless it was given with one. */
  async #messageFor({ ours, heads, text }: Histories): Promise<string> {
    const options = this.#options
    const config = this.#repository.config()
    const logCount = this.#logCount()
    if (text !== undefined && logCount === 0) return text
    let message = text ?? `${await mergeMessage(this.#repository, heads, options.value('into-name'))}\n`
    message += await tagTexts(this.#repository, heads, commentMark(config))
    if (logCount === 0) return message.replace(/\n$/, '')
    const { mergedSubjects } = await import('../commands/rare-commands.ts')
    return `${message.replace(/\n?$/, '\n')}${await mergedSubjects(this.#repository, ours, heads, logCount)}`.replace(/\n$/, '')
  }

  async #needsEditor(): Promise<boolean> {
    const call = this.#call
    if (!this.#options.given.some(({ key }) => key === 'edit') && call.environment.env['GIT_MERGE_AUTOEDIT'] === undefined)
      return false
    return (await import('../commands/rare-commands.ts')).mergeNeedsEditor(call, this.#repository.config(), this.#options)
  }

  #logCount(): number {
    const options = this.#options
    const config = this.#repository.config()
    const setting = config.get('merge.log') ?? 'no'
    const isWord = /^(?:|true|yes|on|false|no|off)$/i.test(setting)
    const configured = isWord ? (boolOf(setting) ? defaultLogCount : 0) : config.number('merge.log')
    return options.isNegated('log') ? 0 : options.has('log') ? (options.number('log') ?? defaultLogCount) : (configured ?? 0)
  }

  get #cleanup(): string | undefined {
    return this.#options.value('cleanup') ?? this.#repository.config().get('commit.cleanup')
  }

  async #signed(message: string): Promise<string> {
    if (!this.#options.has('signoff')) return message
    const { name, email } = await this.#repository.identity('committer')
    return withTrailer(message, `Signed-off-by: ${name} <${email}>`)
  }

  async #readMessage(file: string): Promise<string> {
    const { files, cwd } = this.#call.environment
    const bytes = file === '-' ? undefined : await files.read(file.startsWith('/') ? file : `${cwd}/${file}`)
    if (bytes === undefined) throw new GitFailure(`error: could not read file '${file}'`, 129)
    return decodeText(bytes)
  }
}
