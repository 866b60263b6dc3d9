// `git var`: the values that git takes from the environment and the configuration.

import { GitFailure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import type { GitCommand } from './command.ts'

type Value = (repository: Repository) => string | undefined | Promise<string>

const identity =
  (role: 'author' | 'committer'): Value =>
  async repository => {
    const { name, email, time, zone } = await repository.identity(role)
    return `${name} <${email}> ${time} ${zone}`
  }

function editor(repository: Repository): string | undefined {
  const { env } = repository.environment
  const isDumb = env['TERM'] === undefined || env['TERM'] === 'dumb'
  const found =
    env['GIT_EDITOR'] ?? repository.config().get('core.editor') ?? (isDumb ? undefined : env['VISUAL']) ?? env['EDITOR']
  return found ?? (isDumb ? undefined : 'editor')
}

const values: Readonly<Record<string, Value>> = {
  GIT_COMMITTER_IDENT: identity('committer'),
  GIT_AUTHOR_IDENT: identity('author'),
  GIT_EDITOR: editor,
  GIT_PAGER: repository => {
    const { env } = repository.environment
    return (env['GIT_PAGER'] ?? repository.config().get('core.pager') ?? env['PAGER'] ?? 'pager') || 'cat'
  },
  GIT_DEFAULT_BRANCH: repository => repository.config().get('init.defaultbranch') ?? 'master',
}

export const variable: GitCommand = {
  name: 'var',
  summary: 'Show a Git logical variable',
  options: {
    rows: [{ names: ['l'] }],
    usage: 'git var (-l | <variable>)',
  },
  async run(call, options) {
    const [name = '', ...more] = options.all
    if (options.has('l') && options.all.length === 0) {
      const repository = await call.repository()
      for (const { name, value } of repository.config().entries) await call.print(value === undefined ? name : `${name}=${value}`)
      for (const [key, value] of Object.entries(values)) {
        const text = await value(repository)
        if (text !== undefined) await call.print(`${key}=${text}`)
      }
      return 0
    }
    const value = Object.hasOwn(values, name) && more.length === 0 ? values[name] : undefined
    if (value === undefined) throw new GitFailure(`usage: ${variable.options.usage}\n`, 129)
    const text = await value(await call.repository())
    if (text === undefined) return 1
    await call.print(text)
    return 0
  },
}
