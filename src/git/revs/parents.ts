// The parents of a commit. A shallow repository ends at the commits in the file `shallow`.

import { decodeText } from '../../shell/byte-text.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'

const shallowOf = new WeakMap<Repository, Promise<ReadonlySet<ObjectId>>>()

export async function parentsOf(repository: Repository, oid: ObjectId): Promise<readonly ObjectId[]> {
  const { parents } = await repository.objects.readCommit(oid)
  if (parents.length === 0) return parents
  return (await shallowCommits(repository)).has(oid) ? [] : parents
}

export function shallowCommits(repository: Repository): Promise<ReadonlySet<ObjectId>> {
  const known = shallowOf.get(repository)
  if (known !== undefined) return known
  const found = readShallow(repository)
  shallowOf.set(repository, found)
  return found
}

async function readShallow(repository: Repository): Promise<ReadonlySet<ObjectId>> {
  const bytes = await repository.files.read(`${repository.commonDir}/shallow`)
  return new Set(bytes === undefined ? [] : decodeText(bytes).split('\n').filter(Boolean))
}
