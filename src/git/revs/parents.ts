import type { ObjectId } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'

export async function parentsOf(repository: Repository, oid: ObjectId): Promise<readonly ObjectId[]> {
  return (await repository.objects.readCommit(oid)).parents
}
