// Pathspecs select paths. A plain one selects a file, or a directory with all entries; with `*`, `?` or `[` it is a pattern in
// which `*` also matches slashes; `:(…)`, `:!` and `:/` change its meaning.

import { encodeText } from '../../shell/byte-text.ts'
import { compileWildcard, matchesWildcard, type Wildcard } from '../../search/wildmatch.ts'
import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'

interface Item {
  /** The original text, for messages. */
  readonly given: string
  readonly magic: Magic
  /** From the root, without '/' at its end; '' for the root. */
  readonly path: string
  readonly isDirectoryOnly: boolean
  readonly isExcluded: boolean
  readonly isCaseless: boolean
  readonly wildcard: Wildcard | 'none'
  /** The common beginning of all matches. */
  readonly literal: string
}

export class Pathspec {
  readonly items: readonly Item[]
  readonly #wanted: readonly Item[]
  readonly #excluded: readonly Item[]

  constructor(items: readonly Item[]) {
    this.items = items
    this.#wanted = items.filter(({ isExcluded }) => !isExcluded)
    this.#excluded = items.filter(({ isExcluded }) => isExcluded)
  }

  /** Without pathspecs, everything is selected. */
  get isEmpty(): boolean {
    return this.items.length === 0
  }

  /** The index of the first item that selects the path; -1 for none. Without items, or with exclusions only, everything is selected. */
  find(path: string, isDirectory: boolean = false): number {
    if (this.#excluded.some(item => matches(item, path, isDirectory))) return -1
    if (this.#wanted.length === 0) return 0
    return this.#wanted.findIndex(item => matches(item, path, isDirectory))
  }

  matches(path: string, isDirectory: boolean = false): boolean {
    return this.items.length === 0 || this.find(path, isDirectory) !== -1
  }

  /** Whether the directory or something in it can be selected. */
  mayMatchBelow(directory: string): boolean {
    if (this.#wanted.length === 0) return true
    return this.#wanted.some(item => {
      if (matches(item, directory, true)) return true
      const inside = item.isCaseless ? directory.toLowerCase() : directory
      if (item.wildcard === 'none') return item.path.startsWith(`${inside}/`)
      return item.literal.startsWith(`${inside}/`) || `${inside}/`.startsWith(item.literal)
    })
  }

  /** For comparisons of trees. */
  get filter(): ((path: string, isDirectory: boolean) => boolean) | undefined {
    if (this.items.length === 0) return undefined
    return (path, isDirectory) => (isDirectory ? this.mayMatchBelow(path) || this.matches(path, true) : this.matches(path))
  }

  /** The given words that select none of `paths`. */
  unmatched(paths: Iterable<string>): readonly string[] {
    const open = new Set(this.#wanted)
    for (const path of paths) {
      for (const item of open)
        if (matches(item, path, false) || (path.endsWith('/') && matches(item, path.slice(0, -1), true))) open.delete(item)
      if (open.size === 0) break
    }
    return [...open].map(({ given }) => given)
  }
}

function matches(item: Item, path: string, isDirectory: boolean): boolean {
  const own = item.isCaseless ? path.toLowerCase() : path
  if (item.path === '') return true
  if (own === item.path) return !item.isDirectoryOnly || isDirectory
  if (own.startsWith(`${item.path}/`)) return true
  if (item.wildcard === 'none' || !own.startsWith(item.literal)) return false
  return matchesWildcard(item.wildcard, encodeText(own))
}

/** Rejects paths outside of the work tree. */
export function parsePathspec(repository: Repository, words: readonly string[]): Pathspec {
  return new Pathspec(words.map(word => parseItem(repository, word)))
}

interface Magic {
  isTop: boolean
  isExcluded: boolean
  isLiteral: boolean
  isGlob: boolean
  isCaseless: boolean
}

function parseItem(repository: Repository, given: string): Item {
  const { env } = repository.environment
  const isOn = (name: string): boolean => env[name] !== undefined && env[name] !== '0'
  const magic: Magic = {
    isTop: false,
    isExcluded: false,
    isLiteral: isOn('GIT_LITERAL_PATHSPECS'),
    isGlob: isOn('GIT_GLOB_PATHSPECS'),
    isCaseless: isOn('GIT_ICASE_PATHSPECS'),
  }
  if (given === '') throw fatal('empty string is not a valid pathspec. please use . instead if you meant to match all paths')
  const text = magic.isLiteral ? given : readMagic(given, magic)
  const prefix = magic.isTop ? '' : repository.prefix
  const path = normalPath(repository, prefix, text, given)
  const own = magic.isCaseless ? path.toLowerCase() : path
  // The working directory is literal, whatever characters it contains.
  const isPlain = magic.isLiteral || (isOn('GIT_NOGLOB_PATHSPECS') && !magic.isGlob)
  const hasWildcard = !isPlain && /[*?[\\]/.test(text)
  const start = hasWildcard ? own.search(/[*?[\\]/) : -1
  return {
    given,
    magic,
    path: own,
    isDirectoryOnly: text.endsWith('/') && text !== '/' && path !== '',
    isExcluded: magic.isExcluded,
    isCaseless: magic.isCaseless,
    wildcard: start === -1 ? 'none' : compileWildcard(encodeText(own), magic.isGlob),
    literal: start === -1 ? own : own.slice(0, start),
  }
}

function readMagic(given: string, magic: Magic): string {
  if (!given.startsWith(':') || given === ':') return given === ':' ? '' : given
  if (given[1] === '(') {
    const end = given.indexOf(')')
    if (end === -1) throw fatal(`Missing ')' at the end of pathspec magic in '${given}'`)
    for (const word of given.slice(2, end).split(',')) {
      if (word === 'top') magic.isTop = true
      else if (word === 'exclude') magic.isExcluded = true
      else if (word === 'literal') magic.isLiteral = true
      else if (word === 'glob') magic.isGlob = true
      else if (word === 'icase') magic.isCaseless = true
      else if (word.startsWith('attr:')) throw fatal(`pathspec magic 'attr' is not built into this git: '${given}'`)
      else if (word !== '' && !word.startsWith('prefix:')) throw fatal(`Invalid pathspec magic '${word}' in '${given}'`)
    }
    return given.slice(end + 1)
  }
  let at = 1
  for (; at < given.length; at++) {
    const sign = given[at] ?? ''
    if (sign === '/') magic.isTop = true
    else if (sign === '!' || sign === '^') magic.isExcluded = true
    else if (sign === ':') return given.slice(at + 1)
    else if (/[A-Za-z0-9_.*?[\\\-\s"'$(){}<>|~%@+,=]/.test(sign) || sign.charCodeAt(0) > 127) break
    else throw fatal(`Unimplemented pathspec magic '${sign}' in '${given}'`)
  }
  return given.slice(at)
}

function normalPath(repository: Repository, prefix: string, text: string, given: string): string {
  let whole = prefix + text
  if (text.startsWith('/')) {
    const { root } = repository
    if (text === root || text === `${root}/`) return ''
    if (!text.startsWith(root === '/' ? '/' : `${root}/`)) throw fatal(`${given}: '${given}' is outside repository at '${root}'`)
    whole = text.slice(root === '/' ? 1 : root.length + 1)
  }
  const kept: string[] = []
  for (const name of whole.split('/')) {
    if (name === '..') {
      if (kept.pop() === undefined) throw fatal(`${given}: '${given}' is outside repository at '${repository.root}'`)
    } else if (name !== '' && name !== '.') kept.push(name)
  }
  return kept.join('/')
}
