// `--author`, `--committer` and `--grep`: commits whose people and messages match patterns.

import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { Mailmap } from '../revs/mailmap.ts'
import { type PatternKind, posixPattern } from '../revs/posix-pattern.ts'
import { type Commit, encodePerson, type ObjectId, type Person } from '../store/object-format.ts'

export interface TextFilterOptions {
  /** Proper names, by which people are looked for. */
  readonly mailmap?: (() => Promise<Mailmap>) | undefined
  /** The notes that are shown: patterns are looked for in them too. */
  readonly notes?: (() => Promise<ReadonlyMap<ObjectId, string>>) | undefined
}

/** The kind of the patterns by the options, or else by `grep.patternType` and `grep.extendedRegexp`. */
function patternKind(repository: Repository, options: Options): PatternKind {
  const config = repository.config()
  const setting = config.get('grep.patterntype')
  const isUsual = setting === undefined || setting === 'default'
  const usual = isUsual && config.bool('grep.extendedregexp', false) ? 'extended' : (setting ?? 'basic')
  const kind = options.value('pattern-kind') ?? usual
  return kind === 'extended' || kind === 'fixed' || kind === 'perl' ? kind : 'basic'
}

export function patternsOf(repository: Repository, options: Options, key: string): readonly RegExp[] {
  const kind = patternKind(repository, options)
  return options
    .values(key)
    .flatMap(value => value.split('\n'))
    .map(pattern => posixPattern(pattern, kind, options.has('ignore-case') ? 'i' : ''))
}

export async function textFilter(
  repository: Repository,
  options: Options,
  { mailmap, notes }: TextFilterOptions,
): Promise<(oid: ObjectId, commit: Commit) => boolean> {
  const compile = (key: string): readonly RegExp[] => patternsOf(repository, options, key)
  const [authors, committers, greps] = [compile('author'), compile('committer'), compile('grep')]
  const proper = authors.length + committers.length > 0 ? await mailmap?.() : undefined
  const noted = greps.length > 0 ? await notes?.() : undefined
  const needsAll = options.has('all-match')
  const isInverted = options.has('invert-grep')
  const isBy = (patterns: readonly RegExp[], person: Person): boolean => {
    if (patterns.length === 0) return true
    const text = encodePerson(proper?.of(person) ?? person).replace(/ -?\d+ [+-]\d+$/, '')
    return patterns.some(pattern => pattern.test(text))
  }
  return (oid, commit) => {
    if (!isBy(authors, commit.author) || !isBy(committers, commit.committer)) return false
    if (greps.length === 0) return true
    const lines = `${commit.message}\n${noted?.get(oid) ?? ''}`.split('\n')
    const isFound = (pattern: RegExp): boolean => lines.some(line => pattern.test(line))
    return (needsAll ? greps.every(isFound) : greps.some(isFound)) !== isInverted
  }
}
