// The commits that the arguments of `cherry-pick` and `revert` name: single ones in the given order, ranges from old to new.

import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { needCommit } from '../revs/revision.ts'
import type { ObjectId } from '../store/object-format.ts'
import { commitRange } from './commit-range.ts'

export function isRange(word: string): boolean {
  return word.startsWith('^') || word.includes('..')
}

export async function pickedCommits(
  repository: Repository,
  words: readonly string[],
  isOldestFirst: boolean,
): Promise<readonly ObjectId[]> {
  if (!words.some(isRange)) {
    const found: ObjectId[] = []
    for (const word of words) found.push(await needCommit(repository, word))
    return found
  }
  const [excluded, included]: [ObjectId[], ObjectId[]] = [[], []]
  for (const word of words) {
    const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(word) ?? []
    if (dots === undefined) {
      if (word.startsWith('^')) excluded.push(await needCommit(repository, word.slice(1)))
      else included.push(await needCommit(repository, word))
      continue
    }
    const [from, to] = [await needCommit(repository, left || 'HEAD'), await needCommit(repository, right || 'HEAD')]
    included.push(to)
    if (dots === '..') excluded.push(from)
    else {
      included.push(from)
      excluded.push(...(await mergeBases(repository, from, [to])))
    }
  }
  const commits = await commitRange(repository, excluded, included)
  if (commits.length === 0) throw fatal('empty commit set passed')
  return isOldestFirst ? commits : commits.toReversed()
}
