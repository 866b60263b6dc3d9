// Ids cut to as many digits as tell them apart: seven, more in a large repository or where two begin alike.

import type { ObjectId } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'

export class ShortIds {
  readonly #repository: Repository
  readonly #buckets = new Map<string, Promise<readonly ObjectId[]>>()
  readonly #minimum: number

  constructor(repository: Repository, minimum?: number) {
    this.#repository = repository
    const configured = repository.config().get('core.abbrev')
    const number = configured === undefined || configured === 'auto' ? undefined : configured === 'no' ? 40 : Number(configured)
    this.#minimum = Math.min(40, Math.max(4, minimum ?? (number === undefined || Number.isNaN(number) ? 7 : number)))
  }

  async of(oid: ObjectId, minimum: number = this.#minimum): Promise<string> {
    if (minimum >= 40) return oid
    const ids = await this.#bucket(oid.slice(0, 2))
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ids[middle] ?? '') < oid) low = middle + 1
      else high = middle
    }
    const after = ids[low] === oid ? ids[low + 1] : ids[low]
    return oid.slice(0, Math.max(minimum, common(oid, ids[low - 1]) + 1, common(oid, after) + 1))
  }

  #bucket(start: string): Promise<readonly ObjectId[]> {
    const known = this.#buckets.get(start)
    if (known !== undefined) return known
    const found = this.#repository.objects.expand(start)
    this.#buckets.set(start, found)
    return found
  }
}

function common(a: ObjectId, b: ObjectId | undefined): number {
  let at = 0
  while (b !== undefined && at < 40 && a[at] === b[at]) at++
  return at === 40 ? 0 : at
}
