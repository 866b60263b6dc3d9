// `git clean`.

import { fatal } from '../errors.ts'
import { quoteFor, relativePath } from '../quote.ts'
import { Changes } from '../repository.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { findUntracked } from '../work/status.ts'
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
    const onlyIgnored = options.has('only-ignored')
    const rules = repository.ignore(options.values('exclude'), !options.has('ignored-too'))
    const takesDirectories = options.has('directories') || words.length > 0
    const found = await findUntracked(repository, await repository.readIndex(), {
      mode: 'normal',
      ignored: 'traditional',
      pathspec: pathspec.isEmpty ? undefined : pathspec,
      ignore: rules,
    })
    const quote = quoteFor(repository.config())
    const changes = new Changes()
    const tree = await repository.workTree()
    const rows = onlyIgnored ? found.ignored : await withoutKept(found.untracked)
    for (const path of rows) {
      const isDirectory = path.endsWith('/')
      if (isDirectory && !takesDirectories) continue
      const name = isDirectory ? path.slice(0, -1) : path
      if (isDirectory && (await holdsRepository(name)) && options.count('force') < 2) {
        if (!options.has('quiet'))
          await call.print(`${isDry ? 'Would skip' : 'Skipping'} repository ${quote(relativePath(path, repository.prefix))}`)
        continue
      }
      if (isDirectory) changes.removeTree(tree.pathOf(name))
      else changes.remove(tree.pathOf(name))
      if (!options.has('quiet') || isDry)
        await call.print(`${isDry ? 'Would remove' : 'Removing'} ${quote(relativePath(path, repository.prefix))}`)
    }
    if (!isDry) await changes.commit(repository.files, repository.environment.signal)
    return 0

    /** A directory that holds ignored files stays; what is not ignored in it goes. */
    async function withoutKept(paths: readonly string[]): Promise<readonly string[]> {
      const kept: string[] = []
      for (const path of paths) {
        if (!path.endsWith('/')) {
          kept.push(path)
          continue
        }
        const inner: string[] = []
        const isWhole = await collect(path.slice(0, -1), inner)
        if (isWhole) kept.push(path)
        else kept.push(...inner)
      }
      return kept
    }

    async function collect(directory: string, into: string[]): Promise<boolean> {
      let isWhole = true
      const own: string[] = []
      for (const { name, kind } of await repository.files.list(tree.pathOf(directory))) {
        const path = `${directory}/${name}`
        if (await rules.isIgnoredHere(path, kind === 'directory')) isWhole = false
        else if (kind === 'directory') {
          const below: string[] = []
          if (await collect(path, below)) own.push(`${path}/`)
          else {
            isWhole = false
            own.push(...below)
          }
        } else own.push(path)
      }
      into.push(...own)
      return isWhole
    }

    async function holdsRepository(name: string): Promise<boolean> {
      return (await repository.files.lstat(tree.pathOf(`${name}/.git`))) !== undefined
    }
  },
}
