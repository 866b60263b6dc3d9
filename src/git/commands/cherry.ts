// `git cherry`: the commits of a branch that its upstream lacks, compared by their changes.

import { subjectOf } from '../revs/subject.ts'
import { fatal, GitFailure } from '../errors.ts'
import { commitsWithTwin } from '../merge/equal-patches.ts'
import { needCommit, upstreamOf } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { CommitWalk } from '../revs/walk.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'

export const cherry: GitCommand = {
  name: 'cherry',
  summary: 'Find commits yet to be applied to upstream',
  options: {
    rows: [{ names: ['v', 'verbose'] }, { names: ['abbrev'], argument: { name: 'n', isOptional: true } }],
    usage: 'git cherry [-v] [<upstream> [<head> [<limit>]]]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [given, headWord = 'HEAD', limitWord, ...rest] = options.all
    if (rest.length > 0) throw new GitFailure(`usage: ${cherry.options.usage}`, 129)
    const { branch } = await repository.head()
    const upstream = given ?? (branch === undefined ? undefined : upstreamOf(repository, branch))
    if (upstream === undefined) throw fatal('Could not find a tracked remote branch, please specify <upstream> manually.')
    const commitOf = (word: string): Promise<ObjectId> => needCommit(repository, word, `unknown commit ${word}`)
    const [base, head] = [await commitOf(upstream), await commitOf(headWord)]
    if (base === head) return 0
    const limit = limitWord === undefined ? [] : [await commitOf(limitWord)]
    const { signal } = repository.environment
    const side = async (include: ObjectId, exclude: readonly ObjectId[]) => {
      const walk = new CommitWalk(repository, { include: [include], exclude, order: 'date', signal })
      return (await walk.all()).filter(({ commit }) => commit.parents.length < 2)
    }
    const own = await side(head, [base, ...limit])
    const theirs = await side(base, [head])
    const idsOf = (commits: typeof own): readonly ObjectId[] => commits.map(({ oid }) => oid)
    const twins = await commitsWithTwin(repository, idsOf(own), idsOf(theirs))
    const ids = new ShortIds(repository)
    for (const { oid, commit } of own.toReversed()) {
      const digits = options.value('abbrev')
      const id = options.has('abbrev') ? await ids.of(oid, digits === undefined ? undefined : Number(digits)) : oid
      await call.print(`${twins.has(oid) ? '-' : '+'} ${id}${options.has('verbose') ? ` ${subjectOf(commit.message)}` : ''}`)
    }
    return 0
  },
}
