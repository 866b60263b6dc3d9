// The arguments of a command that takes revisions and paths: ranges, exclusions, `--all` and similar, and where the paths begin.

import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { mergeBases } from './merge-base.ts'
import { parentsOf } from './parents.ts'
import { ambiguousArgument, peel, resolveRevision, type Revision } from './revision.ts'

export interface NamedRevision extends Revision {
  /** As it was given. */
  readonly text: string
  readonly isExcluded: boolean
}

export interface RevisionArguments {
  readonly revisions: readonly NamedRevision[]
  /** The side in `A...B`. */
  readonly symmetric: { readonly left: ObjectId; readonly right: ObjectId; readonly bases: readonly ObjectId[] } | undefined
  readonly paths: readonly string[]
}

/** Splits the words at the first one that is a path and not a revision. */
export async function readRevisions(repository: Repository, options: Options): Promise<RevisionArguments> {
  const revisions: NamedRevision[] = []
  let symmetric: RevisionArguments['symmetric']
  let isNegated = false
  const { words, paths } = options
  for (const [index, word] of words.entries()) {
    if (word === '--not') {
      isNegated = !isNegated
      continue
    }
    const found = await readWord(repository, word, isNegated)
    if (found !== undefined) {
      if (paths === undefined && !word.includes('..') && !word.startsWith('^')) await checkNotBoth(repository, word)
      revisions.push(...found.revisions)
      symmetric = found.symmetric ?? symmetric
      continue
    }
    if (options.has('ignore-missing') && (paths !== undefined || !(await exists(repository, word)))) continue
    if (paths !== undefined) throw fatal(`bad revision '${word}'`)
    const rest = words.slice(index)
    for (const [at, path] of rest.entries()) await checkPath(repository, path, at === 0)
    return { revisions, symmetric, paths: rest }
  }
  return { revisions, symmetric, paths: paths ?? [] }
}

/** Rejects for a revision that is a file too, where nothing says which of them is meant. */
export async function checkNotBoth(repository: Repository, word: string): Promise<void> {
  const isFromRoot = word.startsWith(':/')
  if (repository.isBare || (!isFromRoot && word.includes(':')) || word.includes('@{')) return
  if (!(await exists(repository, word))) return
  throw fatal(
    `ambiguous argument '${word}': both revision and filename\nUse '--' to separate paths from revisions, like this:\n` +
      `'git <command> [<revision>...] -- [<file>...]'`,
  )
}

async function exists(repository: Repository, word: string): Promise<boolean> {
  if (word.startsWith(':/')) return (await repository.files.lstat(`${repository.root}${word.slice(1)}`)) !== undefined
  const path = word.startsWith('/') ? word : `${repository.environment.cwd}/${word}`
  return (await repository.files.lstat(path)) !== undefined
}

async function checkPath(repository: Repository, word: string, isFirst: boolean): Promise<void> {
  if (/[*?[]/.test(word) || /^:[(/!^]/.test(word)) return
  if (!repository.isBare && (await exists(repository, word))) return
  if (isFirst) throw ambiguousArgument(word)
  const revision = await resolveRevision(repository, word).catch(() => undefined)
  if (revision !== undefined) {
    throw fatal(
      `ambiguous argument '${word}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
    )
  }
  throw ambiguousArgument(word)
}

interface Word {
  readonly revisions: readonly NamedRevision[]
  readonly symmetric?: RevisionArguments['symmetric']
}

async function readWord(repository: Repository, word: string, isNegated: boolean): Promise<Word | undefined> {
  // A pathspec with magic.
  if (/^:[(!^]/.test(word)) return undefined
  const dots = /^(.*?)(\.\.\.?)(.*)$/s.exec(word)
  if (dots !== null && word !== '..' && !word.startsWith(':/') && !/^[^.]*:/.test(dots[1] ?? '')) {
    const range = await readRange(repository, dots, isNegated)
    if (range !== undefined) return range
  }
  const suffix = /^(.+)\^([@!]|-\d*)$/s.exec(word)
  if (suffix !== null) return readParents(repository, suffix, isNegated)
  const isExcluded = word.startsWith('^')
  const text = isExcluded ? word.slice(1) : word
  const revision = await resolveRevision(repository, text)
  if (revision === undefined) return undefined
  if (!(await repository.objects.has(revision.oid))) throw fatal(`bad object ${text}`)
  return { revisions: [{ ...revision, text, isExcluded: isExcluded !== isNegated }] }
}

async function readRange(repository: Repository, dots: RegExpExecArray, isNegated: boolean): Promise<Word | undefined> {
  const [whole, left = '', kind, right = ''] = dots
  const one = await resolveRevision(repository, left === '' ? 'HEAD' : left)
  const two = await resolveRevision(repository, right === '' ? 'HEAD' : right)
  if (one === undefined || two === undefined) return undefined
  const from = { ...one, text: left === '' ? 'HEAD' : left }
  const to = { ...two, text: right === '' ? 'HEAD' : right }
  if (kind === '..') {
    return {
      revisions: [
        { ...from, isExcluded: !isNegated },
        { ...to, isExcluded: isNegated },
      ],
    }
  }
  const a = await peel(repository, one.oid, 'commit')
  const b = await peel(repository, two.oid, 'commit')
  if (a === undefined || b === undefined) throw fatal(`Invalid symmetric difference expression ${whole}`)
  const bases = await mergeBases(repository, a, [b])
  return {
    revisions: [
      { ...from, oid: a, isExcluded: isNegated },
      { ...to, oid: b, isExcluded: isNegated },
      ...bases.map(oid => ({ oid, text: oid, isExcluded: !isNegated })),
    ],
    symmetric: { left: a, right: b, bases },
  }
}

async function readParents(
  repository: Repository,
  [, base = '', kind = '']: RegExpExecArray,
  isNegated: boolean,
): Promise<Word | undefined> {
  const revision = await resolveRevision(repository, base)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
  if (oid === undefined) return undefined
  const all = await parentsOf(repository, oid)
  const number = Number(kind.slice(1) || 1)
  if (kind.startsWith('-') && (number < 1 || number > all.length)) return undefined
  const parents = kind.startsWith('-') ? all.slice(number - 1, number) : all
  const isExcluded = kind !== '@'
  const rows = parents.map(parent => ({ oid: parent, text: parent, isExcluded: isExcluded !== isNegated }))
  return { revisions: kind === '@' ? rows : [{ oid, text: base, isExcluded: isNegated }, ...rows] }
}

const kinds: readonly (readonly [key: string, prefix: string])[] = [
  ['all', 'refs/'],
  ['branches', 'refs/heads/'],
  ['tags', 'refs/tags/'],
  ['remotes', 'refs/remotes/'],
  ['glob', 'refs/'],
]

/** The references that `--all`, `--branches=…` and similar options mean. `--exclude` affects the next of them, `--not` all that follow. */
export async function readRefOptions(repository: Repository, options: Options): Promise<readonly NamedRevision[]> {
  const found: NamedRevision[] = []
  let excluded: string[] = []
  for (const { key, value, wordsBefore = 0 } of options.given) {
    if (key === 'exclude' && value !== undefined) excluded.push(value)
    const kind = kinds.find(([name]) => name === key)
    if (kind === undefined) continue
    const [, prefix] = kind
    const isExcluded = options.words.slice(0, wordsBefore).filter(word => word === '--not').length % 2 === 1
    const pattern = value === undefined ? undefined : fullPattern(value, prefix)
    const wildcard = pattern === undefined ? undefined : compileWildcard(encodeText(pattern), false)
    const base = key === 'all' || key === 'glob' ? '' : prefix
    const skipped = excluded.map(text => compileWildcard(encodeText(base + text), false))
    excluded = []
    const isSkipped = (name: string): boolean => skipped.some(text => matchesWildcard(text, encodeText(name)))
    for (const { name, oid } of await repository.refs.list(prefix)) {
      if ((pattern !== undefined && !matchesWildcard(wildcard, encodeText(name))) || isSkipped(name)) continue
      found.push({ oid, text: name, isExcluded })
    }
    const head = key === 'all' && !isSkipped('HEAD') ? await repository.refs.idOf('HEAD') : undefined
    if (head !== undefined) found.push({ oid: head, text: 'HEAD', isExcluded })
  }
  return found
}

function fullPattern(pattern: string, prefix: string): string {
  const whole = pattern.startsWith('refs/') ? pattern : prefix + pattern
  return /[*?[]/.test(whole) ? whole : `${whole.replace(/\/$/, '')}/*`
}
