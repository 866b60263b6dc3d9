// The name of a commit after the nearest tag before it: `v1.0-4-g1234567`.

import { countBetween } from './tracking.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { diffIndexToTree, diffWorkTree } from '../work/status.ts'
import { CommitQueue } from './commit-queue.ts'
import { parentsOf } from './parents.ts'
import { peel } from './revision.ts'
import { ShortIds } from './short-ids.ts'

interface Named {
  readonly name: string
  readonly rank: number
  readonly time: number
}

export class Describer {
  readonly #repository: Repository
  readonly #options: Options
  readonly #ids: ShortIds
  #names: Promise<ReadonlyMap<ObjectId, Named>> | undefined
  #suffix: Promise<string> | undefined

  constructor(repository: Repository, options: Options) {
    this.#repository = repository
    this.#options = options
    this.#ids = new ShortIds(repository)
  }

  /** Rejects if no name leads to the commit. */
  async of(oid: ObjectId): Promise<string> {
    const options = this.#options
    const abbrev = options.value('abbrev')
    const digits = options.isNegated('abbrev') ? 0 : abbrev === undefined ? undefined : Number(abbrev)
    const names = await (this.#names ??= this.#readNames())
    const suffix = await (this.#suffix ??= this.#readSuffix())
    const exact = names.get(oid)
    if (exact !== undefined) return `${exact.name}${options.has('long') ? `-0-g${await this.#ids.of(oid, digits)}` : ''}${suffix}`
    const candidates = options.number('candidates') ?? 10
    if (options.has('exact-match') || candidates === 0) throw fatal(`no tag exactly matches '${oid}'`)
    const found = await nearest(this.#repository, oid, names, options.has('first-parent'), candidates)
    if (found !== undefined)
      return digits === 0 ? `${found.name}${suffix}` : `${found.name}-${found.depth}-g${await this.#ids.of(oid, digits)}${suffix}`
    if (options.has('always')) return (await this.#ids.of(oid, digits === 0 ? undefined : digits)) + suffix
    throw fatal(
      names.size === 0
        ? 'No names found, cannot describe anything.'
        : `No ${options.has('tags') || options.has('all') ? '' : 'annotated '}tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`,
    )
  }

  async #readSuffix(): Promise<string> {
    const options = this.#options
    const mark = options.has('dirty') ? (options.value('dirty') ?? '-dirty') : options.has('broken') ? '-dirty' : ''
    return mark !== '' && (await isDirty(this.#repository)) ? mark : ''
  }

  async #readNames(): Promise<ReadonlyMap<ObjectId, Named>> {
    const options = this.#options
    const repository = this.#repository
    const wildcard = (key: string) => options.values(key).map(pattern => compileWildcard(encodeText(pattern), false))
    const [wanted, unwanted] = [wildcard('match'), wildcard('exclude')]
    const names = new Map<ObjectId, Named>()
    const isAll = options.has('all')
    for (const { name, oid } of await repository.refs.list()) {
      const isTag = name.startsWith('refs/tags/')
      if (!isTag && !isAll) continue
      const short = name.slice('refs/tags/'.length)
      const matches = (list: typeof wanted): boolean => list.some(pattern => matchesWildcard(pattern, encodeText(short)))
      if ((wanted.length > 0 && !matches(wanted)) || matches(unwanted)) continue
      const object = await repository.objects.read(oid)
      const rank = object?.type === 'tag' ? 2 : isTag ? 1 : 0
      if (rank < 2 && !options.has('tags') && !isAll) continue
      const commit = await peel(repository, oid, 'commit')
      if (commit === undefined) continue
      const time = object?.type === 'tag' ? ((await repository.objects.readTag(oid)).tagger?.time ?? 0) : 0
      const before = names.get(commit)
      if (before === undefined || rank > before.rank || (rank === 2 && time > before.time))
        names.set(commit, { name: isAll ? name.replace('refs/', '') : short, rank, time })
    }
    return names
  }
}

async function isDirty(repository: Repository): Promise<boolean> {
  const index = await repository.readIndex()
  const head = (await repository.head()).oid
  const staged = await diffIndexToTree(repository, index, head === undefined ? undefined : await repository.treeOf(head))
  return (
    staged.length > 0 ||
    (await diffWorkTree(repository, index, undefined, { given: undefined, otherwise: 'untracked' })).changes.length > 0
  )
}

/** The name with the fewest commits after it, counting those that the name's commit does not reach. */
async function nearest(
  repository: Repository,
  start: ObjectId,
  names: ReadonlyMap<ObjectId, { readonly name: string }>,
  firstParent: boolean,
  maxCandidates: number,
): Promise<{ readonly name: string; readonly depth: number } | undefined> {
  const queue = new CommitQueue()
  const order: ObjectId[] = []
  const seen = new Set<ObjectId>([start])
  queue.push(start, 0)
  const candidates: ObjectId[] = []
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    order.push(oid)
    if (names.has(oid)) {
      candidates.push(oid)
      if (candidates.length >= maxCandidates) break
    }
    const parents = await parentsOf(repository, oid)
    for (const parent of firstParent ? parents.slice(0, 1) : parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      queue.push(parent, (await repository.objects.readCommit(parent)).committer.time)
    }
  }
  let best: { readonly name: string; readonly depth: number } | undefined
  for (const oid of candidates) {
    const [depth] = await countBetween(repository, start, oid)
    if (best === undefined || depth < best.depth) best = { name: names.get(oid)?.name ?? '', depth }
  }
  return best
}
