// `git diff A B C`: one tree compared with several others at once, as a merge with its parents.

import type { GitCall } from '../call.ts'
import { combinedFilesOfTrees, writeCombined } from '../diff/combined-diff.ts'
import { DiffRenderer } from '../diff/render.ts'
import type { DiffSettings } from '../diff/settings.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { RevisionArguments } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { needTreeOf } from './diff.ts'

export async function diffCombined(
  call: GitCall,
  repository: Repository,
  options: Options,
  { revisions, paths }: RevisionArguments,
  settings: DiffSettings,
): Promise<number> {
  // `X^!` and `X^@` name parents; of all others the first one is the result.
  const namesParents = options.words.some(word => word.endsWith('^@'))
  const isParent = ({ text, oid, isExcluded }: (typeof revisions)[number]): boolean =>
    isExcluded || (namesParents && text === oid)
  const result = revisions.find(revision => !isParent(revision)) ?? revisions[0]
  if (result === undefined) return 0
  const tree = await needTreeOf(repository, result)
  const parents: string[] = []
  for (const revision of revisions) if (revision !== result) parents.push(await needTreeOf(repository, revision))
  const pathspec = parsePathspec(repository, paths)
  const isWanted = pathspec.isEmpty ? undefined : pathspec.filter
  const ids = new ShortIds(repository)
  const renderer = new DiffRenderer(repository, settings, ids)
  const changes = await diffTrees(repository, parents[0], tree, { isWanted })
  await writeCombined(
    call.out,
    {
      repository,
      settings,
      ids,
      isDense: options.value('combined') !== 'all',
      renderer: own => Promise.resolve(new DiffRenderer(repository, own, ids)),
    },
    await combinedFilesOfTrees(repository, parents, tree, isWanted, own => renderer.pairs(own)),
    await renderer.pairs(changes),
  )
  return 0
}
