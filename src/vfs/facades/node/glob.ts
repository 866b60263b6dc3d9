// `fs.glob`: the paths below a directory that match a pattern. Symlinks to directories are listed and not entered.

import { Minimatch } from 'minimatch'
import type { VfsPath } from '../../../core/path.ts'
import type { EntryKind } from '../../backend.ts'
import { statIfAny } from '../../derived/exists.ts'
import { vfsPath } from '../../input.ts'
import { call, type Steps } from '../../steps.ts'
import { checkBoolean, invalidType, optionsOf } from './arguments.ts'
import { type NodePath, normal } from './paths.ts'
import { NodeDirent } from './stats.ts'
import type { GivenPath, NodeSystem } from './system.ts'

type Exclude = readonly string[] | ((entry: never) => boolean)

/** Options of `glob`. */
export interface GlobOptions {
  /** The directory that relative patterns start from; default the working directory. */
  readonly cwd?: NodePath
  /** Patterns of paths to leave out with everything in them, or a function that gets a path, or an entry with `withFileTypes`. */
  readonly exclude?: Exclude
  readonly withFileTypes?: boolean
}

const matching = {
  windowsPathsNoEscape: true,
  nonegate: true,
  nocomment: true,
  optimizationLevel: 2,
  nocaseMagicOnly: true,
} as const

export function glob(system: NodeSystem, pattern: unknown, given?: unknown): Steps<(string | NodeDirent)[]> {
  const patterns = Array.isArray(pattern) ? pattern : [pattern]
  for (const text of patterns)
    if (typeof text !== 'string') throw invalidType('patterns', 'of type string or an array of strings', text)
  const { cwd = '.', exclude, withFileTypes = false } = optionsOf<GlobOptions>(given, false)
  checkBoolean('options.withFileTypes', withFileTypes)
  return found(
    system,
    patterns as readonly string[],
    system.given(cwd, 'options.cwd'),
    withFileTypes,
    excluding(exclude, withFileTypes),
  )
}

type IsExcluded = (shown: string, entry: NodeDirent) => boolean

function excluding(exclude: Exclude | undefined, withFileTypes: boolean): IsExcluded {
  if (exclude === undefined || exclude === null) return () => false
  if (typeof exclude === 'function') {
    const test = exclude as (entry: string | NodeDirent) => boolean
    return (shown, entry) => Boolean(test(withFileTypes ? entry : shown))
  }
  if (!Array.isArray(exclude)) throw invalidType('options.exclude', 'of type function or an array of strings', exclude)
  const matchers = exclude.map(text => new Minimatch(text, matching))
  return shown => matchers.some(matcher => matcher.match(shown))
}

function* found(
  system: NodeSystem,
  patterns: readonly string[],
  cwd: GivenPath,
  withFileTypes: boolean,
  isExcluded: IsExcluded,
): Steps<(string | NodeDirent)[]> {
  const results = new Map<string, NodeDirent>()
  for (const pattern of patterns) {
    const matcher = new Minimatch(pattern, matching)
    for (const parts of matcher.set) yield* new GlobWalk(system, cwd, isExcluded, results).run(parts)
  }
  return withFileTypes ? [...results.values()] : [...results.keys()]
}

type Parts = Minimatch['set'][number]

/** One alternative of a pattern, matched directory by directory. */
class GlobWalk {
  readonly #system: NodeSystem
  readonly #cwd: GivenPath
  readonly #isExcluded: IsExcluded
  readonly #results: Map<string, NodeDirent>
  readonly #seen = new Set<string>()

  constructor(system: NodeSystem, cwd: GivenPath, isExcluded: IsExcluded, results: Map<string, NodeDirent>) {
    this.#system = system
    this.#cwd = cwd
    this.#isExcluded = isExcluded
    this.#results = results
  }

  *run(parts: Parts): Steps<void> {
    const isAbsolute = parts[0] === '' && parts.length > 1
    yield* this.#visit(isAbsolute ? '/' : '', isAbsolute ? parts.slice(1) : parts, 'directory')
  }

  /** `shown` is the path so far, relative to the working directory or absolute. */
  *#visit(shown: string, parts: Parts, kind: EntryKind): Steps<void> {
    const key = `${shown}\0${parts.length}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const [part, ...rest] = parts
    if (part === undefined) {
      this.#add(shown === '' ? '.' : shown, kind)
      return
    }
    if (typeof part === 'string') {
      yield* this.#literal(shown, part, rest)
      return
    }
    const isDeep = typeof part === 'symbol'
    if (isDeep) yield* this.#visit(shown, rest, kind)
    if (kind !== 'directory') return
    for (const { name, kind: entry } of yield* this.#list(shown)) {
      const below = joined(shown, name)
      const isMatch = isDeep ? !name.startsWith('.') : part.test(name)
      if (!isMatch || this.#isExcluded(below, new NodeDirent(name, entry, this.#parentPath(shown)))) continue
      if (isDeep) {
        yield* entry === 'directory' ? this.#visit(below, parts, entry) : this.#leaf(below, rest, entry)
      } else if (!isRefused(entry, rest[0])) yield* this.#visit(below, rest, entry)
    }
  }

  /** A file below '**' matches the rest of the pattern if the rest may be empty or is one name. */
  *#leaf(shown: string, rest: Parts, kind: EntryKind): Steps<void> {
    if (rest.length === 0) this.#add(shown, kind)
    yield* []
  }

  *#literal(shown: string, part: string, rest: Parts): Steps<void> {
    if (part === '' && rest.length === 0) {
      const kind = yield* this.#targetKind(shown, false)
      if (kind === 'directory') this.#add(shown, kind)
      return
    }
    const below = part === '' || part === '.' ? shown : joined(shown, part)
    const kind = yield* this.#targetKind(below, rest.length > 0)
    if (kind === undefined) return
    const name = below.slice(below.lastIndexOf('/') + 1)
    if (below !== shown && this.#isExcluded(below, new NodeDirent(name, kind, this.#parentPath(shown)))) return
    yield* this.#visit(below, rest, kind)
  }

  *#list(shown: string): Steps<readonly { readonly name: string; readonly kind: EntryKind }[]> {
    return yield* call(this.#system.on, 'list', this.#pathOf(shown))
  }

  *#targetKind(shown: string, follow = true): Steps<EntryKind | undefined> {
    const stat = yield* statIfAny(this.#system.on, this.#pathOf(shown), { follow })
    return stat?.kind
  }

  #pathOf(shown: string): VfsPath {
    if (shown.startsWith('/')) return vfsPath(shown, 'scandir')
    return vfsPath(`${this.#cwd.text}/${shown}`, 'scandir')
  }

  #add(shown: string, kind: EntryKind): void {
    if (this.#results.has(shown)) return
    const plain = shown.replace(/\/+$/, '')
    const slash = plain.lastIndexOf('/')
    const parent = slash === -1 ? '' : plain.slice(0, Math.max(1, slash))
    this.#results.set(shown, new NodeDirent(plain.slice(slash + 1), kind, this.#parentPath(parent)))
  }

  /** `shown` as entries report it: below the working directory as it was given. */
  #parentPath(shown: string): string {
    return shown.startsWith('/') ? shown : normal(`${this.#cwd.shown}/${shown}`)
  }
}

/** As in Node: '**' matches nothing behind a file, nor does '.' behind anything but a directory. */
function isRefused(entry: EntryKind, next: Parts[number] | undefined): boolean {
  return (typeof next === 'symbol' && entry === 'file') || (next === '.' && entry !== 'directory')
}

function joined(shown: string, name: string): string {
  if (shown === '') return name
  return shown.endsWith('/') ? `${shown}${name}` : `${shown}/${name}`
}
