// Which branch a branch follows, as the configuration keeps it.

import type { Changes } from '../changes.ts'
import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { editConfig } from '../store/config-edit.ts'

/** The remote and the branch there of a reference. */
export function trackedOf(repository: Repository, ref: string): { readonly remote: string; readonly merge: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { remote: '.', merge: ref }
  const config = repository.config()
  for (const remote of config.subsections('remote')) {
    for (const spec of config.all(`remote.${remote}.fetch`)) {
      const [from = '', to = ''] = spec.replace(/^\+/, '').split(':')
      if (to === ref) return { remote, merge: from }
      if (to.endsWith('*') && ref.startsWith(to.slice(0, -1)))
        return { remote, merge: from.replace('*', ref.slice(to.length - 1)) }
    }
  }
  return undefined
}

export async function setUpstream(repository: Repository, changes: Changes, branch: string, ref: string): Promise<void> {
  const tracked = trackedOf(repository, ref)
  if (tracked === undefined) throw fatal(`cannot set up tracking information; starting point '${ref}' is not a branch`)
  await changeConfig(repository, changes, [
    [`branch.${branch}.remote`, tracked.remote],
    [`branch.${branch}.merge`, tracked.merge],
  ])
}

/** Sets variables of the repository's own configuration; `undefined` removes. */
export async function changeConfig(
  repository: Repository,
  changes: Changes,
  values: readonly (readonly [string, string | undefined])[],
): Promise<void> {
  const path = `${repository.commonDir}/config`
  let bytes = await repository.files.read(path)
  for (const [name, value] of values) bytes = editConfig(bytes, path, { name, value, replaces: () => true })
  changes.lock(`${path}.lock`)
  if (bytes !== undefined) changes.write(path, bytes)
}
