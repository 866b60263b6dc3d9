// `git rev-list --objects`: the tags, trees and files that the listed commits need, in git's order.

import { fatal, GitFailure } from '../errors.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { type NamedRevision, readRefOptions, type RevisionArguments } from '../revs/revision-arguments.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { limitedWalk } from './revision-options.ts'
import { pushAll } from '../../core/many.ts'

export interface ListedObject {
  readonly oid: ObjectId
  /** The path in its tree, or the name of a tag; '' for the tree of a commit. */
  readonly name: string
}

interface WaitingObject extends ListedObject {
  readonly type: 'tag' | 'tree' | 'blob'
}

/** Options that choose among the commits of a range, and do not change where the range ends. */
const choosing = new Set('max-count skip author committer grep min-parents max-parents left-only right-only reverse'.split(' '))

export class ObjectList {
  readonly #repository: Repository
  readonly #isWanted: ((path: string, isDirectory: boolean) => boolean) | undefined
  /** Objects that were listed, or that the excluded commits have. */
  readonly #known: Set<ObjectId>
  #waiting: WaitingObject[]

  /** Rejects where git's list depends on how far it read the history, and for paths that its walk of trees takes differently. */
  static async open(repository: Repository, options: Options, args: RevisionArguments): Promise<ObjectList> {
    if (args.paths.some(path => /^:|[*?[]/.test(path)))
      throw new GitFailure('error: --objects with patterns of paths is not built into this git; name the paths', 129)
    const named = [...args.revisions, ...(await readRefOptions(repository, options))]
    const known = new Set<ObjectId>()
    const excluded = named.filter(({ isExcluded }) => isExcluded)
    if (excluded.length > 0) {
      for (const name of ['first-parent', 'no-walk', 'simplify-merges', 'simplify-by-decoration'])
        if (options.has(name)) throw new GitFailure(`error: --objects of a range with --${name} is not built into this git`, 129)
      await addExcluded(repository, known, excluded)
      for (const oid of await edgeOf(repository, options, args))
        await addTree(repository, known, (await repository.objects.readCommit(oid)).tree)
    }
    const waiting: WaitingObject[] = []
    for (const revision of named) if (!revision.isExcluded) pushAll(waiting, await withoutCommits(repository, revision))
    return new ObjectList(repository, parsePathspec(repository, args.paths).filter, known, waiting)
  }

  private constructor(
    repository: Repository,
    isWanted: ((path: string, isDirectory: boolean) => boolean) | undefined,
    known: Set<ObjectId>,
    waiting: WaitingObject[],
  ) {
    this.#repository = repository
    this.#isWanted = isWanted
    this.#known = known
    this.#waiting = waiting
  }

  /** The tree of a listed commit waits for `drain`. */
  add(tree: ObjectId): void {
    this.#waiting.push({ oid: tree, name: '', type: 'tree' })
  }

  /** What waits, with everything below it, each object once. */
  async *drain(): AsyncGenerator<ListedObject> {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { oid, name, type } of waiting) {
      if (type === 'tree') yield* this.#tree(oid, name)
      else yield* this.#single(oid, name, type)
    }
  }

  async *#tree(oid: ObjectId, path: string): AsyncGenerator<ListedObject> {
    if (this.#known.has(oid)) return
    this.#repository.environment.signal.throwIfAborted()
    this.#known.add(oid)
    yield { oid, name: path }
    for (const entry of await this.#repository.objects.readTree(oid)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.mode === modes.submodule || this.#isWanted?.(below, entry.mode === modes.tree) === false) continue
      if (entry.mode === modes.tree) yield* this.#tree(entry.oid, below)
      else yield* this.#single(entry.oid, below, 'blob')
    }
  }

  async *#single(oid: ObjectId, name: string, type: string): AsyncGenerator<ListedObject> {
    if (this.#known.has(oid)) return
    this.#known.add(oid)
    if (!(await this.#repository.objects.has(oid))) throw fatal(`missing ${type} object '${oid}'`)
    yield { oid, name }
  }
}

/** The tags on the way to a commit; or a tree or file, with the path by which it was named. */
async function withoutCommits(repository: Repository, revision: NamedRevision): Promise<readonly WaitingObject[]> {
  const found: WaitingObject[] = []
  let { oid, path = '' } = revision
  for (;;) {
    const object = await repository.objects.read(oid)
    if (object === undefined) throw fatal(`bad object ${revision.text}`)
    if (object.type === 'commit') return found
    if (object.type !== 'tag') return [...found, { oid, name: path, type: object.type }]
    const tag = await repository.objects.readTag(oid)
    found.push({ oid, name: tag.name, type: 'tag' })
    oid = tag.object
    path = ''
  }
}

async function addExcluded(repository: Repository, known: Set<ObjectId>, revisions: readonly NamedRevision[]): Promise<void> {
  for (const revision of revisions) {
    for (const { oid, type } of await withoutCommits(repository, revision)) {
      if (type === 'tree') await addTree(repository, known, oid)
      else known.add(oid)
    }
  }
}

async function addTree(repository: Repository, known: Set<ObjectId>, oid: ObjectId): Promise<void> {
  if (known.has(oid)) return
  known.add(oid)
  for (const entry of await repository.objects.readTree(oid)) {
    if (entry.mode === modes.tree) await addTree(repository, known, entry.oid)
    else if (entry.mode !== modes.submodule) known.add(entry.oid)
  }
}

/** The excluded parents of the commits in the range. Their objects are not listed; those of older commits may be. */
async function edgeOf(repository: Repository, options: Options, args: RevisionArguments): Promise<readonly ObjectId[]> {
  const given = options.given.filter(({ key }) => !choosing.has(key))
  const whole = new Options(given, options.words, options.paths)
  const { commits } = await limitedWalk(repository, whole, args, { defaultsToHead: false, listsEdge: true })
  const edge: ObjectId[] = []
  for await (const { oid, isBoundary } of commits) if (isBoundary) edge.push(oid)
  return edge
}
