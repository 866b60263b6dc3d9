// The configured remotes, and where their references are stored.

import { GitFailure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { parseRefSpec, type RefSpec } from './ref-spec.ts'

export interface RemoteConfig {
  /** `undefined` for an address that was given instead of a name. */
  readonly name: string | undefined
  readonly url: string
  readonly pushUrl: string
  readonly fetchSpecs: readonly RefSpec[]
}

/** A remote by its name, or an address. */
export function findRemote(repository: Repository, name: string): RemoteConfig {
  const config = repository.config()
  const [url] = config.all(`remote.${name}.url`)
  if (url === undefined) return { name: undefined, url: name, pushUrl: name, fetchSpecs: [] }
  return {
    name,
    url,
    pushUrl: config.all(`remote.${name}.pushurl`)[0] ?? url,
    fetchSpecs: config.all(`remote.${name}.fetch`).map(parseRefSpec),
  }
}

/** The default remote: that of the branch, the only one, or `origin`. `undefined` if no remote has that name. */
export async function defaultRemote(repository: Repository): Promise<string | undefined> {
  const { branch } = await repository.head()
  const config = repository.config()
  const own = branch === undefined ? undefined : config.get(`branch.${branch.replace('refs/heads/', '')}.remote`)
  const names = config.subsections('remote')
  return own ?? (names.length === 1 ? names[0] : names.find(name => name === 'origin'))
}

/** The remotes that `fetch --all` and `remote update` stand for. */
export function allRemotes(repository: Repository): readonly string[] {
  const config = repository.config()
  const isSkipped = (name: string, key: string): boolean => config.bool(`remote.${name}.${key}`, false)
  return config.subsections('remote').filter(name => !isSkipped(name, 'skipdefaultupdate') && !isSkipped(name, 'skipfetchall'))
}

/** The members of a group of remotes. */
export function membersOf(repository: Repository, name: string): readonly string[] {
  return repository
    .config()
    .all(`remotes.${name}`)
    .flatMap(text => text.split(/\s+/).filter(Boolean))
}

/** The remotes that names of remotes and groups stand for. */
export function namedRemotes(repository: Repository, names: readonly string[]): readonly string[] {
  return names.flatMap(name => {
    const members = membersOf(repository, name)
    if (members.length > 0) return members
    if (repository.config().has(`remote.${name}.url`)) return [name]
    throw new GitFailure(`fatal: no such remote or remote group: ${name}`, 1)
  })
}
