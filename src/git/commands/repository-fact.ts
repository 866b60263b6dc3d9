// The options of `git rev-parse` that ask where the repository is and of which kind.

import type { GitCall } from '../call.ts'
import type { Repository } from '../repository.ts'
import { relativePath, type ShownPaths } from './shown-paths.ts'

/** `undefined` if the option asks for something else. */
export async function repositoryFact(call: GitCall, name: string, paths: ShownPaths): Promise<string | undefined> {
  const { cwd } = call.environment
  switch (name) {
    case '--show-toplevel': {
      const { root } = await call.repository()
      if (paths.format !== 'relative') return root
      return root === cwd ? './' : `${relativePath(cwd, root)}/`
    }
    case '--git-dir': {
      const { gitDir, prefix } = await call.repository()
      const own = call.environment.env['GIT_DIR']
      if (own !== undefined && paths.format === 'usual' && prefix === '') return own
      return paths.shown(gitDir)
    }
    case '--absolute-git-dir':
      return (await call.repository()).gitDir
    case '--git-common-dir':
      return paths.shared((await call.repository()).commonDir)
    case '--is-inside-work-tree':
      return String((await call.repository()).isInWorkTree)
    case '--is-inside-git-dir': {
      const { gitDir } = await call.repository()
      return String(cwd === gitDir || cwd.startsWith(`${gitDir}/`))
    }
    case '--is-bare-repository':
      // Inside of `.git` there is no work tree, but the repository may have one.
      return String((await call.repository()).isBare && (await call.repository()).config().get('core.bare') !== 'false')
    case '--is-shallow-repository': {
      const repository = await call.repository()
      return String(await repository.files.isFile(repository.shallowFile))
    }
    case '--show-prefix':
      return (await call.repository()).prefix
    case '--show-cdup':
      return cdup(await call.repository())
    case '--show-superproject-working-tree':
      return (await import('./repository-facts.ts')).superproject(call)
    case '--shared-index-path':
      return ''
    default:
      return undefined
  }
}

/** The way up to the top of the work tree; from outside of it the top itself. */
function cdup(repository: Repository): string {
  return repository.isInWorkTree || repository.isBare ? repository.prefix.replaceAll(/[^/]+\//g, '../') : repository.root
}
