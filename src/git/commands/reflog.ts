// `git reflog`: the log of a reference.

import { GitFailure } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { findRef } from '../revs/revision.ts'
import type { GitCommand } from './command.ts'

export const reflog: GitCommand = {
  name: 'reflog',
  summary: 'Manage reflog information',
  options: { rows: [], usage: 'git reflog [show] [<log-options>] [<ref>]' },
  isRaw: true,
  async run(call, _options, args) {
    const [first, ...rest] = args
    if (first === 'expire' || first === 'delete')
      throw new GitFailure(`error: git reflog ${first} is not built into this git`, 129)
    if (first === 'exists') {
      const repository = await call.repository()
      const name = rest[0] ?? ''
      return (await repository.refs.hasLog((await findRef(repository, name))?.name ?? name)) ? 0 : 1
    }
    if (first === 'list') throw new GitFailure('error: git reflog list is not built into this git', 129)
    const { log } = await import('./log.ts')
    const words = ['--abbrev-commit', '--pretty=oneline', '--walk-reflogs', ...(first === 'show' ? rest : args)]
    return log.run(call, parseOptions(log.options, words), words)
  },
}
