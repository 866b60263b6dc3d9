// `git merge-tree --write-tree`: merges two commits into a tree, without a work tree.

import { GitFailure } from '../errors.ts'
import { mergeCommits } from '../merge/merge-commits.ts'
import { mergedTree, tellMerge } from '../merge/outcome.ts'
import { conflictStyle } from '../merge/replay.ts'
import { quoteFor } from '../quote.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { resolveRevision, peel } from '../revs/revision.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'

const usage = 'git merge-tree [--write-tree] [<options>] <branch1> <branch2>'

export const mergeTree: GitCommand = {
  name: 'merge-tree',
  summary: 'Perform merge without touching index or working tree',
  options: {
    rows: [
      { names: ['write-tree'], isNegatable: false },
      { names: ['trivial-merge'], refuses: 'it is not built into this git; use --write-tree' },
      { names: ['messages'] },
      { names: ['z'], refuses: 'it is not built into this git' },
      { names: ['name-only'], isNegatable: false },
      { names: ['allow-unrelated-histories'] },
    ],
    usage,
  },
  async run(call, options) {
    const repository = await call.repository()
    const [one, two, ...more] = options.all
    if (one === undefined || two === undefined || (more.length > 0 && options.has('write-tree')))
      throw new GitFailure(`usage: ${usage}\n`, 129)
    if (more.length > 0)
      throw new GitFailure('error: merge-tree of three trees is not built into this git; use --write-tree', 129)
    const [ours, theirs] = [await namedCommit(repository, one), await namedCommit(repository, two)]
    if (!options.has('allow-unrelated-histories') && (await mergeBases(repository, ours, [theirs])).length === 0)
      throw new GitFailure('fatal: refusing to merge unrelated histories', 128)
    const merge = await mergeCommits(repository, ours, theirs, {
      labels: { ours: one, theirs: two },
      style: conflictStyle(repository),
    })
    const tree = await mergedTree(repository, await repository.treeOf(ours), merge)
    await repository.objects.flush()
    await call.print(tree)
    const isClean = merge.isClean
    const quote = quoteFor(repository.config())
    for (const [path, stages] of [...merge.conflicts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (options.has('name-only')) await call.print(quote(path))
      else
        for (const [index, side] of stages.entries())
          if (side !== undefined)
            await call.print(`${side.mode.toString(8).padStart(6, '0')} ${side.oid} ${index + 1}\t${quote(path)}`)
    }
    const tells = options.isNegated('messages') ? false : options.has('messages') || !isClean
    if (tells) {
      await call.print('')
      await tellMerge(call, merge)
    }
    return isClean ? 0 : 1
  },
}

async function namedCommit(repository: Repository, name: string): Promise<ObjectId> {
  const revision = await resolveRevision(repository, name)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
  if (oid === undefined) throw new GitFailure(`merge-tree: ${name} - not something we can merge`, 1)
  return oid
}
