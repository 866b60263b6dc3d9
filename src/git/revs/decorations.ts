// Names of references beside commits: `(HEAD -> main, tag: v1, origin/main)`.

import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { peel } from './revision.ts'

export class Decorations {
  readonly #repository: Repository
  #found: Promise<ReadonlyMap<ObjectId, readonly string[]>> | undefined

  constructor(repository: Repository) {
    this.#repository = repository
  }

  async of(oid: ObjectId, form: 'short' | 'full'): Promise<readonly string[]> {
    const names = (await (this.#found ??= this.#read())).get(oid) ?? []
    if (form === 'full') return names
    return names.map(name => name.replace(/refs\/(?:heads|tags|remotes)\//, '').replace(/^(HEAD -> )?refs\//, '$1'))
  }

  async #read(): Promise<ReadonlyMap<ObjectId, readonly string[]>> {
    const found = new Map<ObjectId, string[]>()
    // The last one found stands first.
    const add = (oid: ObjectId, name: string): void => {
      found.set(oid, [name, ...(found.get(oid) ?? [])])
    }
    const { branch, oid } = await this.#repository.head()
    for (const ref of await this.#repository.refs.list()) {
      if (ref.name === branch) continue
      if (!/^refs\/(heads|remotes|tags|stash$|bisect\/)/.test(ref.name)) continue
      const isTag = ref.name.startsWith('refs/tags/')
      const commit = isTag ? await peel(this.#repository, ref.oid, 'commit') : ref.oid
      if (commit !== undefined) add(commit, isTag ? `tag: ${ref.name}` : ref.name)
    }
    if (oid !== undefined) add(oid, branch === undefined ? 'HEAD' : `HEAD -> ${branch}`)
    return found
  }
}
