// `git clean`.

import { fatal } from '../errors.ts'
import { quoteFor, relativePath } from '../quote.ts'
import { Changes } from '../repository.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { findCleanable, holdsRepository } from '../work/cleanable.ts'
import type { GitCommand } from './command.ts'

export const clean: GitCommand = {
  name: 'clean',
  summary: 'Remove untracked files from the working tree',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['n', 'dry-run'] },
      { names: ['f', 'force'] },
      { names: ['i', 'interactive'], refuses: 'interactive cleaning is not built into this git; use -n and then -f' },
      { names: ['d'], key: 'directories' },
      { names: ['e', 'exclude'], argument: { name: 'pattern' } },
      { names: ['x'], key: 'ignored-too' },
      { names: ['X'], key: 'only-ignored' },
    ],
    usage: 'git clean [-d] [-f] [-n] [-q] [-e <pattern>] [-x | -X] [--] [<pathspec>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const isDry = options.has('dry-run')
    if (!isDry && !options.has('force') && repository.config().bool('clean.requireforce', true)) {
      throw fatal('clean.requireForce defaults to true and neither -i, -n, nor -f given; refusing to clean')
    }
    if (options.has('ignored-too') && options.has('only-ignored')) throw fatal("options '-x' and '-X' cannot be used together")
    const words = options.all
    const pathspec = parsePathspec(repository, words.length > 0 ? words : repository.prefix === '' ? [] : ['.'])
    const takesRepositories = options.count('force') > 1
    const found = await findCleanable(repository, await repository.readIndex(), {
      pathspec: pathspec.isEmpty ? undefined : pathspec,
      rules: repository.ignore(options.values('exclude'), !options.has('ignored-too')),
      isOnlyIgnored: options.has('only-ignored'),
      takesRepositories,
    })
    const takesDirectories = options.has('directories') || words.length > 0
    const quote = quoteFor(repository.config())
    const changes = new Changes()
    const tree = await repository.workTree()
    for (const path of found) {
      const isDirectory = path.endsWith('/')
      if (isDirectory && !takesDirectories) continue
      const name = isDirectory ? path.slice(0, -1) : path
      if (isDirectory && !takesRepositories && (await holdsRepository(repository, name))) {
        if (!options.has('quiet'))
          await call.print(`${isDry ? 'Would skip' : 'Skipping'} repository ${quote(relativePath(name, repository.prefix))}`)
        continue
      }
      if (isDirectory) changes.removeTree(tree.pathOf(name))
      else changes.remove(tree.pathOf(name))
      if (!options.has('quiet') || isDry)
        await call.print(`${isDry ? 'Would remove' : 'Removing'} ${quote(relativePath(path, repository.prefix))}`)
    }
    if (!isDry) await changes.commit(repository.files, repository.environment.signal)
    return 0
  },
}
