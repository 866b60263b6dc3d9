// Where a branch began, although the branch that it follows was rewritten since.

import type { Repository } from '../repository.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { mergeBases } from './merge-base.ts'
import { peel } from './revision.ts'

/** The value that the log of `name` holds and from which `oid` goes on; `undefined` if there is none, or several. */
export async function forkPoint(repository: Repository, name: string, oid: ObjectId): Promise<ObjectId | undefined> {
  const log = await repository.refs.readLog(name)
  const present = await repository.refs.idOf(name)
  const values = log.length > 0 ? [log[0]?.before ?? zeroId, ...log.map(({ after }) => after)] : [present ?? zeroId]
  const known: ObjectId[] = []
  for (const value of new Set(values))
    if (value !== zeroId && (await peel(repository, value, 'commit')) === value) known.push(value)
  if (known.length === 0) return undefined
  const [base, ...more] = await mergeBases(repository, oid, known)
  return base !== undefined && more.length === 0 && known.includes(base) ? base : undefined
}
