// Names of references beside commits: `(HEAD -> main, tag: v1, origin/main)`.

import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { replacementsPlace } from '../store/replacements.ts'
import { peel } from './revision.ts'

/** Patterns of full names, or their beginnings up to a slash. */
interface DecorationFilter {
  readonly wanted: readonly string[]
  readonly unwanted: readonly string[]
  /** The same for names that no pattern in `wanted` matches. */
  readonly usuallyUnwanted?: readonly string[]
  /** Includes references that are not branches, tags or the stash; so does a pattern in `wanted`. */
  readonly showsAll?: boolean
}

function patternsOf(texts: readonly string[]): readonly ReturnType<typeof compileWildcard>[] {
  return texts.flatMap(text => {
    const full = /^(refs\/|HEAD$)/.test(text) ? text : `refs/${text}`
    const pattern = full.replace(/\/$/, '')
    const all = /[*?[]/.test(pattern) ? [pattern] : [pattern, `${pattern}/*`]
    return all.map(own => compileWildcard(encodeText(own), false))
  })
}

export class Decorations {
  readonly #repository: Repository
  readonly #filter: DecorationFilter
  #found: Promise<ReadonlyMap<ObjectId, readonly string[]>> | undefined

  constructor(repository: Repository, filter: DecorationFilter = { wanted: [], unwanted: [] }) {
    this.#repository = repository
    this.#filter = filter
  }

  async of(oid: ObjectId, form: 'short' | 'full'): Promise<readonly string[]> {
    const names = (await (this.#found ??= this.#read())).get(oid) ?? []
    if (form === 'full') return names
    return names.map(name => name.replace(/refs\/(?:heads|tags|remotes)\//, ''))
  }

  async commits(): Promise<ReadonlySet<ObjectId>> {
    return new Set((await (this.#found ??= this.#read())).keys())
  }

  async #read(): Promise<ReadonlyMap<ObjectId, readonly string[]>> {
    const found = new Map<ObjectId, string[]>()
    // The last one found comes first.
    const add = (oid: ObjectId, name: string): void => {
      found.set(oid, [name, ...(found.get(oid) ?? [])])
    }
    const { branch, oid } = await this.#repository.head()
    const [wanted, unwanted] = [patternsOf(this.#filter.wanted), patternsOf(this.#filter.unwanted)]
    const usuallyUnwanted = patternsOf(this.#filter.usuallyUnwanted ?? [])
    const showsAll = wanted.length > 0 || this.#filter.showsAll === true
    const replacements = replacementsPlace(this.#repository.environment.env)
    const isShown = (name: string): boolean => {
      const matches = (patterns: typeof wanted): boolean => patterns.some(pattern => matchesWildcard(pattern, encodeText(name)))
      if (matches(unwanted)) return false
      return wanted.length > 0 ? matches(wanted) : !matches(usuallyUnwanted)
    }
    for (const ref of await this.#repository.refs.list()) {
      if (ref.name === branch) continue
      if (ref.name.startsWith(replacements)) {
        const object = ref.name.slice(replacements.length)
        if (isShown(ref.name) && this.#repository.objects.isReplaced(object)) add(object, 'replaced')
        continue
      }
      const isUsual = /^refs\/(heads|remotes|tags|stash$)/.test(ref.name) || showsAll
      if (!isUsual || !isShown(ref.name)) continue
      const isTag = ref.name.startsWith('refs/tags/')
      const commit = isTag ? await peel(this.#repository, ref.oid, 'commit') : ref.oid
      if (commit !== undefined) add(commit, isTag ? `tag: ${ref.name}` : ref.name)
    }
    if (oid !== undefined) {
      const isBranchShown = branch !== undefined && isShown(branch)
      if (isShown('HEAD')) add(oid, isBranchShown ? `HEAD -> ${branch}` : 'HEAD')
      else if (isBranchShown) add(oid, branch)
    }
    for (const cut of await this.#repository.shallowCommits()) add(cut, 'grafted')
    return found
  }
}

/** The names that the options and the configuration of `log` and `show` choose. */
export function chosenDecorations(repository: Repository, options: Options): Decorations {
  const config = repository.config()
  const left = config.all('log.excludedecoration')
  const start = options.given.findLastIndex(({ key }) => key === 'clear-decorations')
  const chosen = new Options(options.given.slice(start + 1), [], undefined)
  const unwanted = chosen.values('decorate-refs-exclude')
  return new Decorations(repository, {
    wanted: chosen.values('decorate-refs'),
    unwanted,
    // The configuration leaves out what no option names.
    usuallyUnwanted: left,
    showsAll:
      start !== -1 || left.length > 0 || unwanted.length > 0 || config.get('log.initialdecorationset')?.toLowerCase() === 'all',
  })
}
