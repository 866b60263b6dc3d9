// Staging again what a stash had staged. Git applies it as a patch, so each change must fit the index as it is now.

import { collectOutput } from '../../shell/commands.ts'
import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import { parseOptions } from '../options.ts'
import { parsePatch } from '../patch/parse-patch.ts'
import { Patcher } from '../patch/patcher.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'

/** The tree of `index` with the changes from one tree to another; `undefined` where they do not fit, which is told. */
export async function stagedLike(
  call: GitCall,
  repository: Repository,
  index: GitIndex,
  from: ObjectId,
  to: ObjectId,
): Promise<ObjectId | undefined> {
  const { diffTree } = await import('../commands/diff-plumbing.ts')
  const output = collectOutput()
  const inner = call.writingTo(output)
  await diffTree.run(inner, parseOptions(diffTree.options, ['-p', '--binary', '--no-color', from, to]), [])
  await inner.out.flush()
  const staged = index.copy()
  const patches = parsePatch(decodeText(output.bytes()), { strip: 1, recounts: false })
  const patcher = new Patcher(call, repository, staged, patches, {
    target: 'cached',
    threeWay: false,
    rejects: false,
    intendsToAdd: false,
    isVerbose: false,
  })
  try {
    await patcher.stage()
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    if (error.message !== '') await call.warn(error.message)
    return undefined
  }
  return repository.writeTree(staged)
}
