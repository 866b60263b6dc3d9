// The objects that one repository has and another lacks, for a pack.

import { fatal } from '../errors.ts'
import { commitRange } from '../merge/commit-range.ts'
import type { Repository } from '../repository.ts'
import { peel } from '../revs/revision.ts'
import { type GitObject, modes, type ObjectId, zeroId } from '../store/object-format.ts'

/** All objects of `oids` that a repository with `theirs` lacks. Ignores those of `theirs` that are missing here. */
export async function missingObjects(
  repository: Repository,
  oids: readonly ObjectId[],
  theirs: Iterable<ObjectId>,
): Promise<Map<ObjectId, GitObject>> {
  const { objects } = repository
  const known: ObjectId[] = []
  for (const oid of new Set(theirs)) {
    if (!(await objects.has(oid))) continue
    const commit = await peel(repository, oid, 'commit')
    if (commit !== undefined) known.push(commit)
  }
  const collected = new CollectedObjects(repository)
  const tips: ObjectId[] = []
  for (let oid of oids.filter(id => id !== zeroId)) {
    for (let object = await objects.read(oid); object?.type === 'tag'; object = await objects.read(oid)) {
      await collected.add(oid)
      oid = (await objects.readTag(oid)).object
    }
    if ((await objects.read(oid))?.type === 'commit') tips.push(oid)
    else await collected.addAny(oid)
  }
  const commits = await commitRange(repository, known, tips)
  const inside = new Set(commits)
  for (const oid of commits) {
    for (const parent of (await objects.readCommit(oid)).parents)
      if (!inside.has(parent)) await collected.skipTree(await repository.treeOf(parent))
  }
  for (const oid of commits) await collected.addCommit(oid)
  return collected.found
}

/** Objects to send, each once. */
export class CollectedObjects {
  readonly found: Map<ObjectId, GitObject> = new Map()
  readonly #repository: Repository
  readonly #known = new Set<ObjectId>()

  constructor(repository: Repository) {
    this.#repository = repository
  }

  async add(oid: ObjectId): Promise<GitObject> {
    const object = await this.#repository.objects.read(oid)
    if (object === undefined) throw fatal(`unable to read ${oid}: the history here ends before what has to be sent`)
    this.found.set(oid, object)
    return object
  }

  async addCommit(oid: ObjectId): Promise<void> {
    this.#repository.environment.signal.throwIfAborted()
    await this.add(oid)
    await this.#addTree((await this.#repository.objects.readCommit(oid)).tree)
  }

  /** A tree with everything below it, or a file. */
  async addAny(oid: ObjectId): Promise<void> {
    if ((await this.#repository.objects.read(oid))?.type === 'tree') await this.#addTree(oid)
    else await this.add(oid)
  }

  /** The objects that the other side has. */
  async skipTree(tree: ObjectId): Promise<void> {
    if (this.#known.has(tree)) return
    this.#known.add(tree)
    for (const { mode, oid } of await this.#repository.objects.readTree(tree)) {
      if (mode === modes.tree) await this.skipTree(oid)
      else this.#known.add(oid)
    }
  }

  async #addTree(tree: ObjectId): Promise<void> {
    if (this.#known.has(tree)) return
    this.#known.add(tree)
    await this.add(tree)
    for (const { mode, oid } of await this.#repository.objects.readTree(tree)) {
      if (mode === modes.submodule || this.#known.has(oid)) continue
      if (mode === modes.tree) await this.#addTree(oid)
      else {
        this.#known.add(oid)
        await this.add(oid)
      }
    }
  }
}
