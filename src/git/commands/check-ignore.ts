import { quotePath } from '../quote.ts'
import type { GitCommand } from './command.ts'
import { fatal } from '../errors.ts'
import { parsePathspec } from '../work/pathspec.ts'

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
      { names: ['no-index'], isNegatable: false },
    ],
    usage: 'git check-ignore [<options>] <pathname>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    const isNull = options.has('z')
    const names = options.has('stdin') ? (await call.input()).split(isNull ? '\0' : '\n').filter(Boolean) : options.all
    if (isNull && !options.has('stdin')) throw fatal('-z only makes sense with --stdin')
    if (names.length === 0 && !options.has('stdin')) throw fatal('no path specified')
    const rules = repository.ignore()
    const index = await repository.readIndex()
    const tree = await repository.workTree()
    let count = 0
    for (const name of names) {
      const path = parsePathspec(repository, [`:(literal)${name}`]).items[0]?.path ?? ''
      const isTracked = !options.has('no-index') && index.has(path)
      const stat = await tree.lstat(path)
      const found =
        isTracked || path === '' ? undefined : await rules.match(path, stat?.kind === 'directory' || name.endsWith('/'))
      const isShown = found !== undefined && (found.isIgnored || options.has('verbose'))
      if (isShown && found.isIgnored) count++
      else if (isShown && options.has('verbose')) count++
      if (options.has('quiet') || (!isShown && !options.has('non-matching'))) continue
      const shown = isNull ? name : quotePath(name, repository.config().bool('core.quotepath', true))
      if (!options.has('verbose')) await call.out.write(shown + (isNull ? '\0' : '\n'))
      else if (isNull) await call.out.write(`${found?.source ?? ''}\0${found?.line ?? ''}\0${found?.pattern ?? ''}\0${name}\0`)
      else await call.print(`${found === undefined ? '::' : `${found.source}:${found.line}:${found.pattern}`}\t${shown}`)
    }
    return count > 0 ? 0 : 1
  },
}
