// `--cherry-pick` and `--cherry-mark`: commits whose change the other side of `A...B` has too.

import { commitsWithTwin } from '../merge/equal-patches.ts'
import type { Repository } from '../repository.ts'
import type { WalkNode } from './walk.ts'

export async function withoutTwins(repository: Repository, list: WalkNode[], twins: 'leave-out' | 'tell'): Promise<WalkNode[]> {
  const sides = [list.filter(node => node.isLeft), list.filter(node => !node.isLeft)] as const
  const ids = sides.map(side => side.filter(({ commit }) => commit.parents.length < 2).map(({ oid }) => oid))
  const [left = [], right = []] = ids
  const found = new Set([
    ...(await commitsWithTwin(repository, left, right)),
    ...(await commitsWithTwin(repository, right, left)),
  ])
  for (const node of list) node.hasTwin = found.has(node.oid)
  return twins === 'tell' ? list : list.filter(node => !node.hasTwin)
}
