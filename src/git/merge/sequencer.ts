// Cherry-picks and reverts of several commits. Nothing is written while they are clean; then work tree, index and branch move from the
// first commit to the last at once. One with conflicts stops there and keeps the rest in `sequencer/`.

import { parseOptions } from '../options.ts'
import { titleOf } from '../revs/subject.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import type { GitIndex } from '../index/git-index.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId, Person } from '../store/object-format.ts'
import { cleanMessage, commentMark, commitSummary, conflictNote } from './commit-text.ts'
import { type HeadMove, logStay, moveHead, writeState } from './head-moves.ts'
import { readState } from './merge-state.ts'
import { headFile, isHeadKept, openHead, openKind, readTodo, sequencerFiles, writeSequence } from './sequence-state.ts'
import { mergeStateFiles } from './state-files.ts'
import type { TreeMerge } from './tree-merge.ts'
import { checkOutMerge, mergedTree, refuseConflicts, tellMerge } from './outcome.ts'
import { replay, replayedParent, type ReplayKind, type ReplayOptions } from './replay.ts'
import { type MessageOptions, replayMessage } from './replay-message.ts'
import { mergeGuard, resetToTree } from './reset-merge.ts'
import { stagedPaths } from './update-work-tree.ts'

export interface SequenceOptions extends ReplayOptions, MessageOptions {
  readonly kind: ReplayKind
  readonly isCommitted: boolean
  readonly allowsEmpty: boolean
  readonly allowsEmptyMessage: boolean
  readonly keepsRedundant: boolean
  readonly isForwarded: boolean
  /** These options as `sequencer/opts` keeps them. */
  readonly text: string
}

/** A commit that was made again and is not checked out yet. */
interface Made {
  readonly moves: HeadMove[]
  readonly summaries: string[]
  oid: ObjectId
  tree: ObjectId
  /** The content of `AUTO_MERGE`: what the last merge resulted in. */
  merged?: ObjectId
}

export class Sequencer {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: SequenceOptions

  constructor(call: GitCall, repository: Repository, options: SequenceOptions) {
    this.#call = call
    this.#repository = repository
    this.#options = options
  }

  /** Returns the exit code. A single commit is not a series. It may be applied while a series is stopped. */
  async start(commits: readonly ObjectId[], isSeries: boolean): Promise<number> {
    const repository = this.#repository
    const open = isSeries ? await openKind(repository) : undefined
    if (open !== undefined) {
      const skip = (await openHead(repository)) === undefined ? '' : '--skip | '
      throw new GitFailure(
        `error: ${open} is already in progress\nhint: try "git ${open} (--continue | ${skip}--abort | --quit)"\nfatal: ${this.#options.kind} failed`,
        128,
      )
    }
    return this.#run(commits, { isMany: isSeries, first: undefined })
  }

  async #run(
    commits: readonly ObjectId[],
    { isMany, first }: { readonly isMany: boolean; readonly first: ObjectId | undefined },
  ): Promise<number> {
    const repository = this.#repository
    const { kind, isCommitted } = this.#options
    const { oid: head, branch } = await repository.head()
    if (head === undefined) throw fatal(`${kind} onto a branch without commits is not built into this git`)
    const index = await repository.readIndex()
    try {
      await this.#refuseDirty(head)
    } catch (error) {
      if (isMany) await this.#keepSeries(commits, first ?? head, head)
      throw error
    }
    const from = await repository.treeOf(head)
    const made: Made = { moves: [], summaries: [], oid: head, tree: from }
    if (!isCommitted) return this.#applyOnly(commits, from)
    for (const [position, oid] of commits.entries()) {
      this.#call.check()
      const left = { kind, left: commits.slice(position), head: first ?? head, options: this.#options.text }
      const changes = new Changes()
      let merge: TreeMerge | undefined
      try {
        merge = await this.#step(made, oid, branch)
      } catch (error) {
        if (!isMany || !(error instanceof GitFailure)) throw error
        await this.#checkOut(index, changes, { from, into: made.tree, operation: 'merge' })
        await moveHead(repository, changes, made.moves)
        await writeSequence(repository, changes, { ...left, now: made.oid })
        await repository.commit(changes, index)
        for (const summary of made.summaries) await this.#call.out.write(summary)
        throw error
      }
      if (merge === undefined) continue
      await this.#checkOut(index, changes, { from, into: made.tree, merge, operation: 'merge' })
      await moveHead(repository, changes, made.moves)
      if (isMany) await writeSequence(repository, changes, { ...left, now: made.oid })
      return this.#stop(oid, { merge, made, changes, index })
    }
    const changes = new Changes()
    await this.#checkOut(index, changes, { from, into: made.tree, operation: 'merge' })
    await moveHead(repository, changes, made.moves)
    // What an earlier one left is over with the first new commit.
    const left = made.moves.length > 0 ? ['CHERRY_PICK_HEAD', 'MERGE_MSG'] : []
    await repository.removeState(changes, ...left, ...sequencerFiles)
    if (made.merged !== undefined) writeState(repository, changes, 'AUTO_MERGE', `${made.merged}\n`)
    await repository.commit(changes, index)
    for (const summary of made.summaries) await this.#call.out.write(summary)
    return 0
  }

  async #checkOut(index: GitIndex, changes: Changes, plan: Parameters<typeof checkOutMerge>[3]): Promise<void> {
    try {
      await checkOutMerge(this.#repository, index, changes, plan)
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      throw new GitFailure(`${error.message}\nfatal: ${this.#options.kind} failed`, 128)
    }
  }

  async #refuseDirty(head: ObjectId): Promise<void> {
    const repository = this.#repository
    const { kind, isCommitted } = this.#options
    const index = await repository.readIndex()
    if (index.hasConflicts) {
      const doing = kind === 'revert' ? 'Reverting' : 'Cherry-picking'
      throw new GitFailure(
        `error: ${doing} is not possible because you have unmerged files.\n` +
          "hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
          `hint: as appropriate to mark resolution and make a commit.\nfatal: ${kind} failed`,
        128,
      )
    }
    // To git a path of `add -N` is in the index, and not in the commit.
    const isAnnounced = index.sorted().some(entry => entry.isIntentToAdd)
    if (isCommitted && (isAnnounced || (await stagedPaths(repository, index, await repository.treeOf(head))).length > 0)) {
      throw new GitFailure(
        `error: your local changes would be overwritten by ${kind}.\nhint: commit your changes or stash them to proceed.\nfatal: ${kind} failed`,
        128,
      )
    }
  }

  /** Makes one commit; returns the merge to stop at, because of conflicts or because nothing is left to commit. */
  async #step(made: Made, oid: ObjectId, branch: string | undefined): Promise<TreeMerge | undefined> {
    const repository = this.#repository
    const { kind, mainline, isForwarded } = this.#options
    const commit = await repository.objects.readCommit(oid)
    const parent = await replayedParent(repository, oid, kind, mainline)
    if (isForwarded && kind === 'cherry-pick' && parent === made.oid) {
      made.moves.push({ oid, message: 'cherry-pick: fast-forward' })
      made.oid = oid
      made.tree = commit.tree
      return undefined
    }
    const merge = await replay(repository, oid, kind, made.tree, this.#options)
    if (!merge.isClean) return merge
    const tree = await mergedTree(repository, made.tree, merge)
    made.merged = tree
    const wasEmpty = parent !== undefined && (await repository.treeOf(parent)) === commit.tree
    if (tree === made.tree && !(this.#options.keepsRedundant || (wasEmpty && this.#options.allowsEmpty))) return merge
    const message = cleanMessage(await replayMessage(repository, this.#options, oid))
    if (message === '' && !this.#options.allowsEmptyMessage)
      throw new GitFailure('Aborting commit due to empty commit message.', 1)
    const next = await repository.writeCommit({
      tree,
      parents: [made.oid],
      author: kind === 'cherry-pick' ? commit.author : await repository.identity('author'),
      committer: await repository.identity('committer'),
      message,
    })
    const summary = await commitSummary(repository, next, { branch, before: made.oid, now: this.#call.now })
    made.summaries.push([...merge.messages.map(line => `${line}\n`), summary].join(''))
    made.moves.push({ oid: next, message: `${kind}: ${titleOf(message)}` })
    made.oid = next
    made.tree = tree
    return undefined
  }

  /** `-n`: adds the changes to the index and the work tree. */
  async #applyOnly(commits: readonly ObjectId[], head: ObjectId): Promise<number> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const from = (await stagedPaths(repository, index, head)).length === 0 ? head : await repository.writeTree(index)
    let tree = from
    for (const oid of commits) {
      const merge = await replay(repository, oid, this.#options.kind, tree, this.#options)
      if (merge.isClean) {
        tree = await mergedTree(repository, tree, merge)
        for (const line of merge.messages) await this.#call.print(line)
        continue
      }
      const changes = new Changes()
      await this.#checkOut(index, changes, { from, into: tree, merge, operation: 'merge' })
      const note = conflictNote(merge.conflicts.keys(), commentMark(repository.config()))
      writeState(repository, changes, 'MERGE_MSG', (await replayMessage(repository, this.#options, oid)) + note)
      writeState(repository, changes, 'AUTO_MERGE', `${await mergedTree(repository, tree, merge)}\n`)
      await repository.commit(changes, index)
      await tellMerge(this.#call, merge)
      await this.#call.warn(await this.#advice(oid))
      return 1
    }
    const changes = new Changes()
    await this.#checkOut(index, changes, { from, into: tree, operation: 'merge' })
    const last = commits.at(-1)
    if (last !== undefined) {
      writeState(repository, changes, 'MERGE_MSG', await replayMessage(repository, this.#options, last))
      writeState(repository, changes, 'AUTO_MERGE', `${tree}\n`)
      if (this.#options.kind === 'revert') writeState(repository, changes, 'REVERT_HEAD', `${last}\n`)
    }
    await repository.commit(changes, index)
    return 0
  }

  /** A series that cannot begin yet is kept, to be continued or aborted. */
  async #keepSeries(commits: readonly ObjectId[], first: ObjectId, head: ObjectId): Promise<void> {
    const changes = new Changes()
    const { kind, text } = this.#options
    await writeSequence(this.#repository, changes, { kind, left: commits, head: first, now: head, options: text })
    await this.#repository.commit(changes)
  }

  async #stop(
    oid: ObjectId,
    state: {
      readonly merge: TreeMerge
      readonly made: Made
      readonly changes: Changes
      readonly index: Parameters<Repository['commit']>[1]
    },
  ): Promise<number> {
    const repository = this.#repository
    const { kind } = this.#options
    const { merge, made, changes, index } = state
    const isEmpty = merge.isClean
    // A revert without changes is not started.
    if (!isEmpty || kind === 'cherry-pick') writeState(repository, changes, headFile[kind], `${oid}\n`)
    const note = isEmpty ? '' : conflictNote(merge.conflicts.keys(), commentMark(repository.config()))
    writeState(repository, changes, 'MERGE_MSG', (await replayMessage(repository, this.#options, oid)) + note)
    writeState(repository, changes, 'AUTO_MERGE', `${await mergedTree(repository, made.tree, merge)}\n`)
    await repository.commit(changes, index)
    for (const summary of made.summaries) await this.#call.out.write(summary)
    await tellMerge(this.#call, merge)
    if (isEmpty) {
      await this.#showStatus()
      if (kind === 'cherry-pick') {
        await this.#call.warn(
          'The previous cherry-pick is now empty, possibly due to conflict resolution.\nIf you wish to commit it anyway, use:\n\n' +
            "    git commit --allow-empty\n\nOtherwise, please use 'git cherry-pick --skip'",
        )
      }
      return 1
    }
    await this.#call.warn(await this.#advice(oid))
    return 1
  }

  async #advice(oid: ObjectId): Promise<string> {
    const { kind, isCommitted } = this.#options
    const commit = await this.#repository.objects.readCommit(oid)
    const name = `${await new ShortIds(this.#repository).of(oid)}... ${titleOf(commit.message)}`
    const what = kind === 'revert' ? `error: could not revert ${name}` : `error: could not apply ${name}`
    if (!isCommitted) {
      return (
        `${what}\nhint: after resolving the conflicts, mark the corrected paths\n` +
        "hint: with 'git add <paths>' or 'git rm <paths>'"
      )
    }
    return (
      `${what}\nhint: After resolving the conflicts, mark them with\nhint: "git add/rm <pathspec>", then run\n` +
      `hint: "git ${kind} --continue".\nhint: You can instead skip this commit with "git ${kind} --skip".\n` +
      `hint: To abort and get back to the state before "git ${kind}",\nhint: run "git ${kind} --abort".`
    )
  }

  async #showStatus(): Promise<void> {
    const { commandTable } = await import('../commands/table.ts')
    const status = await commandTable['status']?.()
    await status?.run(this.#call, parseOptions(status.options, []), [])
  }

  /** Commits the resolved changes, then continues. A single commit that stopped may be of the other kind. */
  async continue(): Promise<number> {
    const repository = this.#repository
    const { kind } = this.#options
    const stopped = await openHead(repository)
    const series = await openKind(repository)
    if (stopped === undefined && series === undefined) throw this.#nothingGoesOn()
    if (series !== undefined && series !== kind)
      throw new GitFailure(`error: cannot ${kind} during a ${series}.\nfatal: ${kind} failed`, 128)
    await refuseConflicts(this.#call, await repository.readIndex(), 'Committing')
    if (stopped !== undefined) await this.#commitResolved(stopped.oid, stopped.kind)
    return this.#goOn(await readTodo(repository))
  }

  async #commitResolved(oid: ObjectId, kind: ReplayKind): Promise<void> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const { oid: head, branch } = await repository.head()
    if (head === undefined) throw fatal('There is no commit to build on.')
    const tree = await repository.writeTree(index)
    if (tree === (await repository.treeOf(head))) {
      await this.#showStatus()
      throw new GitFailure(
        kind === 'revert'
          ? ''
          : 'The previous cherry-pick is now empty, possibly due to conflict resolution.\nIf you wish to commit it anyway, use:\n\n' +
              "    git commit --allow-empty\n\nOtherwise, please use 'git cherry-pick --skip'",
        1,
      )
    }
    const picked = await repository.objects.readCommit(oid)
    const author: Person = kind === 'cherry-pick' ? picked.author : await repository.identity('author')
    const prepared = (await readState(repository, 'MERGE_MSG')) ?? picked.message
    const message = cleanMessage(prepared, commentMark(repository.config()))
    const committer = await repository.identity('committer')
    const next = await repository.writeCommit({ tree, parents: [head], author, committer, message })
    const changes = new Changes()
    await moveHead(repository, changes, [
      { oid: next, message: `commit${kind === 'cherry-pick' ? ' (cherry-pick)' : ''}: ${titleOf(message)}` },
    ])
    await repository.removeState(changes, ...mergeStateFiles)
    writeState(repository, changes, 'COMMIT_EDITMSG', prepared)
    await repository.commit(changes, index)
    const hidesDate = kind === 'revert'
    const text = await commitSummary(repository, next, { branch, before: head, now: this.#call.now, hidesDate })
    await this.#call.out.write(text)
  }

  async #goOn(todo: readonly ObjectId[] | undefined): Promise<number> {
    const repository = this.#repository
    if (todo === undefined) return 0
    const first = (await readState(repository, 'sequencer/head'))?.trim()
    return this.#run(todo.slice(1), { isMany: true, first })
  }

  #nothingGoesOn(): GitFailure {
    const { kind } = this.#options
    return new GitFailure(`error: no cherry-pick or revert in progress\nfatal: ${kind} failed`, 128)
  }

  async skip(): Promise<number> {
    const repository = this.#repository
    const { kind } = this.#options
    const series = await openKind(repository)
    if ((await repository.refs.read(headFile[kind])) === undefined) {
      if (series !== kind) throw new GitFailure(`error: no ${kind} in progress\nfatal: ${kind} failed`, 128)
      if (!(await isHeadKept(repository))) {
        throw new GitFailure(
          `error: there is nothing to skip\nhint: have you committed already?\nhint: try "git ${kind} --continue"\nfatal: ${kind} failed`,
          128,
        )
      }
    }
    const { oid: head } = await repository.head()
    if (head !== undefined) await this.#reset(head, false)
    return series === undefined ? 0 : this.continue()
  }

  async abort(): Promise<number> {
    const repository = this.#repository
    const first = (await readState(repository, 'sequencer/head'))?.trim()
    if (first === undefined && (await openHead(repository)) === undefined) throw this.#nothingGoesOn()
    if (first !== undefined && !(await isHeadKept(repository))) {
      await this.#call.warn('warning: You seem to have moved HEAD. Not rewinding, check your HEAD!')
      const changes = new Changes()
      await repository.removeState(changes, ...sequencerFiles)
      await repository.commit(changes)
      return 0
    }
    const { oid: head } = await repository.head()
    await this.#reset(first ?? head ?? '', true)
    return 0
  }

  async quit(): Promise<number> {
    const changes = new Changes()
    await this.#repository.removeState(changes, ...mergeStateFiles, 'MERGE_RR', 'SQUASH_MSG', ...sequencerFiles)
    await this.#repository.commit(changes)
    return 0
  }

  /** Returns to a commit and discards what was resolved so far. */
  async #reset(oid: ObjectId, endsSequence: boolean): Promise<void> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const changes = new Changes()
    const { oid: head } = await repository.head()
    await resetToTree(repository, index, changes, await repository.treeOf(oid), mergeGuard(oid))
    if (head === oid) await logStay(repository, changes, oid, `reset: moving to ${oid}`)
    else await moveHead(repository, changes, [{ oid, message: `reset: moving to ${oid}` }])
    if (head !== undefined) writeState(repository, changes, 'ORIG_HEAD', `${head}\n`)
    await repository.removeState(changes, ...mergeStateFiles, ...(endsSequence ? sequencerFiles : []))
    await repository.commit(changes, index)
  }
}
