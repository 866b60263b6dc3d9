// `git rev-parse --show-superproject-working-tree`.

import { collectOutput } from '../../shell/commands.ts'
import type { GitCall } from '../call.ts'
import { modes } from '../store/object-format.ts'

/** The work tree that has this one as a submodule. */
export async function superproject(call: GitCall): Promise<string> {
  const repository = await call.repository()
  if (repository.isBare) return ''
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = call.environment.env
  const cwd = repository.root.slice(0, repository.root.lastIndexOf('/')) || '/'
  const above = await call.writingTo(collectOutput(), { ...call.environment, cwd, env }).findRepository()
  if (above === undefined || above.isBare) return ''
  const path = above.prefix + repository.root.slice(repository.root.lastIndexOf('/') + 1)
  const index = await above.readIndex()
  const entries = [index.get(path), ...(index.stages(path) ?? [])]
  return entries.some(entry => entry?.mode === modes.submodule) ? above.root : ''
}
