// `git reflog`: shows the logs of references, and changes them.

import { GitFailure } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { findRef } from '../revs/revision.ts'
import type { GitCommand } from './command.ts'
import { log } from './log.ts'

export const reflog: GitCommand = {
  name: 'reflog',
  summary: 'Manage reflog information',
  options: { rows: [], usage: 'git reflog [show] [<log-options>] [<ref>]' },
  isRaw: true,
  async run(call, _options, args) {
    const [first, ...rest] = args
    if (first === 'expire' || first === 'delete') return (await import('./rare-commands.ts')).changeLogs(call, first, rest)
    if (first === 'exists') {
      const repository = await call.repository()
      const name = rest[0] ?? ''
      return (await repository.refs.hasLog((await findRef(repository, name))?.name ?? name)) ? 0 : 1
    }
    if (first === 'list') throw new GitFailure('error: git reflog list is not built into this git', 129)
    const words = ['--abbrev-commit', '--pretty=oneline', '--walk-reflogs', ...(first === 'show' ? rest : args)]
    return log.run(call, parseOptions(log.options, words), words)
  },
}
