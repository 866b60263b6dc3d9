// Merges another history into the current branch: by moving the branch, or by a commit with two parents. Also used by `pull`.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { cleanedBy } from '../commands/message.ts'
import { fatal, GitFailure, notBuilt } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { isAncestor, mergeBases } from '../revs/merge-base.ts'
import { peel, resolveRevision } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId } from '../store/object-format.ts'
import { cleanMessage, commentMark, conflictNote } from './commit-text.ts'
import { keepOldHead, logStay, moveHead, writeState } from './head-moves.ts'
import { mergeCommits } from './merge-commits.ts'
import { mergeMessage } from './merge-message.ts'
import { squashMessage } from './merge-state.ts'
import type { TreeMerge } from './tree-merge.ts'
import { checkOutMerge, mergedTree, refuseConflicts, tellMerge } from './outcome.ts'
import { refuseBehindLinks } from './behind-links.ts'
import { conflictStyle, strategyOptions } from './replay.ts'
import { stagedPaths } from './update-work-tree.ts'

interface Histories {
  /** As it was given. */
  readonly name: string
  readonly ours: ObjectId
  readonly theirs: ObjectId
}

export class Merger {
  readonly #call: GitCall
  readonly #repository: Repository
  /** The options of `git merge`. */
  readonly #options: Options
  readonly #given: { readonly message?: string; readonly action?: string }

  /** `message` replaces the generated one, `action` is the text for the logs. */
  constructor(
    call: GitCall,
    repository: Repository,
    options: Options,
    given: { readonly message?: string; readonly action?: string } = {},
  ) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#given = given
  }

  /** Returns the exit code. */
  async run(names: readonly string[]): Promise<number> {
    const repository = this.#repository
    const options = this.#options
    const strategy = options.value('strategy')
    if (strategy !== undefined && !['ort', 'recursive', 'ours'].includes(strategy))
      throw notBuilt(`the merge strategy ${strategy}`)
    if (options.has('squash') && options.isNegated('ff')) throw fatal("options '--squash' and '--no-ff.' cannot be used together")
    await this.#refuseUnfinished()
    const { oid: ours } = await repository.head()
    if (ours === undefined && options.isNegated('ff'))
      throw fatal('Non-fast-forward commit does not make sense into an empty head')
    if (ours === undefined && options.has('squash')) throw fatal('Squash commit into empty head not supported yet')
    const [name, ...more] = names
    if (name === undefined || more.length > 0) throw notBuilt('a merge of more than two histories')
    const revision = await resolveRevision(repository, name)
    const theirs = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
    if (theirs === undefined && name === 'FETCH_HEAD')
      throw fatal("could not open '.git/FETCH_HEAD' for reading: No such file or directory")
    if (theirs === undefined) throw new GitFailure(`merge: ${name} - not something we can merge`, 1)
    if (ours === undefined) return this.#intoNothing(theirs)
    const changes = new Changes()
    keepOldHead(repository, changes, ours)
    const isReached = await isAncestor(repository, theirs, ours)
    if (isReached) await repository.removeState(changes, 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE')
    await repository.commit(changes)
    if (isReached) {
      await this.#say(options.has('squash') ? 'Already up to date. (nothing to squash)' : 'Already up to date.')
      return 0
    }
    const { isForced, isOnly } = this.#forwarding()
    if (strategy !== 'ours' && !isForced && (await isAncestor(repository, ours, theirs))) {
      return this.#fastForward({ name, ours, theirs })
    }
    if (isOnly) throw fatal('Not possible to fast-forward, aborting.')
    return this.#mergeHistories({ name, ours, theirs })
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
    if (stash !== undefined && (await this.#repository.treeOf(stash.oid)) === head) await this.#call.print('Already up to date.')
  }

  #action(name: string): string {
    return this.#call.environment.env['GIT_REFLOG_ACTION'] || this.#given.action || `merge ${name}`
  }

  async #tellChanges(from: ObjectId, into: ObjectId): Promise<void> {
    const options = this.#options
    const isUsual = this.#repository.config().bool('merge.stat', true)
    if (options.has('quiet') || options.has('no-stat') || options.isNegated('stat') || !(isUsual || options.has('stat'))) return
    const { changeSummary } = await import('./change-summary.ts')
    await this.#call.out.write(await changeSummary(this.#repository, from, into, 'long'))
  }

  async #intoNothing(theirs: ObjectId): Promise<number> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const changes = new Changes()
    await checkOutMerge(repository, index, changes, {
      from: undefined,
      into: await repository.treeOf(theirs),
      operation: 'merge',
    })
    await moveHead(repository, changes, [{ oid: theirs, message: 'initial pull' }])
    await repository.commit(changes, index)
    return 0
  }

  async #fastForward({ name, ours, theirs }: Histories): Promise<number> {
    const repository = this.#repository
    const ids = new ShortIds(repository)
    await this.#say(`Updating ${await ids.of(ours)}..${await ids.of(theirs)}`)
    const index = await repository.readIndex()
    const changes = new Changes()
    const [from, into] = [await repository.treeOf(ours), await repository.treeOf(theirs)]
    await checkOutMerge(repository, index, changes, { from, into, operation: 'merge' })
    const isSquash = this.#options.has('squash')
    const hasMessage = this.#options.has('message') || this.#options.has('file')
    const told = `Fast-forward${hasMessage ? ' (no commit created; -m option ignored)' : ''}`
    if (isSquash) writeState(repository, changes, 'SQUASH_MSG', await squashMessage(repository, ours, theirs, this.#call.now))
    else {
      await moveHead(repository, changes, [{ oid: theirs, message: `${this.#action(name)}: ${told}` }])
    }
    await repository.removeState(changes, 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE')
    await repository.commit(changes, index)
    await this.#say(told)
    if (isSquash) await this.#call.print('Squash commit -- not updating HEAD')
    await this.#tellChanges(from, into)
    return 0
  }

  async #mergeHistories(histories: Histories): Promise<number> {
    const { name, ours, theirs } = histories
    const repository = this.#repository
    const options = this.#options
    if (!options.has('allow-unrelated-histories') && (await mergeBases(repository, ours, [theirs])).length === 0) {
      throw fatal('refusing to merge unrelated histories')
    }
    const from = await repository.treeOf(ours)
    const index = await repository.readIndex()
    const staged = await stagedPaths(repository, index, from)
    await this.#refuseUnstashable(index)
    await refuseBehindLinks(repository, index, staged, 'merge')
    if (staged.length > 0) {
      const changes = new Changes()
      await logStay(repository, changes, ours, `${this.#action(name)}: updating HEAD`)
      await repository.removeState(changes, 'SQUASH_MSG')
      await repository.commit(changes)
      await this.#tellRestored(index, from)
      throw new GitFailure(
        `error: Your local changes to the following files would be overwritten by merge:\n  ${staged.join(' ')}\n` +
          'Merge with strategy ort failed.',
        2,
      )
    }
    const strategy = options.value('strategy') === 'ours' ? 'ours' : 'ort'
    const result = await this.#mergeBy(strategy, histories)
    const changes = new Changes()
    const into = await mergedTree(repository, from, result)
    try {
      await checkOutMerge(repository, index, changes, { from, into: from, merge: result, operation: 'merge' })
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      throw new GitFailure(`${error.message}\nMerge with strategy ort failed.`, 2)
    }
    const message = await this.#messageFor(name)
    const stops = !result.isClean || options.has('squash') || options.isNegated('commit')
    if (stops) return this.#stop(histories, { changes, index, into, result, message, strategy })
    const oid = await repository.writeCommit({
      tree: into,
      parents: [ours, theirs],
      author: await repository.identity('author'),
      committer: await repository.identity('committer'),
      message: options.value('cleanup') === 'verbatim' ? message : cleanMessage(message),
    })
    await moveHead(repository, changes, [{ oid, message: `${this.#action(name)}: Merge made by the '${strategy}' strategy.` }])
    await repository.commit(changes, index)
    await tellMerge(this.#call, result)
    await this.#say(`Merge made by the '${strategy}' strategy.`)
    await this.#tellChanges(from, into)
    return 0
  }

  async #mergeBy(strategy: 'ours' | 'ort', { name, ours, theirs }: Histories): Promise<TreeMerge> {
    if (strategy === 'ours') return { changes: new Map(), conflicts: new Map(), isClean: true, messages: [] }
    return mergeCommits(this.#repository, ours, theirs, {
      ...strategyOptions(this.#options.values('strategy-option')),
      style: conflictStyle(this.#repository),
      labels: { ours: 'HEAD', theirs: name },
    })
  }

  /** Leaves the result for a person to commit. */
  async #stop(
    { ours, theirs }: Histories,
    state: {
      readonly changes: Changes
      readonly index: Parameters<Repository['commit']>[1]
      readonly into: ObjectId
      readonly result: TreeMerge
      readonly message: string
      readonly strategy: 'ours' | 'ort'
    },
  ): Promise<number> {
    const repository = this.#repository
    const { changes, result } = state
    const isSquash = this.#options.has('squash')
    const hasConflicts = !result.isClean
    const note = hasConflicts ? conflictNote(result.conflicts.keys(), commentMark(repository.config())) : ''
    if (isSquash) {
      writeState(repository, changes, 'SQUASH_MSG', await squashMessage(repository, ours, theirs, this.#call.now))
      if (hasConflicts) writeState(repository, changes, 'MERGE_MSG', note)
    } else {
      writeState(repository, changes, 'MERGE_HEAD', `${theirs}\n`)
      writeState(repository, changes, 'MERGE_MODE', this.#options.isNegated('ff') ? 'no-ff' : '')
      writeState(repository, changes, 'MERGE_MSG', state.message + note)
    }
    if (state.strategy === 'ort') writeState(repository, changes, 'AUTO_MERGE', `${state.into}\n`)
    await repository.commit(changes, state.index)
    await tellMerge(this.#call, result)
    if (isSquash) await this.#call.print('Squash commit -- not updating HEAD')
    if (hasConflicts) {
      await this.#call.print('Automatic merge failed; fix conflicts and then commit the result.')
      return 1
    }
    await this.#call.warn('Automatic merge went well; stopped before committing as requested')
    return 0
  }

  async #messageFor(name: string): Promise<string> {
    const options = this.#options
    const texts = options.values('message')
    const file = options.value('file')
    let text = this.#given.message
    if (texts.length > 0) text = `${texts.join('\n\n')}\n`
    else if (file !== undefined) text = await this.#readMessage(file)
    text ??= await mergeMessage(this.#repository, name, options.value('into-name'))
    if (options.has('signoff')) {
      const { name: who, email } = await this.#repository.identity('committer')
      text = `${text}\nSigned-off-by: ${who} <${email}>\n`
    }
    const mode = options.value('cleanup')
    if (mode === 'scissors') throw new GitFailure("error: --cleanup: 'scissors' is not built into this git", 129)
    return mode === undefined ? text : cleanedBy(mode, text, false, commentMark(this.#repository.config()))
  }

  async #readMessage(file: string): Promise<string> {
    if (file === '-') return this.#call.input()
    const { files, cwd } = this.#call.environment
    const bytes = await files.read(file.startsWith('/') ? file : `${cwd}/${file}`)
    if (bytes === undefined) throw new GitFailure(`error: could not read file '${file}': No such file or directory`, 129)
    return decodeText(bytes)
  }
}
