// A rebase: makes commits again on top of another one. Clean ones are made in memory; a conflict stops it with everything before
// checked out, and `rebase-merge/` keeps what real git needs to continue too.

import { titleOf } from '../revs/subject.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import { Changes, type Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId } from '../store/object-format.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { cleanMessage, commentMark, commitSummary } from './commit-text.ts'
import { type HeadMove, keepOldHead, logMoves, writeState } from './head-moves.ts'
import { readState } from './merge-state.ts'
import { mergeStateFiles } from './state-files.ts'
import type { MergeTreesOptions } from './tree-merge.ts'
import { checkOutMerge, mergedTree, refuseConflicts, tellMerge } from './outcome.ts'
import { keepAside } from './autostash.ts'
import { folder, keepRebase, type RebaseState as State } from './rebase-files.ts'
import { JoinedMessage, readSteps, type RebaseStep } from './rebase-steps.ts'
import { runBetween } from './rebase-exec.ts'
import { replay } from './replay.ts'
import { resetToTree } from './reset-merge.ts'
import { changesBetween } from './tree-with-changes.ts'
import { refuseLosses, unstagedPaths } from './update-work-tree.ts'

export interface RebasePlan {
  readonly onto: ObjectId
  /** As it was given. */
  readonly ontoName: string
  readonly head: ObjectId
  /** `undefined` if detached. */
  readonly branch: string | undefined
  /** Where `HEAD` was, if another branch is rebased. */
  readonly from: { readonly head: ObjectId }
  readonly steps: readonly RebaseStep[]
  /** Also makes commits again that are in place already. */
  readonly isForced: boolean
  /** `onto` stands for no commit: the first step makes a root. */
  readonly isRoot: boolean
}

interface RebaserOptions extends Pick<MergeTreesOptions, 'favor' | 'style' | 'algorithm' | 'whitespace' | 'renamePercent'> {
  readonly isQuiet: boolean
  /** The command, for the logs of references. */
  readonly action: string
}

export class Rebaser {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: RebaserOptions
  readonly #action: string

  constructor(call: GitCall, repository: Repository, options: RebaserOptions) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#action = call.environment.env['GIT_REFLOG_ACTION'] || options.action
  }

  async start(plan: RebasePlan): Promise<number> {
    const { onto, ontoName, head, branch, steps, from, isForced, isRoot } = plan
    const repository = this.#repository
    const index = await repository.readIndex()
    const moves: HeadMove[] = [{ oid: onto, message: `${this.#action} (start): checkout ${ontoName}` }]
    const state = { onto, originalHead: head, branch, todo: steps, done: [], isForced, isRoot }
    const changes = new Changes()
    keepOldHead(repository, changes, head)
    return this.#run(state, { changes, index, moves, fromTree: await repository.treeOf(from.head), logFrom: from.head })
  }

  /** Makes commits until one stops; then writes everything at once. */
  async #run(
    state: State,
    start: {
      readonly changes: Changes
      readonly index: NonNullable<Parameters<Repository['commit']>[1]>
      readonly moves: HeadMove[]
      readonly fromTree: ObjectId
      readonly logFrom: ObjectId
    },
  ): Promise<number> {
    const repository = this.#repository
    const { changes, index, moves, fromTree, logFrom } = start
    const dropped: string[] = []
    const summaries: string[] = []
    let joined: JoinedMessage | undefined
    let merged: ObjectId | undefined
    const mark = commentMark(repository.config())
    let at = moves.at(-1)?.oid ?? logFrom
    let isStarted = moves.at(-1)?.message.startsWith(`${this.#action} (start)`) !== true
    // Real git checks this commit out before the first step.
    const begin = async (): Promise<void> => {
      if (isStarted) return
      isStarted = true
      await this.#refuseOnto(index, fromTree, await repository.treeOf(at))
    }
    for (const [position, step] of state.todo.entries()) {
      this.#call.check()
      if (step.verb === 'exec') {
        await begin()
        await checkOutMerge(repository, index, changes, {
          from: fromTree,
          into: await repository.treeOf(at),
          operation: 'checkout',
        })
        await this.#moveDetached(changes, logFrom, moves)
        const next = {
          ...state,
          todo: state.todo.slice(position + 1),
          done: [...state.done, ...state.todo.slice(0, position + 1)],
        }
        await keepRebase(repository, changes, next)
        await repository.commit(changes, index)
        await this.#tellProgress(state, position + 1)
        for (const line of dropped) await this.#call.warn(line)
        for (const summary of summaries) await this.#call.out.write(summary)
        return (await runBetween(this.#call, repository, step.command)) ? this.#runFromHead(next) : 1
      }
      const { verb, oid } = step
      const isFirst = state.isRoot && at === state.onto
      const commit = await repository.objects.readCommit(oid)
      const tree = await repository.treeOf(at)
      const [parent] = commit.parents
      if (verb === 'pick') joined = undefined
      if (verb === 'pick' && (isFirst ? parent === undefined : parent === at) && !state.isForced) {
        at = oid
        const last = moves.at(-1)
        // The first commits that stay are not named one by one, except from the root on.
        if (!state.isRoot && last?.message.startsWith(`${this.#action} (start)`) === true)
          moves[moves.length - 1] = { oid, message: last.message }
        else moves.push({ oid, message: 'rebase: fast-forward' })
        continue
      }
      await begin()
      const merge = await replay(repository, oid, 'cherry-pick', tree, this.#options)
      if (!merge.isClean && verb !== 'pick')
        throw new GitFailure(
          `error: could not apply ${await this.#named(oid)}\nerror: stopping at a conflict of a ${verb} is not built into this git; nothing was changed`,
          129,
        )
      if (!merge.isClean) {
        await checkOutMerge(repository, index, changes, { from: fromTree, into: tree, merge, operation: 'checkout' })
        await this.#moveDetached(changes, logFrom, moves)
        const done = [...state.done, ...state.todo.slice(0, position + 1)]
        await keepRebase(repository, changes, { ...state, todo: state.todo.slice(position + 1), done }, { oid, merge })
        writeState(repository, changes, 'AUTO_MERGE', `${await mergedTree(repository, tree, merge)}\n`)
        await repository.commit(changes, index)
        await this.#tellProgress(state, position + 1)
        for (const line of dropped) await this.#call.warn(line)
        for (const summary of summaries) await this.#call.out.write(summary)
        await tellMerge(this.#call, merge)
        await this.#tellStop(oid)
        return 1
      }
      const next = await mergedTree(repository, tree, merge)
      const wasEmpty = parent !== undefined && (await repository.treeOf(parent)) === commit.tree
      if (next === tree && !wasEmpty) {
        dropped.push(`dropping ${oid} ${titleOf(commit.message)} -- patch contents already upstream`)
        merged = undefined
        continue
      }
      merged = next
      const committer = await repository.identity('committer')
      if (verb === 'pick') {
        at = await repository.writeCommit({
          tree: next,
          parents: isFirst ? [] : [at],
          author: commit.author,
          committer,
          message: commit.message,
        })
        moves.push({ oid: at, message: `${this.#action} (pick): ${titleOf(commit.message)}` })
        continue
      }
      const last = await repository.objects.readCommit(at)
      joined ??= new JoinedMessage(last.message, mark)
      joined.add(verb, commit.message)
      const isFinal = !['fixup', 'squash'].includes(state.todo[position + 1]?.verb ?? 'pick')
      const message = isFinal ? (joined.unedited ?? cleanMessage(joined.text, mark)) : joined.text
      at = await repository.writeCommit({ tree: next, parents: last.parents, author: last.author, committer, message })
      moves.push({ oid: at, message: `${this.#action} (${verb}): ${titleOf(message)}` })
      if (isFinal && joined.unedited === undefined)
        summaries.push(await commitSummary(repository, at, { branch: undefined, before: last.parents[0], now: this.#call.now }))
    }
    await begin()
    await checkOutMerge(repository, index, changes, { from: fromTree, into: await repository.treeOf(at), operation: 'checkout' })
    await this.#finish(state, changes, { at, moves, logFrom })
    if (merged !== undefined) writeState(repository, changes, 'AUTO_MERGE', `${merged}\n`)
    await repository.commit(changes, index)
    await this.#tellProgress(state, state.todo.length)
    for (const line of dropped) await this.#call.warn(line)
    for (const summary of summaries) await this.#call.out.write(summary)
    if (!this.#options.isQuiet) await this.#call.warn(`Successfully rebased and updated ${state.branch ?? 'detached HEAD'}.`)
    return 0
  }

  async #refuseOnto(index: GitIndex, from: ObjectId, onto: ObjectId): Promise<void> {
    const changes = await changesBetween(this.#repository, from, onto)
    try {
      await refuseLosses(this.#repository, index, { changes, from, operation: 'checkout' })
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      throw new GitFailure(`${error.message}\nerror: could not detach HEAD`, 1)
    }
  }

  async #tellProgress({ done, todo }: State, count: number): Promise<void> {
    if (this.#options.isQuiet) return
    const total = done.length + todo.length
    for (let number = done.length + 1; number <= done.length + count; number++)
      await this.#call.err.write(`Rebasing (${number}/${total})\r`)
  }

  async #moveDetached(changes: Changes, logFrom: ObjectId, moves: readonly HeadMove[]): Promise<void> {
    const { refs } = this.#repository
    const last = moves.at(-1)
    if (last === undefined) return
    changes.lock(`${refs.pathOf('HEAD')}.lock`)
    changes.write(refs.pathOf('HEAD'), encodeText(`${last.oid}\n`))
    await logMoves(this.#repository, changes, 'HEAD', logFrom, moves)
  }

  async #finish(
    state: State,
    changes: Changes,
    { at, moves, logFrom }: { readonly at: ObjectId; readonly moves: readonly HeadMove[]; readonly logFrom: ObjectId },
  ): Promise<void> {
    const { branch, originalHead, onto } = state
    const repository = this.#repository
    const { refs } = repository
    await this.#keepAside(changes)
    await repository.removeState(changes, folder, 'REBASE_HEAD', ...mergeStateFiles)
    if (branch === undefined) {
      await this.#moveDetached(changes, logFrom, moves)
      return
    }
    const now = await refs.idOf(branch)
    if (now !== originalHead) throw fatal(`cannot lock ref '${branch}': is at ${now ?? ''} but expected ${originalHead}`)
    changes.lock(`${refs.pathOf(branch)}.lock`)
    changes.write(refs.pathOf(branch), encodeText(`${at}\n`))
    if (at !== originalHead) {
      await refs.log(changes, branch, originalHead, at, `${this.#action} (finish): ${branch} onto ${onto}`)
    }
    await logMoves(repository, changes, 'HEAD', logFrom, [
      ...moves,
      { oid: at, message: `${this.#action} (finish): returning to ${branch}` },
    ])
    changes.write(refs.pathOf('HEAD'), encodeText(`ref: ${branch}\n`))
  }

  /** Goes on where a command left `HEAD`. */
  async #runFromHead(state: State): Promise<number> {
    const index = await this.#repository.readIndex()
    const { oid } = await this.#repository.head()
    if (oid === undefined) throw fatal('No rebase in progress?')
    const fromTree = await this.#repository.treeOf(oid)
    return this.#run(state, { changes: new Changes(), index, moves: [], fromTree, logFrom: oid })
  }

  async #tellStop(oid: ObjectId): Promise<void> {
    const name = await this.#named(oid)
    await this.#call.warn(
      `error: could not apply ${name}\nhint: Resolve all conflicts manually, mark them as resolved with\n` +
        'hint: "git add/rm <conflicted_files>", then run "git rebase --continue".\n' +
        'hint: You can instead skip this commit: run "git rebase --skip".\n' +
        'hint: To abort and get back to the state before "git rebase", run "git rebase --abort".\n' +
        `Could not apply ${name}`,
    )
  }

  async #named(oid: ObjectId): Promise<string> {
    const { message } = await this.#repository.objects.readCommit(oid)
    return `${await new ShortIds(this.#repository).of(oid)}... ${titleOf(message)}`
  }

  async #keepAside(changes: Changes): Promise<void> {
    if ((await readState(this.#repository, `${folder}/autostash`)) === undefined) return
    await keepAside(this.#repository, changes)
  }

  async #read(): Promise<State> {
    const repository = this.#repository
    const onto = (await readState(repository, `${folder}/onto`))?.trim()
    const originalHead = (await readState(repository, `${folder}/orig-head`))?.trim()
    const name = (await readState(repository, `${folder}/head-name`))?.trim()
    if (onto === undefined || originalHead === undefined) throw fatal('No rebase in progress?')
    const branch = name?.startsWith('refs/') ? name : undefined
    return {
      onto,
      originalHead,
      branch,
      todo: await readSteps(repository, 'git-rebase-todo'),
      done: await readSteps(repository, 'done'),
      isForced: false,
      isRoot: (await readState(repository, `${folder}/squash-onto`)) !== undefined,
    }
  }

  async continue(): Promise<number> {
    const repository = this.#repository
    const state = await this.#read()
    const index = await repository.readIndex()
    if (index.hasConflicts) {
      for (const path of index.conflicts()) await this.#call.print(`${path}: needs merge`)
      await this.#call.print('You must edit all merge conflicts and then\nmark them as resolved using git add')
      return 1
    }
    await refuseConflicts(this.#call, index, 'Committing')
    const left = await unstagedPaths(repository, index)
    if (left.length > 0) {
      throw new GitFailure('error: cannot rebase: You have unstaged changes.\nPlease commit or stash them.', 1)
    }
    const { oid: head } = await repository.head()
    if (head === undefined) throw fatal('No rebase in progress?')
    const stopped = (await readState(repository, 'REBASE_HEAD'))?.trim()
    const changes = new Changes()
    const moves: HeadMove[] = []
    const tree = await repository.writeTree(index)
    if (tree !== (await repository.treeOf(head)) && stopped !== undefined) {
      const picked = await repository.objects.readCommit(stopped)
      const text = (await readState(repository, 'MERGE_MSG')) ?? picked.message
      const message = cleanMessage(text, commentMark(repository.config()))
      repository.writeState(changes, 'COMMIT_EDITMSG', text)
      const committer = await repository.identity('committer')
      const oid = await repository.writeCommit({ tree, parents: [head], author: picked.author, committer, message })
      moves.push({ oid, message: `${this.#action} (continue): ${titleOf(message)}` })
      await repository.objects.flush()
      await this.#call.out.write(
        await commitSummary(repository, oid, { branch: undefined, before: head, now: this.#call.now, hidesDate: true }),
      )
    }
    await repository.removeState(changes, ...mergeStateFiles, 'REBASE_HEAD')
    return this.#run(state, { changes, index, moves, fromTree: tree, logFrom: head })
  }

  async skip(): Promise<number> {
    const repository = this.#repository
    const state = await this.#read()
    const { oid: head } = await repository.head()
    if (head === undefined) throw fatal('No rebase in progress?')
    const index = await repository.readIndex()
    const changes = new Changes()
    const tree = await repository.treeOf(head)
    await resetToTree(repository, index, changes, tree, { lists: true, failure: 'could not discard worktree changes' })
    await repository.removeState(changes, ...mergeStateFiles, 'REBASE_HEAD')
    await repository.commit(changes, index)
    return this.#run(state, {
      changes: new Changes(),
      index: await repository.readIndex(),
      moves: [],
      fromTree: tree,
      logFrom: head,
    })
  }

  async abort(): Promise<number> {
    const repository = this.#repository
    const { refs } = repository
    const { branch, originalHead } = await this.#read()
    const { oid: head } = await repository.head()
    const index = await repository.readIndex()
    const changes = new Changes()
    await resetToTree(repository, index, changes, await repository.treeOf(originalHead), {
      lists: true,
      failure: `could not move back to ${originalHead}`,
    })
    await refs.log(
      changes,
      'HEAD',
      head ?? originalHead,
      originalHead,
      `${this.#action} (abort): returning to ${branch ?? originalHead}`,
    )
    changes.write(refs.pathOf('HEAD'), encodeText(branch === undefined ? `${originalHead}\n` : `ref: ${branch}\n`))
    await this.#keepAside(changes)
    await repository.removeState(changes, folder, 'REBASE_HEAD', ...mergeStateFiles)
    await repository.commit(changes, index)
    return 0
  }

  async quit(): Promise<number> {
    await this.#read()
    const changes = new Changes()
    await this.#keepAside(changes)
    await this.#repository.removeState(changes, folder, 'REBASE_HEAD')
    await this.#repository.commit(changes)
    return 0
  }

  async isInProgress(): Promise<boolean> {
    const bytes = await this.#repository.files.read(`${this.#repository.gitDir}/${folder}/onto`)
    return bytes !== undefined && decodeText(bytes) !== ''
  }
}
