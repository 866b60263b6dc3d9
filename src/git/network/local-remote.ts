// A repository of the same filesystem as a remote: `git clone ../other`, `git push ../other.git`.

import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import { Changes, Repository } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { parentsOf } from '../revs/parents.ts'
import { peel } from '../revs/revision.ts'
import { type GitObject, type ObjectId, zeroId } from '../store/object-format.ts'
import { writePack } from '../store/object-files.ts'
import { checkedOutAt } from '../work/worktrees.ts'
import { CollectedObjects, missingObjects } from './missing-objects.ts'
import type { Advertised, FetchedPack, PushedRef, Remote, Shallowness } from './remote.ts'
import { unpack } from './unpack.ts'

/** Variables that name the caller's repository, and do not apply to the other one. */
const ownVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_PREFIX']

/** The directory for an address, searched as git does: `name`, `name/.git`, `name.git`. */
export async function findLocal(call: GitCall, url: string, directory: string): Promise<string | undefined> {
  const { files } = call.environment
  const path = url.replace(/^file:\/\//, '')
  const base = (path.startsWith('/') ? path : `${directory}/${path}`).replace(/(?!^)\/+$/, '')
  for (const end of ['/.git', '', '.git/.git', '.git']) {
    if (await files.isFile(`${base}${end}/HEAD`)) return files.vfs.realpath(base + end.replace(/\/\.git$/, ''))
    if (end === '' && (await files.isFile(`${base}/.git`))) return files.vfs.realpath(base)
  }
  return undefined
}

export class LocalRemote implements Remote {
  readonly #call: GitCall
  readonly #other: Repository

  static async open(call: GitCall, url: string, directory: string): Promise<LocalRemote> {
    const cwd = await findLocal(call, url, directory)
    const env = { ...call.environment.env }
    for (const name of ownVariables) delete env[name]
    const environment = { ...call.environment, cwd: cwd ?? '/', env, settings: [] }
    const repository = cwd === undefined ? undefined : await Repository.open(environment)
    if (repository === undefined) {
      throw fatal(
        `'${url}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n` +
          'Please make sure you have the correct access rights\nand the repository exists.',
      )
    }
    return new LocalRemote(call, repository.withoutReplacements())
  }

  private constructor(call: GitCall, other: Repository) {
    this.#call = call
    this.#other = other
  }

  async advertised(): Promise<Advertised> {
    const { refs } = this.#other
    const found = new Map<string, ObjectId>()
    const head = await refs.idOf('HEAD')
    if (head !== undefined) found.set('HEAD', head)
    for (const { name, oid } of await refs.list()) {
      found.set(name, oid)
      if ((await this.#other.objects.read(oid))?.type !== 'tag') continue
      const target = await peel(this.#other, oid, 'commit')
      found.set(`${name}^{}`, target ?? (await this.#other.objects.readTag(oid)).object)
    }
    return { refs: found, head: (await this.#other.head()).branch }
  }

  async fetchPack(wants: readonly ObjectId[], haves: readonly ObjectId[], { shallow, depth }: Shallowness): Promise<FetchedPack> {
    if ((await this.#other.shallowCommits()).size > 0)
      throw fatal('fetching from a repository whose history is cut is not built into this git')
    const cut =
      depth === undefined
        ? undefined
        : depth.isRelative
          ? await this.#cutAt(await this.#reached(wants, shallow), depth.commits + 1)
          : await this.#cutAt(wants, depth.commits)
    const objects = cut?.objects ?? new Map<ObjectId, GitObject>()
    if (depth?.isRelative !== false) {
      const ends = new Set(shallow)
      this.#other.objects.cutAt(() => Promise.resolve(ends))
      for (const [oid, object] of await missingObjects(this.#other, wants, haves)) objects.set(oid, object)
      this.#other.objects.cutAt(() => this.#other.shallowCommits())
    }
    // Also sends tags of objects that are sent.
    for (const [name, oid] of (await this.advertised()).refs) {
      if (!name.endsWith('^{}') || !objects.has(oid)) continue
      const tag = await this.#other.refs.idOf(name.slice(0, -'^{}'.length))
      const object = tag === undefined ? undefined : await this.#other.objects.read(tag)
      if (tag !== undefined && object?.type === 'tag') objects.set(tag, object)
    }
    return {
      pack: objects.size === 0 ? new Uint8Array() : writePack(objects).pack,
      shallow: cut?.shallow ?? [],
      unshallow: cut === undefined ? [] : shallow.filter(oid => objects.has(oid) && !cut.shallow.includes(oid)),
    }
  }

  /** Those of `oids` that the history of `wants` includes. */
  async #reached(wants: readonly ObjectId[], oids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    const found = new Set<ObjectId>()
    for (const want of wants) {
      const commit = await peel(this.#other, want, 'commit')
      for (const oid of commit === undefined ? [] : oids)
        if ((await this.#other.objects.has(oid)) && (await isAncestor(this.#other, oid, commit ?? ''))) found.add(oid)
    }
    return [...found]
  }

  /** The first `count` generations of commits, and those whose parents are beyond. */
  async #cutAt(
    wants: readonly ObjectId[],
    count: number,
  ): Promise<{ readonly objects: CollectedObjects['found']; readonly shallow: readonly ObjectId[] }> {
    const collected = new CollectedObjects(this.#other)
    let row: ObjectId[] = []
    for (const oid of wants) {
      const commit = await peel(this.#other, oid, 'commit')
      if (commit !== undefined) row.push(commit)
      if (commit !== oid) await collected.addAny(oid)
    }
    const seen = new Set<ObjectId>(row)
    const shallow: ObjectId[] = []
    for (let generation = 1; row.length > 0; generation++) {
      const next: ObjectId[] = []
      for (const oid of row) {
        await collected.addCommit(oid)
        const parents = await parentsOf(this.#other, oid)
        if (generation >= count && parents.length > 0) shallow.push(oid)
        if (generation >= count) continue
        for (const parent of parents) {
          if (!seen.has(parent)) next.push(parent)
          seen.add(parent)
        }
      }
      row = next
    }
    return { objects: collected.found, shallow }
  }

  async push(refs: readonly PushedRef[], pack: Uint8Array | undefined): Promise<ReadonlyMap<string, string>> {
    const other = this.#other
    if (pack !== undefined && refs.some(({ after }) => after !== zeroId)) {
      await unpack(pack, other.objects, () => this.#call.check())
    }
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout'])
      if (((await other.files.lstat(`${other.commonDir}/hooks/${name}`))?.mode ?? 0) & 0o111)
        await this.#call.warn(`warning: the hook '${name}' was not run: this git runs no hooks`)
    const refused = new Map<string, string>()
    const changes = new Changes()
    for (const ref of refs) {
      const reason = await this.#refusal(ref)
      if (reason !== undefined) refused.set(ref.name, reason)
      else
        await other.refs.update(changes, {
          name: ref.name,
          oid: ref.after === zeroId ? undefined : ref.after,
          expected: ref.before,
          message: 'push',
        })
    }
    await other.commit(changes)
    return refused
  }

  /** Why the other repository does not let a reference move. */
  async #refusal({ name, before, after }: PushedRef): Promise<string | undefined> {
    const other = this.#other
    const config = other.config()
    const isCurrent = (await checkedOutAt(other, name)) !== undefined
    if (isCurrent && after !== zeroId) {
      const setting = config.get('receive.denycurrentbranch') ?? 'refuse'
      if (setting === 'updateInstead') return 'updateInstead is not built into this git'
      if (!['ignore', 'warn', 'false', 'no'].includes(setting)) {
        await this.#call.warn(`remote: error: refusing to update checked out branch: ${name}`)
        return 'branch is currently checked out'
      }
    }
    if (after === zeroId) {
      if (isCurrent && !['ignore', 'warn', 'false', 'no'].includes(config.get('receive.denydeletecurrent') ?? 'refuse'))
        return 'deletion of the current branch prohibited'
      return config.has('receive.denydeletes') && config.bool('receive.denydeletes', false) ? 'deletion prohibited' : undefined
    }
    if (before === zeroId || !config.has('receive.denynonfastforwards') || !config.bool('receive.denynonfastforwards', false))
      return undefined
    return (await isAncestor(other, before, after)) ? undefined : 'non-fast-forward'
  }
}
