// `git check-attr`.

import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { quoteFor } from '../quote.ts'
import type { Repository } from '../repository.ts'
import type { GitCommand } from './command.ts'

const usage =
  'git check-attr [-a | --all | <attr>...] [--] <pathname>...\n   or: git check-attr --stdin [-z] [-a | --all | <attr>...]'

export const checkAttr: GitCommand = {
  name: 'check-attr',
  summary: 'Display gitattributes information',
  options: {
    rows: [
      { names: ['a', 'all'] },
      { names: ['cached'], refuses: 'looking only at the index is not built into this git' },
      { names: ['stdin'] },
      { names: ['z'] },
    ],
    usage,
  },
  async run(call, options) {
    const repository = await call.repository()
    const isAll = options.has('all')
    const hasInput = options.has('stdin')
    const { words, paths } = options
    const isUsageWrong = (message: string): GitFailure => new GitFailure(`error: ${message}\nusage: ${usage}\n`, 129)
    if (!isAll && options.all.length === 0) throw isUsageWrong('No attribute specified')
    // Words before `--` are attributes; without it the first word is one, or all words are if paths come from stdin.
    const count = isAll ? 0 : paths !== undefined || hasInput ? words.length : 1
    const names = isAll ? [] : words.slice(0, count)
    if (!isAll && names.length === 0) throw isUsageWrong('No attribute specified')
    const given = hasInput ? [] : [...words.slice(count), ...(paths ?? [])]
    if (hasInput && (paths ?? []).length > 0) throw isUsageWrong("Can't specify files with --stdin")
    if (!hasInput && given.length === 0) throw isUsageWrong('No file specified')
    for (const name of names) {
      if (!/^[A-Za-z0-9_.][-A-Za-z0-9_.]*$/.test(name)) throw isUsageWrong(`${name}: not a valid attribute name`)
    }
    const listed = hasInput ? (await call.input()).split(options.has('z') ? '\0' : '\n').filter(Boolean) : given
    for (const path of listed) await tell(call, repository, path, isAll ? undefined : names, options.has('z'))
    return 0
  },
}

async function tell(
  call: GitCall,
  repository: Repository,
  path: string,
  names: readonly string[] | undefined,
  isNull: boolean,
): Promise<void> {
  const attributes = repository.attributes()
  const values = await attributes.of(fromRoot(repository, path))
  const met = attributes.names.filter(name => values.has(name))
  const shown = (value: string | boolean | undefined): string =>
    value === undefined ? 'unspecified' : value === true ? 'set' : value === false ? 'unset' : value
  const rows =
    names?.map(name => [name, shown(values.get(name))] as const) ?? met.map(name => [name, shown(values.get(name))] as const)
  const quote = quoteFor(repository.config())
  for (const [name, value] of rows) {
    if (isNull) await call.out.write(`${path}\0${name}\0${value}\0`)
    else await call.print(`${quote(path)}: ${name}: ${value}`)
  }
}

function fromRoot(repository: Repository, path: string): string {
  const root = repository.isBare ? repository.gitDir : repository.root
  const full = path.startsWith('/') ? path : `${root}/${repository.prefix}${path}`
  const kept: string[] = []
  for (const part of full.split('/')) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  const whole = `/${kept.join('/')}`
  if (whole !== root && !whole.startsWith(`${root}/`)) throw fatal(`'${path}' is outside repository at '${root}'`)
  return whole.slice(root.length + 1)
}
