// `merge --log`: the subjects of the merged commits below the message.

import type { Repository } from '../repository.ts'
import { subjectOf } from '../revs/subject.ts'
import type { ObjectId } from '../store/object-format.ts'
import { commitRange } from './commit-range.ts'
import type { MergeHead } from './merge-heads.ts'
import { originOf } from './merge-message.ts'

export async function mergedSubjects(
  repository: Repository,
  ours: ObjectId,
  heads: readonly MergeHead[],
  maxCount: number,
): Promise<string> {
  let text = ''
  for (const { oid, described } of heads) {
    const subjects: string[] = []
    for (const id of (await commitRange(repository, [ours], [oid])).toReversed()) {
      const { message, parents } = await repository.objects.readCommit(id)
      if (parents.length < 2) subjects.push(subjectOf(message) || id)
    }
    const isLong = subjects.length > maxCount
    const shown = isLong ? [...subjects.slice(0, maxCount), '...'] : subjects
    text += `\n* ${originOf(described)}:${isLong ? ` (${subjects.length} commits)` : ''}\n${shown.map(line => `  ${line}\n`).join('')}`
  }
  return text
}
