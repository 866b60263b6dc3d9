import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'

/** The commit of `HEAD`. Rejects before the first one. */
export async function bornHead(repository: Repository): Promise<ObjectId> {
  const { branch, oid } = await repository.head()
  if (oid !== undefined) return oid
  throw fatal(`your current branch '${(branch ?? '').replace('refs/heads/', '')}' does not have any commits yet`)
}
