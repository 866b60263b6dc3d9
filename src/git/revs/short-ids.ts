// Short IDs: as many digits as needed to be unique, at least seven, more in a large repository.

import { GitFailure } from '../errors.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'

export class ShortIds {
  readonly #repository: Repository
  readonly #buckets = new Map<string, Promise<readonly ObjectId[]>>()
  readonly #minimum: number

  constructor(repository: Repository, minimum?: number) {
    this.#repository = repository
    const configured = repository.config().get('core.abbrev')
    const number = configured === undefined || configured === 'auto' ? undefined : configured === 'no' ? 40 : Number(configured)
    if (number !== undefined && (number < 4 || number > 40))
      throw new GitFailure(`error: abbrev length out of range: ${number}\nfatal: bad config variable 'core.abbrev'`, 128)
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

  /** As the raw form of differences has it: zeros are cut too, and with the variable of old scripts dots stand behind what is cut. */
  async rawOf(oid: ObjectId, minimum: number | undefined): Promise<string> {
    const short =
      oid === zeroId ? oid.slice(0, minimum ?? (await this.of(zeroId)).length) : await this.of(oid, minimum ?? this.#minimum)
    const hasDots = this.#repository.environment.env['GIT_PRINT_SHA1_ELLIPSIS'] === 'yes' && short.length < oid.length
    return hasDots ? `${short}...` : short
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
