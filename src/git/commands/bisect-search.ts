// The search of `git bisect`: which commit to test next, and how it ends.

import type { GitCall } from '../call.ts'
import type { BisectState } from './bisect-state.ts'
import { subjectOf } from '../revs/subject.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { bisect as halve, stepsLeft } from '../revs/bisection.ts'
import { isAncestor, mergeBases } from '../revs/merge-base.ts'
import { CommitWalk } from '../revs/walk.ts'
import type { ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { type Terms } from './bisect-state.ts'

export const mergeBaseExit = 3
export const onlySkippedExit = 2

export class BisectSearch {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #state: BisectState

  constructor(call: GitCall, repository: Repository, state: BisectState) {
    this.#call = call
    this.#repository = repository
    this.#state = state
  }

  /** Reports what is missing, or chooses the next commit and checks it out. */
  async goOn(terms: Terms, isAsked: boolean = false): Promise<number> {
    const { bad, good, skipped } = await this.#state.known(terms)
    if (bad === undefined || good.length === 0) {
      if (isAsked)
        throw failure(
          `You need to give me at least one ${terms.good} and ${terms.bad} revision.\nYou can use "git bisect ${terms.bad}" and "git bisect ${terms.good}" for that.`,
        )
      const text =
        bad !== undefined
          ? 'status: waiting for good commit(s), bad commit known'
          : good.length > 0
            ? `status: waiting for bad commit, ${good.length} good commit${good.length === 1 ? '' : 's'} known`
            : 'status: waiting for both good and bad commits'
      await this.#call.print(text)
      const changes = new Changes()
      this.#state.note(changes, `# ${text}\n`)
      await this.#repository.commit(changes)
      return 0
    }
    const early = await this.#testMergeBases(terms, bad, good, skipped)
    if (early !== undefined) return early
    return this.#choose(terms, bad, good, skipped)
  }

  async #choose(terms: Terms, bad: ObjectId, good: readonly ObjectId[], skipped: ReadonlySet<ObjectId>): Promise<number> {
    const commits: { readonly oid: ObjectId; readonly parents: readonly ObjectId[] }[] = []
    for await (const { oid, parents } of this.walk([bad], good, await this.#state.paths())) commits.push({ oid, parents })
    const isFirstParent = (await this.#repository.readState('BISECT_FIRST_PARENT')) !== undefined
    const { next, skipped: passed, reaches } = halve(commits, bad, skipped, isFirstParent)
    if (next === undefined && passed.length > 0) return this.#onlySkipped(terms, passed, undefined, bad, good)
    if (next === undefined && commits.length === 0) {
      const isSame = good.includes(bad)
      if (isSame) {
        await this.#call.print(`${bad} was both ${terms.good} and ${terms.bad}`)
        return 1
      }
      throw new GitFailure('No testable commit found.\nMaybe you started with bad path arguments?', 4)
    }
    if (next === undefined) throw fatal('no commit to test was found')
    if (next === bad) {
      if (passed.length > 0) return this.#onlySkipped(terms, passed, bad, bad, good)
      await this.#call.print(`${bad} is the first ${terms.bad} commit`)
      await this.#show(bad)
      const changes = new Changes()
      this.#state.note(changes, `# first ${terms.bad} commit: ${await this.described(bad)}\n`)
      await this.#repository.commit(changes)
      return 0
    }
    const left = commits.length - reaches - 1
    const steps = stepsLeft(commits.length)
    await this.#call.print(
      `Bisecting: ${left} revision${left === 1 ? '' : 's'} left to test after this (roughly ${steps} step${steps === 1 ? '' : 's'})`,
    )
    await this.#test(next)
    return 0
  }

  /** As `git diff-tree --pretty --stat --summary --cc`. */
  async #show(oid: ObjectId): Promise<void> {
    const commit = await this.#repository.objects.readCommit(oid)
    const { parents, tree } = commit
    const [first, second] = parents
    if (first === undefined || (second === undefined && (await this.#repository.treeOf(first)) === tree)) return
    const given = [
      { key: 'pretty', value: undefined },
      { key: 'stat', value: undefined },
      { key: 'diff-format', value: 'summary' },
      { key: 'merge-diff', value: '--cc' },
    ].map(option => ({ ...option, isNegated: false }))
    const { LogWriter } = await import('./log.ts')
    const args = { revisions: [], symmetric: undefined, paths: [] }
    const options = new Options(given, [], undefined)
    const writer = await LogWriter.open(this.#call, this.#repository, options, args, 'diff-tree', undefined, { recursive: true })
    await writer.write({ oid, commit, parents, side: undefined, isBoundary: false })
  }

  async #onlySkipped(
    terms: Terms,
    passed: readonly ObjectId[],
    last: ObjectId | undefined,
    bad: ObjectId,
    good: readonly ObjectId[],
  ): Promise<number> {
    const rows = [...passed, ...(last === undefined ? [] : [last])]
    await this.#call.print(
      `There are only 'skip'ped commits left to test.\nThe first ${terms.bad} commit could be any of:\n${rows.join('\n')}\nWe cannot bisect more!`,
    )
    const changes = new Changes()
    let text = '# only skipped commits left to test\n'
    for await (const { oid } of this.walk([bad], good, []))
      text += `# possible first ${terms.bad} commit: ${await this.described(oid)}\n`
    this.#state.note(changes, text)
    await this.#repository.commit(changes)
    return onlySkippedExit
  }

  /** If a good commit is not an ancestor of the bad one, their common ancestor must be known to be good first. */
  async #testMergeBases(
    terms: Terms,
    bad: ObjectId,
    good: readonly ObjectId[],
    skipped: ReadonlySet<ObjectId>,
  ): Promise<number | undefined> {
    const repository = this.#repository
    if ((await repository.readState('BISECT_ANCESTORS_OK')) !== undefined) return undefined
    let isStraight = true
    for (const oid of good) isStraight &&= await isAncestor(repository, oid, bad)
    for (const base of isStraight ? [] : await mergeBases(repository, bad, good)) {
      if (base === bad) {
        await this.#call.warn(
          terms.bad === 'bad' && terms.good === 'good'
            ? `The merge base ${bad} is bad.\nThis means the bug has been fixed between ${bad} and [${good.join(' ')}].`
            : `The merge base ${bad} is ${terms.bad}.\nThis means the first '${terms.good}' commit is between ${bad} and [${good.join(' ')}].`,
        )
        return mergeBaseExit
      }
      if (good.includes(base)) continue
      if (skipped.has(base)) {
        await this.#call.warn(
          `warning: the merge base between ${bad} and [${good.join(' ')}] must be skipped.\nSo we cannot be sure the first ${terms.bad} commit is between ${base} and ${bad}.\nWe continue anyway.`,
        )
        continue
      }
      await this.#call.print('Bisecting: a merge base must be tested')
      await this.#test(base)
      return 0
    }
    const changes = new Changes()
    repository.writeState(changes, 'BISECT_ANCESTORS_OK', '')
    await repository.commit(changes)
    return undefined
  }

  async #test(oid: ObjectId): Promise<void> {
    const changes = new Changes()
    this.#repository.writeState(changes, 'BISECT_EXPECTED_REV', `${oid}\n`)
    await this.#repository.commit(changes)
    await this.checkOut(oid, true)
    await this.#call.print(await this.described(oid))
  }

  async checkOut(word: string, isQuiet: boolean): Promise<void> {
    // The last step shows a commit, and checks none out.
    const { switchTo, targetOf } = await import('./checkout.ts')
    const target = await targetOf(this.#repository, word, false)
    if (target === undefined) throw failure(`'${word}' is not a valid commit`)
    const settings = { isQuiet, force: 'none', keepsIgnored: false, showsAdvice: false } as const
    await switchTo(this.#call, this.#repository, target, settings)
  }

  walk(include: readonly ObjectId[], exclude: readonly ObjectId[], paths: readonly string[]): CommitWalk {
    const pathspec = parsePathspec(this.#repository, paths)
    return new CommitWalk(this.#repository, {
      include,
      exclude,
      order: 'date',
      isWanted: pathspec.isEmpty ? undefined : pathspec.filter,
      rewritesParents: !pathspec.isEmpty,
      signal: this.#repository.environment.signal,
    })
  }

  async described(oid: ObjectId): Promise<string> {
    return `[${oid}] ${subjectOf((await this.#repository.objects.readCommit(oid)).message)}`
  }
}
