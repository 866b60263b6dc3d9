// Which objects are reachable: from references, their logs and the index.

import type { Repository } from '../repository.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'

export interface Reached {
  readonly found: ReadonlySet<ObjectId>
  /** Objects that are named by an existing object and are missing, with their expected kind. */
  readonly missing: ReadonlyMap<ObjectId, string>
}

/** `withLogs`: includes objects that only logs of references name. */
export async function reachedObjects(repository: Repository, withLogs: boolean): Promise<Reached> {
  const open: { readonly oid: ObjectId; readonly kind: string }[] = []
  const names = ['HEAD', ...(await repository.refs.list()).map(({ name }) => name)]
  for (const name of names) {
    const oid = await repository.refs.idOf(name)
    if (oid !== undefined) open.push({ oid, kind: 'commit' })
    if (!withLogs) continue
    for (const { before, after } of await repository.refs.readLog(name))
      for (const logged of [before, after])
        if (logged !== zeroId && (await repository.objects.has(logged))) open.push({ oid: logged, kind: 'commit' })
  }
  const index = await repository.readIndex()
  for (const { oid, mode } of index.sorted()) if (mode !== modes.submodule) open.push({ oid, kind: 'blob' })
  const found = new Set<ObjectId>()
  const missing = new Map<ObjectId, string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { oid, kind } = next
    if (found.has(oid) || missing.has(oid)) continue
    repository.environment.signal.throwIfAborted()
    // The content of a file is not read; it only has to exist.
    if (kind === 'blob') {
      if (await repository.objects.has(oid)) found.add(oid)
      else missing.set(oid, kind)
      continue
    }
    const object = await repository.objects.read(oid)
    if (object === undefined) {
      missing.set(oid, kind)
      continue
    }
    found.add(oid)
    open.push(...(await linksOf(repository, oid, object.type)))
  }
  return { found, missing }
}

/** The objects that an object names. */
export async function linksOf(
  repository: Repository,
  oid: ObjectId,
  type: string,
): Promise<readonly { readonly oid: ObjectId; readonly kind: string }[]> {
  const { objects } = repository
  if (type === 'commit') {
    const { parentsOf } = await import('./parents.ts')
    const { tree } = await objects.readCommit(oid)
    const parents = await parentsOf(repository, oid)
    return [{ oid: tree, kind: 'tree' }, ...parents.map(parent => ({ oid: parent, kind: 'commit' }))]
  }
  if (type === 'tree')
    return (await objects.readTree(oid)).flatMap(entry =>
      entry.mode === modes.submodule ? [] : [{ oid: entry.oid, kind: entry.mode === modes.tree ? 'tree' : 'blob' }],
    )
  if (type !== 'tag') return []
  const tag = await objects.readTag(oid)
  return [{ oid: tag.object, kind: tag.type }]
}
