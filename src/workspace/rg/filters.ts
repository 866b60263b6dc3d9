// The decisions of -g and -t about a path. A glob overrides ignore files and hidden names; a type only filters the rest.

import { compileGlob } from '../../search/glob.ts'
import type { RgOptions } from './options.ts'

export type Verdict = 'ignore' | 'include' | undefined

export interface PathFilters {
  /** `relative` is the path from the working directory. */
  readonly byGlob: (relative: string, isDirectory: boolean) => Verdict
  /** The decision about a file by its name. */
  readonly byType: (name: string) => Verdict
}

/** Returns what is wrong as a sentence, if anything is. */
export function compileFilters(options: RgOptions): PathFilters | string {
  const byType = compileTypes(options)
  if (typeof byType === 'string') return byType
  const byGlob = compileGlobs(options)
  return typeof byGlob === 'string' ? byGlob : { byGlob, byType }
}

interface GlobRule {
  readonly isExcluded: boolean
  readonly isForDirectoriesOnly: boolean
  readonly matches: (relative: string) => boolean
}

function compileGlobs({ globs, globCaseInsensitive }: RgOptions): PathFilters['byGlob'] | string {
  const rules: GlobRule[] = []
  // Those of --iglob are read behind all of -g.
  for (const { glob, ignoreCase } of globs.toSorted((a, b) => Number(a.ignoreCase) - Number(b.ignoreCase))) {
    const written = lineOfRules(glob)
    if (written === '') continue
    const rule = compileRule(written, ignoreCase || globCaseInsensitive)
    if (typeof rule === 'string') return `error parsing glob '${glob}': ${rule}`
    rules.push(rule)
  }
  const hasIncluding = rules.some(rule => !rule.isExcluded)
  return (relative, isDirectory) => {
    // The last matching rule decides, as in an ignore file.
    const last = rules.findLast(rule => (isDirectory || !rule.isForDirectoriesOnly) && rule.matches(relative))
    if (last !== undefined) return last.isExcluded ? 'ignore' : 'include'
    return hasIncluding && !isDirectory ? 'ignore' : undefined
  }
}

/** A glob is read as a line of an ignore file: `#` begins a comment, and blanks at the end do not count unless they are escaped. */
function lineOfRules(glob: string): string {
  if (glob.startsWith('#')) return ''
  return glob.endsWith('\\ ') ? glob : glob.trimEnd()
}

function compileRule(glob: string, ignoreCase: boolean): GlobRule | string {
  const isExcluded = glob.startsWith('!')
  const body = glob.slice(isExcluded ? 1 : 0)
  const isForDirectoriesOnly = body.endsWith('/')
  const plain = isForDirectoriesOnly ? body.slice(0, -1) : body
  const isAnchored = plain.includes('/')
  const problem = problemOf(plain)
  if (problem !== undefined) return problem
  const anchored = isAnchored ? plain.replace(/^\/+/, '') : `**/${plain}`
  // As in ripgrep, braces around a single alternative are dropped.
  const written = anchored.replaceAll(/(\\.)|\{([^{},\\]*)\}/g, (whole, escaped, only) => (escaped === undefined ? only : whole))
  const compiled = compileGlob(ignoreCase ? withSmallLetters(written) : written)
  if (compiled.kind === 'error') return compiled.message
  // No name is `.`, so `./a` matches nothing.
  const isNoName = body === '/' || (isAnchored && plain.split('/').includes('.'))
  const matches = (relative: string): boolean => !isNoName && compiled.matches(ignoreCase ? withSmallLetters(relative) : relative)
  return { isExcluded, isForDirectoriesOnly, matches }
}

/** Globs that ignore case do so for ASCII, as in ripgrep. */
export function withSmallLetters(text: string): string {
  return text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase())
}

/** What is wrong in a glob as well as in a rule of git. */
export function problemOfCharacters(glob: string): string | undefined {
  if (/(?<!\\)(?:\\\\)*\\$/.test(glob)) return "dangling '\\'"
  for (const [, low = '', high = ''] of glob.replaceAll(/\\./g, '').matchAll(/\[[!^]?\]?[^\]]*?(.)-(.)[^\]]*\]/gsu))
    if (high !== ']' && low > high) return `invalid range; '${low}' > '${high}'`
  return undefined
}

function problemOf(glob: string): string | undefined {
  const problem = problemOfCharacters(glob)
  if (problem !== undefined) return problem
  const rest = glob.replaceAll(/\\./g, '')
  const plain = rest.replaceAll(/\[[!^]?\]?[^\]]*\]/g, '')
  if (plain.includes('[')) return "unclosed character class; missing ']'"
  let depth = 0
  for (const character of plain) {
    if (character === '{') depth++
    else if (character === '}' && depth-- === 0) return "unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)"
  }
  return depth > 0 ? "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)" : undefined
}

function compileTypes({ types, typeChanges }: RgOptions): PathFilters['byType'] | string {
  if (types.problem !== undefined) return types.problem
  const rules: { readonly verdict: 'ignore' | 'include'; readonly matches: (name: string) => boolean }[] = []
  for (const { kind, name } of typeChanges) {
    const globs = types.globsOf(name)
    if (globs === undefined) return `unrecognized file type: ${name}`
    const wrong = globs.find(glob => problemOf(glob) !== undefined)
    if (wrong !== undefined) return `error parsing glob '${wrong}': ${problemOf(wrong)}`
    const compiled = globs.map(glob => compileGlob(glob)).flatMap(glob => (glob.kind === 'glob' ? [glob.matches] : []))
    const verdict = kind === 'select' ? 'include' : 'ignore'
    rules.push({ verdict, matches: fileName => compiled.some(matches => matches(fileName)) })
  }
  const hasSelected = typeChanges.some(({ kind }) => kind === 'select')
  return name => {
    const last = rules.findLast(rule => rule.matches(name))
    if (last !== undefined) return last.verdict
    return hasSelected ? 'ignore' : undefined
  }
}
