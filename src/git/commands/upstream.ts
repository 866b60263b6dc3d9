// The upstream of a branch, as stored in the configuration.

import type { Changes } from '../changes.ts'
import { fatal, GitFailure } from '../errors.ts'
import { mapped, parseRefSpec } from '../network/ref-spec.ts'
import type { Repository } from '../repository.ts'
import { editConfig } from '../store/config-edit.ts'

/** The remote of a reference, and the branch there. */
function trackedOf(repository: Repository, ref: string): Tracked | undefined {
  if (ref.startsWith('refs/heads/')) return { remote: '.', merge: ref }
  return trackersOf(repository, ref)[0]
}

interface Tracked {
  readonly remote: string
  readonly merge: string
}

function trackersOf(repository: Repository, ref: string): readonly Tracked[] {
  const config = repository.config()
  const found: Tracked[] = []
  for (const remote of config.subsections('remote')) {
    for (const spec of config.all(`remote.${remote}.fetch`)) {
      const { from, to, isForced } = parseRefSpec(spec)
      const merge = mapped({ from: to, to: from, isForced }, ref)
      if (merge !== undefined) found.push({ remote, merge })
    }
  }
  return found
}

export interface Upstream {
  readonly remote: string
  readonly merges: readonly string[]
}

/** Writes the upstream of a branch, and that it is rebased if the configuration asks for that. */
export async function keepUpstream(
  repository: Repository,
  changes: Changes,
  branch: string,
  { remote, merges }: Upstream,
): Promise<void> {
  const isRebased = rebases(repository, remote === '.')
  const [first, ...rest] = merges
  await changeConfig(
    repository,
    changes,
    [
      [`branch.${branch}.remote`, remote],
      [`branch.${branch}.merge`, first],
      ...(isRebased ? [[`branch.${branch}.rebase`, 'true'] as const] : []),
    ],
    rest.map(merge => [`branch.${branch}.merge`, merge] as const),
  )
}

/** `branch.autoSetupRebase`. */
export function rebases(repository: Repository, isLocal: boolean): boolean {
  const config = repository.config()
  if (!config.has('branch.autosetuprebase')) return false
  const setting = config.get('branch.autosetuprebase')
  if (setting === undefined) throw fatal("missing value for 'branch.autosetuprebase'")
  if (!['never', 'local', 'remote', 'always'].includes(setting)) throw fatal('malformed value for branch.autosetuprebase')
  return setting === 'always' || setting === (isLocal ? 'local' : 'remote')
}

/**
 * The upstream of a new branch. `track`: `no`, `direct`, `inherit`, or `undefined` for the configuration's choice. `ref`: the reference that
 * it starts at, if it is one.
 */
export function upstreamFor(
  repository: Repository,
  {
    name,
    start,
    ref,
    track,
  }: { readonly name: string; readonly start: string; readonly ref: string | undefined; readonly track: string | undefined },
): Upstream | undefined {
  const config = repository.config()
  const setting = config.get('branch.autosetupmerge') ?? 'true'
  const mode =
    track ??
    (['always', 'inherit', 'simple'].includes(setting) ? setting : config.bool('branch.autosetupmerge', true) ? 'remote' : 'no')
  if (mode === 'no') return undefined
  const isExplicit = track !== undefined
  const refused = (): never => {
    throw fatal(`cannot set up tracking information; starting point '${start}' is not a branch`)
  }
  if (mode === 'inherit') {
    if (ref?.startsWith('refs/heads/') === true) {
      const own = ref.replace('refs/heads/', '')
      const [remote, merges] = [config.get(`branch.${own}.remote`), config.all(`branch.${own}.merge`)]
      if (remote !== undefined && merges.length > 0) return { remote, merges }
      return undefined
    }
    return undefined
  }
  if (ref === undefined || !/^refs\/(heads|remotes)\//.test(ref)) {
    // Only a branch or a reference from a remote can be followed.
    if (ref !== undefined && trackedOf(repository, ref) !== undefined) return followed(repository, ref)
    return isExplicit ? refused() : undefined
  }
  const found = followed(repository, ref)
  if (found === undefined) {
    if (ref.startsWith('refs/heads/')) return isExplicit || mode === 'always' ? { remote: '.', merges: [ref] } : undefined
    return isExplicit ? refused() : undefined
  }
  if (mode === 'simple' && found.merges[0] !== `refs/heads/${name}`) return undefined
  return found
}

/** Several remotes write to the reference that a new branch should follow. Git makes the branch all the same. */
export class AmbiguousUpstream extends GitFailure {}

function followed(repository: Repository, ref: string): Upstream | undefined {
  const remotes = trackersOf(repository, ref)
  if (remotes.length > 1) {
    const list = remotes.map(({ remote }) => `hint:   ${remote}`).join('\n')
    throw new AmbiguousUpstream(
      `fatal: not tracking: ambiguous information for ref '${ref}'\nhint: There are multiple remotes whose fetch refspecs map to the remote\n` +
        `hint: tracking ref '${ref}':\n${list}\nhint: \nhint: This is typically a configuration error.\nhint: \n` +
        "hint: To support setting up tracking branches, ensure that\nhint: different remotes' fetch refspecs map into different\nhint: tracking namespaces.",
      128,
    )
  }
  const [only] = remotes
  return only === undefined ? undefined : { remote: only.remote, merges: [only.merge] }
}

/** Sets variables of the repository's own configuration; `undefined` removes. */
export async function changeConfig(
  repository: Repository,
  changes: Changes,
  values: readonly (readonly [string, string | undefined])[],
  added: readonly (readonly [string, string])[] = [],
): Promise<void> {
  const path = `${repository.commonDir}/config`
  let bytes = await repository.files.read(path)
  for (const [name, value] of values) bytes = editConfig(bytes, path, { name, value, replaces: () => true })
  for (const [name, value] of added) bytes = editConfig(bytes, path, { name, value, replaces: () => false })
  changes.lock(`${path}.lock`)
  if (bytes !== undefined) changes.write(path, bytes)
}
