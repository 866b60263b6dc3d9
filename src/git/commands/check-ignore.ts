import { quoteFor } from '../quote.ts'
import type { GitCommand } from './command.ts'
import { fatal } from '../errors.ts'
import { GitIndex } from '../index/git-index.ts'
import { unquotedLine } from './pathspec-words.ts'
import { type Pathspec, parsePathspec } from '../work/pathspec.ts'
import { PathspecReach, refuseMagic } from '../work/pathspec-reach.ts'

export const checkIgnore: GitCommand = {
  name: 'check-ignore',
  summary: 'Debug gitignore / exclude files',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['v', 'verbose'] },
      { names: ['stdin'] },
      { names: ['z'] },
      { names: ['n', 'non-matching'] },
      { names: ['no-index'] },
    ],
    usage: 'git check-ignore [<options>] <pathname>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    const isNull = options.has('z')
    const isRead = options.has('stdin')
    if (isRead && options.all.length > 0) throw fatal('cannot specify pathnames with --stdin')
    if (isNull && !isRead) throw fatal('-z only makes sense with --stdin')
    if (options.all.length === 0 && !isRead) throw fatal('no path specified')
    if (options.has('quiet') && options.all.length > 1) throw fatal('--quiet is only valid with a single pathname')
    if (options.has('quiet') && options.has('verbose')) throw fatal('cannot have both --quiet and --verbose')
    if (options.has('non-matching') && !options.has('verbose')) throw fatal('--non-matching is only valid with --verbose')
    const end = isNull ? '\0' : '\n'
    const input = isRead ? await call.input() : ''
    const read = input === '' ? [] : (input.endsWith(end) ? input.slice(0, -1) : input).split(end)
    const rules = repository.ignore()
    const index = options.has('no-index') ? new GitIndex() : await repository.readIndex()
    const tree = await repository.workTree()
    const quote = quoteFor(repository.config())
    let count = 0
    const reach = new PathspecReach(repository, index)
    const parse = async (name: string): Promise<Pathspec> => {
      const pathspec = parsePathspec(repository, [name])
      refuseMagic(pathspec)
      await reach.check(pathspec)
      return pathspec
    }
    const given = isRead ? read : await Promise.all(options.all.map(async name => ({ name, pathspec: await parse(name) })))
    for (const line of given) {
      const name = typeof line !== 'string' ? line.name : isNull ? line : unquotedLine(line)
      const pathspec = typeof line === 'string' ? await parse(name) : line.pathspec
      const path = pathspec.items[0]?.path ?? ''
      const isTracked = path !== '' && pathspec.unmatched(index.paths()).length === 0
      const isDirectory = (await tree.lstat(path))?.kind === 'directory'
      // As in git, only a pattern for the empty name matches behind a last '/'; the directory itself is above it.
      const asked = name.endsWith('/') ? `${path}/` : path
      const found = isTracked || path === '' ? undefined : await rules.match(asked, isDirectory)
      const isShown = found !== undefined && (found.isIgnored || options.has('verbose'))
      if (isShown) count++
      if (options.has('quiet') || (!isShown && !options.has('non-matching'))) continue
      const shown = isNull ? name : quote(name)
      if (!options.has('verbose')) await call.out.write(shown + (isNull ? '\0' : '\n'))
      else if (isNull) await call.out.write(`${found?.source ?? ''}\0${found?.line ?? ''}\0${found?.pattern ?? ''}\0${name}\0`)
      else await call.print(`${found === undefined ? '::' : `${quote(found.source)}:${found.line}:${found.pattern}`}\t${shown}`)
    }
    return count > 0 ? 0 : 1
  },
}
