// Cherry-picks and reverts of one commit after another. As long as they are clean nothing is written; then the work tree, the index and
// the branch go from the first commit to the last at once. One with conflicts stops there and keeps the rest in `sequencer/`.

import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import type { GitIndex } from '../index/git-index.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId, Person } from '../store/object-format.ts'
import { cleanedMessage, commitSummary, conflictNote, subjectOf } from './commit-text.ts'
import { type HeadMove, logStay, moveHead, writeState } from './head-moves.ts'
import { readState } from './merge-state.ts'
import { mergeStateFiles } from './state-files.ts'
import type { TreeMerge } from './merge-trees.ts'
import { checkOutMerge, mergedTree, refuseConflicts, tellMerge } from './outcome.ts'
import { replay, replayedParent, revertMessage, type ReplayKind, type ReplayOptions } from './replay.ts'
import { resetToTree } from './reset-merge.ts'
import { stagedPaths } from './update-work-tree.ts'

export interface SequenceOptions extends ReplayOptions {
  readonly kind: ReplayKind
  readonly isCommitted: boolean
  /** `-x`: the message names where it came from. */
  readonly namesOrigin: boolean
  readonly signsOff: boolean
  readonly allowsEmpty: boolean
  readonly keepsRedundant: boolean
  readonly isForwarded: boolean
}

/** A commit that has been made again and is not yet checked out. */
interface Made {
  readonly moves: HeadMove[]
  readonly summaries: string[]
  oid: ObjectId
  tree: ObjectId
}

const headFile = { 'cherry-pick': 'CHERRY_PICK_HEAD', revert: 'REVERT_HEAD' } as const
const verb = { 'cherry-pick': 'pick', revert: 'revert' } as const
const sequencerFiles = ['sequencer'] as const

export class Sequencer {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: SequenceOptions

  constructor(call: GitCall, repository: Repository, options: SequenceOptions) {
    this.#call = call
    this.#repository = repository
    this.#options = options
  }

  /** Gives the exit code. */
  async start(commits: readonly ObjectId[]): Promise<number> {
    const repository = this.#repository
    const { kind } = this.#options
    if (
      (await repository.refs.read(headFile[kind])) !== undefined ||
      (await readState(repository, 'sequencer/todo')) !== undefined
    ) {
      throw new GitFailure(
        `error: ${kind} is already in progress\nhint: try "git ${kind} (--continue | --skip | --abort | --quit)"\nfatal: ${kind} failed`,
        128,
      )
    }
    return this.#run(commits, { isMany: commits.length > 1, first: undefined })
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
    await this.#refuseDirty(head)
    const from = await repository.treeOf(head)
    const made: Made = { moves: [], summaries: [], oid: head, tree: from }
    if (!isCommitted) return this.#applyOnly(commits, from)
    for (const [position, oid] of commits.entries()) {
      this.#call.check()
      const merge = await this.#step(made, oid, branch)
      if (merge === undefined) continue
      const changes = new Changes()
      await this.#checkOut(index, changes, { from, into: made.tree, merge, operation: 'merge' })
      await moveHead(repository, changes, made.moves)
      if (isMany) await this.#writeSequence(changes, commits.slice(position), first ?? head, made.oid)
      return this.#stop(oid, { merge, made, changes, index })
    }
    const changes = new Changes()
    await this.#checkOut(index, changes, { from, into: made.tree, operation: 'merge' })
    await moveHead(repository, changes, made.moves)
    await repository.removeState(changes, ...sequencerFiles)
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
    if (isCommitted && (await stagedPaths(repository, index, await repository.treeOf(head))).length > 0) {
      throw new GitFailure(
        `error: your local changes would be overwritten by ${kind}.\nhint: commit your changes or stash them to proceed.\nfatal: ${kind} failed`,
        128,
      )
    }
  }

  /** Makes one commit; gives the merge at which to stop, for conflicts or because nothing is left to commit. */
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
    if (merge.conflicts.size > 0) return merge
    const tree = await mergedTree(repository, made.tree, merge)
    const wasEmpty = parent !== undefined && (await repository.treeOf(parent)) === commit.tree
    if (tree === made.tree && !(this.#options.keepsRedundant || (wasEmpty && this.#options.allowsEmpty))) return merge
    const message = cleanedMessage(await this.#message(oid), false)
    const next = await repository.writeCommit({
      tree,
      parents: [made.oid],
      author: kind === 'cherry-pick' ? commit.author : await repository.identity('author'),
      committer: await repository.identity('committer'),
      message,
    })
    const summary = await commitSummary(repository, next, { branch, before: made.oid, now: this.#call.now })
    made.summaries.push([...merge.messages.map(line => `${line}\n`), summary].join(''))
    made.moves.push({ oid: next, message: `${kind}: ${subjectOf(message)}` })
    made.oid = next
    made.tree = tree
    return undefined
  }

  async #message(oid: ObjectId): Promise<string> {
    const repository = this.#repository
    const { kind, mainline, namesOrigin, signsOff } = this.#options
    const commit = await repository.objects.readCommit(oid)
    const parent = await replayedParent(repository, oid, kind, mainline)
    let text = kind === 'revert' ? revertMessage(oid, commit, parent) : commit.message
    if (namesOrigin && kind === 'cherry-pick') text = withTrailer(text, `(cherry picked from commit ${oid})`)
    if (signsOff) {
      const { name, email } = await repository.identity('committer')
      text = withTrailer(text, `Signed-off-by: ${name} <${email}>`)
    }
    return text
  }

  /** `-n`: the changes go into the index and the work tree, on top of what is there. */
  async #applyOnly(commits: readonly ObjectId[], head: ObjectId): Promise<number> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const from = (await stagedPaths(repository, index, head)).length === 0 ? head : await repository.writeTree(index)
    let tree = from
    for (const oid of commits) {
      const merge = await replay(repository, oid, this.#options.kind, tree, this.#options)
      if (merge.conflicts.size === 0) {
        tree = await mergedTree(repository, tree, merge)
        for (const line of merge.messages) await this.#call.print(line)
        continue
      }
      const changes = new Changes()
      await this.#checkOut(index, changes, { from, into: tree, merge, operation: 'merge' })
      const note = conflictNote(merge.conflicts.keys())
      writeState(repository, changes, 'MERGE_MSG', (await this.#message(oid)) + note)
      await repository.commit(changes, index)
      await tellMerge(this.#call, merge)
      await this.#call.warn(await this.#advice(oid))
      return 1
    }
    const changes = new Changes()
    await this.#checkOut(index, changes, { from, into: tree, operation: 'merge' })
    const [only] = commits
    if (only !== undefined && this.#options.kind === 'revert') {
      writeState(repository, changes, 'MERGE_MSG', await this.#message(only))
      writeState(repository, changes, 'REVERT_HEAD', `${commits.at(-1) ?? only}\n`)
    }
    await repository.commit(changes, index)
    return 0
  }

  async #writeSequence(changes: Changes, left: readonly ObjectId[], head: ObjectId, now: ObjectId): Promise<void> {
    const rows: string[] = []
    const ids = new ShortIds(this.#repository)
    for (const oid of left) {
      const { message } = await this.#repository.objects.readCommit(oid)
      rows.push(`${verb[this.#options.kind]} ${await ids.of(oid)} ${subjectOf(message)}\n`)
    }
    writeState(this.#repository, changes, 'sequencer/todo', rows.join(''))
    writeState(this.#repository, changes, 'sequencer/head', `${head}\n`)
    writeState(this.#repository, changes, 'sequencer/abort-safety', `${now}\n`)
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
    const isEmpty = merge.conflicts.size === 0
    // A revert that changes nothing is not begun.
    if (!isEmpty || kind === 'cherry-pick') writeState(repository, changes, headFile[kind], `${oid}\n`)
    const note = isEmpty ? '' : conflictNote(merge.conflicts.keys())
    writeState(repository, changes, 'MERGE_MSG', (await this.#message(oid)) + note)
    if (!isEmpty) writeState(repository, changes, 'AUTO_MERGE', `${await mergedTree(repository, made.tree, merge)}\n`)
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
    const name = `${await new ShortIds(this.#repository).of(oid)}... ${subjectOf(commit.message)}`
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
    const { parseOptions } = await import('../options.ts')
    const status = await commandTable['status']?.()
    await status?.run(this.#call, parseOptions(status.options, []), [])
  }

  /** Commits what was resolved, then goes on. */
  async continue(): Promise<number> {
    const repository = this.#repository
    const { kind } = this.#options
    const oid = (await readState(repository, headFile[kind]))?.trim()
    const todo = await this.#todo()
    if (oid === undefined && todo === undefined) throw this.#nothingGoesOn()
    const index = await repository.readIndex()
    await refuseConflicts(this.#call, index, 'Committing')
    if (oid !== undefined) await this.#commitResolved(oid)
    return this.#goOn(todo)
  }

  async #commitResolved(oid: ObjectId): Promise<void> {
    const repository = this.#repository
    const { kind } = this.#options
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
    const message = cleanedMessage((await readState(repository, 'MERGE_MSG')) ?? picked.message, true)
    const committer = await repository.identity('committer')
    const next = await repository.writeCommit({ tree, parents: [head], author, committer, message })
    const changes = new Changes()
    await moveHead(repository, changes, [
      { oid: next, message: `commit${kind === 'cherry-pick' ? ' (cherry-pick)' : ''}: ${subjectOf(message)}` },
    ])
    await repository.removeState(changes, ...mergeStateFiles)
    await repository.commit(changes, index)
    const text = await commitSummary(repository, next, { branch, before: head, now: this.#call.now })
    await this.#call.out.write(text)
  }

  async #goOn(todo: readonly ObjectId[] | undefined): Promise<number> {
    const repository = this.#repository
    if (todo === undefined) return 0
    const first = (await readState(repository, 'sequencer/head'))?.trim()
    return this.#run(todo.slice(1), { isMany: true, first })
  }

  async #todo(): Promise<readonly ObjectId[] | undefined> {
    const text = await readState(this.#repository, 'sequencer/todo')
    if (text === undefined) return undefined
    const found: ObjectId[] = []
    for (const line of text.split('\n')) {
      const id = /^(?:pick|revert) ([0-9a-f]{4,40})/.exec(line)?.[1]
      if (id === undefined) continue
      const [oid] = id.length === 40 ? [id] : await this.#repository.objects.expand(id)
      if (oid !== undefined) found.push(oid)
    }
    return found
  }

  #nothingGoesOn(): GitFailure {
    const { kind } = this.#options
    return new GitFailure(`error: no cherry-pick or revert in progress\nfatal: ${kind} failed`, 128)
  }

  async skip(): Promise<number> {
    const repository = this.#repository
    const { kind } = this.#options
    const todo = await this.#todo()
    if ((await repository.refs.read(headFile[kind])) === undefined && todo === undefined) {
      throw new GitFailure(`error: no ${kind} in progress\nfatal: ${kind} failed`, 128)
    }
    const { oid: head } = await repository.head()
    if (head !== undefined) await this.#reset(head, false)
    return this.#goOn(todo)
  }

  async abort(): Promise<number> {
    const repository = this.#repository
    const first = (await readState(repository, 'sequencer/head'))?.trim()
    const isOpen = (await Promise.all(Object.values(headFile).map(name => repository.refs.read(name)))).some(
      value => value !== undefined,
    )
    if (first === undefined && !isOpen) throw this.#nothingGoesOn()
    const { oid: head } = await repository.head()
    await this.#reset(first ?? head ?? '', true)
    return 0
  }

  async quit(): Promise<number> {
    const changes = new Changes()
    await this.#repository.removeState(changes, 'CHERRY_PICK_HEAD', 'REVERT_HEAD', ...sequencerFiles)
    await this.#repository.commit(changes)
    return 0
  }

  /** Back to a commit, with what was resolved so far thrown away. */
  async #reset(oid: ObjectId, endsSequence: boolean): Promise<void> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const changes = new Changes()
    const { oid: head } = await repository.head()
    await resetToTree(repository, index, changes, await repository.treeOf(oid))
    if (head === oid) await logStay(repository, changes, oid, `reset: moving to ${oid}`)
    else await moveHead(repository, changes, [{ oid, message: `reset: moving to ${oid}` }])
    if (head !== undefined) writeState(repository, changes, 'ORIG_HEAD', `${head}\n`)
    await repository.removeState(changes, ...mergeStateFiles, ...(endsSequence ? sequencerFiles : []))
    await repository.commit(changes, index)
  }
}

/** Behind the trailers that a message ends in, or as a paragraph of its own. */
function withTrailer(message: string, line: string): string {
  const text = message.replace(/\n+$/, '')
  const last = text.split('\n\n').at(-1) ?? ''
  const hasTrailers =
    text.includes('\n\n') && last.split('\n').every(row => /^(?:[A-Za-z0-9-]+: |\(cherry picked from commit )/.test(row))
  return `${text}${hasTrailers ? '\n' : '\n\n'}${line}\n`
}
