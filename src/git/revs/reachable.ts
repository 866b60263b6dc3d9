// Which objects are reachable: from references, their logs and the index, of each work tree.

import { parentsOf } from './parents.ts'
import type { CachedTree } from '../index/cached-tree.ts'
import { Repository } from '../repository.ts'
import { listWorkTrees } from '../work/worktrees.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'
import { pushAll } from '../../core/many.ts'

export interface Reached {
  readonly found: ReadonlySet<ObjectId>
  /** Objects that are named by an existing object and are missing, with their expected kind. */
  readonly missing: ReadonlyMap<ObjectId, string>
}

export interface ReachedFrom {
  /** Includes objects that only logs of references name. */
  readonly logs: boolean
  /** Includes what other work trees have staged. */
  readonly otherIndexes: boolean
}

interface Link {
  readonly oid: ObjectId
  readonly kind: string
}

export async function reachedObjects(repository: Repository, { logs, otherIndexes }: ReachedFrom): Promise<Reached> {
  const open: Link[] = []
  const addRef = async ({ refs, objects }: Repository, name: string): Promise<void> => {
    const oid = await refs.idOf(name)
    if (oid !== undefined) open.push({ oid, kind: 'commit' })
    if (!logs) return
    for (const { before, after } of await refs.readLog(name))
      for (const logged of [before, after])
        if (logged !== zeroId && (await objects.has(logged))) open.push({ oid: logged, kind: 'commit' })
  }
  for (const { name } of await repository.refs.list()) await addRef(repository, name)
  for (const tree of [repository, ...(await otherWorkTrees(repository))]) {
    await addRef(tree, 'HEAD')
    if (tree === repository || otherIndexes) pushAll(open, await stagedObjects(tree))
  }
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
    pushAll(open, await linksOf(repository, oid, object.type))
  }
  return { found, missing }
}

async function otherWorkTrees(repository: Repository): Promise<readonly Repository[]> {
  const { commonDir, gitDir, environment } = repository
  if (gitDir === commonDir && (await repository.files.list(`${commonDir}/worktrees`)).length === 0) return []
  const others = (await listWorkTrees(repository)).filter(tree => tree.gitDir !== gitDir)
  // A variable of the caller names the index of the caller's work tree.
  const own = { ...environment, env: { ...environment.env, GIT_INDEX_FILE: '' } }
  const opened = others.map(tree =>
    Repository.openAt(own, { gitDir: tree.gitDir, commonDir, workTree: tree.isBare ? undefined : tree.path }),
  )
  return (await Promise.all(opened)).map(tree => tree.withoutReplacements())
}

/** The staged files, and the trees that the index knows to be made of them. */
async function stagedObjects(repository: Repository): Promise<readonly Link[]> {
  const index = await repository.readIndex()
  const found: Link[] = []
  const addTree = ({ isValid, oid, children }: CachedTree): void => {
    if (isValid && oid !== undefined && oid !== '') found.push({ oid, kind: 'tree' })
    for (const child of children.values()) addTree(child)
  }
  if (index.tree !== undefined) addTree(index.tree)
  for (const { oid, mode } of index.sorted()) if (mode !== modes.submodule) found.push({ oid, kind: 'blob' })
  return found
}

export async function linksOf(repository: Repository, oid: ObjectId, type: string): Promise<readonly Link[]> {
  const { objects } = repository
  if (type === 'commit') {
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
