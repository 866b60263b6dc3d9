// Remotes as the configuration has them, and which of their references go where.

import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'

export interface RemoteConfig {
  /** `undefined` for an address that was given in place of a name. */
  readonly name: string | undefined
  readonly url: string
  readonly pushUrl: string
  readonly fetchSpecs: readonly RefSpec[]
}

export interface RefSpec {
  readonly from: string
  /** '' for nowhere. */
  readonly to: string
  readonly isForced: boolean
}

export function parseRefSpec(text: string): RefSpec {
  const plain = text.replace(/^\+/, '')
  const colon = plain.indexOf(':')
  return {
    from: colon === -1 ? plain : plain.slice(0, colon),
    to: colon === -1 ? '' : plain.slice(colon + 1),
    isForced: text.startsWith('+'),
  }
}

/** Where a reference goes by a spec; `undefined` when it does not take part. */
export function mapped(spec: RefSpec, name: string): string | undefined {
  const star = spec.from.indexOf('*')
  if (star === -1) return spec.from === name ? spec.to : undefined
  const [head, tail] = [spec.from.slice(0, star), spec.from.slice(star + 1)]
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return undefined
  return spec.to.replace('*', name.slice(head.length, name.length - tail.length))
}

/** A remote by its name, or an address. */
export function findRemote(repository: Repository, name: string): RemoteConfig {
  const config = repository.config()
  const [url] = config.all(`remote.${name}.url`)
  if (url === undefined) {
    if (!/:\/\/|^[^/]+@[^/]+:/.test(name)) {
      throw fatal(
        `'${name}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n` +
          'Please make sure you have the correct access rights\nand the repository exists.',
      )
    }
    return { name: undefined, url: name, pushUrl: name, fetchSpecs: [] }
  }
  return {
    name,
    url,
    pushUrl: config.all(`remote.${name}.pushurl`)[0] ?? url,
    fetchSpecs: config.all(`remote.${name}.fetch`).map(parseRefSpec),
  }
}

/** The remote that is meant when none is named: that of the branch, the only one, or `origin`. */
export async function defaultRemote(repository: Repository): Promise<string> {
  const { branch } = await repository.head()
  const config = repository.config()
  const own = branch === undefined ? undefined : config.get(`branch.${branch.replace('refs/heads/', '')}.remote`)
  const names = config.subsections('remote')
  return own ?? (names.length === 1 ? names[0] : undefined) ?? 'origin'
}
