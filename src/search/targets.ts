// The meaning of the entries in `paths`. A model writes one path, a glob, or a list in one string, and existing names may look like any of
// these (`app/[id]/page.tsx`, `a, b.txt`). So an existing name has priority over every other interpretation. Existence is checked through a
// callback, so that find and search share this code.

import { isGlob } from './is-glob.ts'

export interface Target {
  /** As written, trimmed and unquoted. */
  readonly text: string
  /** The file or directory to start from. */
  readonly base: string
  /** Relative to `base`; `undefined` for all of it. */
  readonly glob: string | undefined
}

export interface ResolvedTargets {
  readonly targets: readonly Target[]
  /** The globs with a leading `!`, without it. */
  readonly excluded: readonly string[]
  /** The entries that match nothing, in the given order. */
  readonly missing: readonly string[]
}

/** A text with more parts is one name, not a list. */
const maxParts = 200

type Probe = (path: string) => Promise<boolean>

/**
 * Resolves each entry as one path, a glob whose base directory exists, or a list of such entries. If all entries are `!` globs,
 * the search starts at the root.
 */
export async function resolveTargets(entries: readonly string[], probe: Probe): Promise<ResolvedTargets> {
  const targets = new Map<string, Target>()
  const missing: string[] = []
  const excluded: string[] = []
  for (const entry of entries) {
    for (const resolved of await resolveEntry(unquote(entry), probe)) {
      if (typeof resolved === 'string') missing.push(resolved)
      else if ('excluded' in resolved) excluded.push(resolved.excluded)
      else if (!targets.has(`${resolved.base}\0${resolved.glob}`)) targets.set(`${resolved.base}\0${resolved.glob}`, resolved)
    }
  }
  if (targets.size === 0 && missing.length === 0 && excluded.length > 0) {
    targets.set('.', { text: '.', base: '.', glob: undefined })
  }
  return { targets: [...targets.values()], excluded, missing: [...new Set(missing)] }
}

/**
 * Whether a glob selects specific files (`*.log`, `src/.env*`) and not everything in a tree (`**` + `/*.ts`, `src/*`). As with
 * ripgrep's `-g`, ignore rules and hidden names do not apply to such files.
 */
export function namesFiles({ text, glob }: Target): boolean {
  if (glob === undefined || /^(?:\.\/)*\*\*/.test(text)) return false
  return /[^*?.]/.test(glob.slice(glob.lastIndexOf('/') + 1))
}

/** Where to start and what to match from there; a glob in the first segment matches anywhere below. */
export function splitTarget(text: string): Target {
  // A backslash is a separator, as on Windows, unless it escapes a bracket: names with brackets are common, names with stars are not.
  const segments = text.replaceAll(/\\(?![[\]{}\\])/g, '/').split('/')
  const globIndex = segments.findIndex(isGlob)
  if (globIndex === -1) return { text, base: unescapeGlob(segments.join('/')), glob: undefined }
  const base = unescapeGlob(segments.slice(0, globIndex).join('/'))
  const glob = segments.slice(globIndex).join('/')
  if (globIndex > 0) return { text, base: base === '' ? '/' : base, glob }
  return { text, base: '.', glob: segments[0] === '**' ? glob : `**/${glob}` }
}

function unescapeGlob(text: string): string {
  return text.replaceAll(/\\([[\]{}\\])/g, '$1')
}

/** A missing part is represented by its text. */
type Resolved = Target | Excluded | string

interface Excluded {
  readonly excluded: string
}

async function resolveEntry(text: string, probe: Probe): Promise<readonly Resolved[]> {
  if (text === '') return ['']
  if (await probe(text)) return [{ text, base: text, glob: undefined }]
  const inJson = jsonList(text)
  if (inJson !== undefined) return (await eachInOrder(inJson, part => resolveEntry(unquote(part), probe))).flat()
  // `my docs, old/*.txt`: a directory of that name wins over a list, as a file does.
  const whole = splitTarget(text)
  if (whole.glob !== undefined && /[,;\s]/.test(whole.base) && (await probe(whole.base))) return [whole]
  const listed = splitOutsideBrackets(text, /[,;]/)
  if (listed.length > 1) {
    const resolved = (await eachInOrder(listed, part => resolvePart(part, probe))).flat()
    if (resolved.some(part => typeof part !== 'string')) return resolved
  }
  return resolvePart(text, probe)
}

async function resolvePart(text: string, probe: Probe): Promise<readonly Resolved[]> {
  if (await probe(text)) return [{ text, base: text, glob: undefined }]
  const excluded = /^!(?=.)(.*)$/s.exec(text)?.[1]
  if (excluded !== undefined) return [{ excluded }]
  const words = splitOutsideBrackets(text, /\s/)
  if (words.length > 1) {
    const resolved = await eachInOrder(words, word => resolveWord(word, probe))
    if (resolved.every(word => word !== undefined)) return resolved
  }
  return [(await resolveGlob(text, probe)) ?? text]
}

/**
 * One word of a text with spaces. A glob at the top level would always "exist", which would split `**` + `/*deep research*.md`; so it
 * counts only if it is nothing but an extension.
 */
async function resolveWord(word: string, probe: Probe): Promise<Target | Excluded | undefined> {
  if (await probe(word)) return { text: word, base: word, glob: undefined }
  if (/^!./.test(word)) return { excluded: word.slice(1) }
  const target = await resolveGlob(word, probe)
  const isTopLevel = target?.base === '.' && !word.startsWith('.')
  return isTopLevel && !/^(?:\*\*\/)?\*\.[\w{},]+$/.test(word) ? undefined : target
}

async function resolveGlob(text: string, probe: Probe): Promise<Target | undefined> {
  const split = splitTarget(text)
  if (split.glob === undefined) return split.base !== text && (await probe(split.base)) ? split : undefined
  if (split.base !== '.' && !(await probe(split.base))) return undefined
  return intoLiteralDirectories(text, split, probe)
}

/** `app/[id]/*.tsx`: an existing directory whose name looks like a character class is that directory. */
async function intoLiteralDirectories(text: string, split: Target, probe: Probe): Promise<Target> {
  const segments = (split.glob ?? '').replace(split.base === '.' && !text.startsWith('**') ? /^\*\*\// : '', '').split('/')
  let base = split.base
  let taken = 0
  while (taken < segments.length - 1) {
    const segment = segments[taken] ?? ''
    if (segment === '' || /[*?{\\]/.test(segment)) break
    const deeper = base === '.' ? segment : base === '/' ? `/${segment}` : `${base}/${segment}`
    if (!(await probe(deeper))) break
    base = deeper
    taken++
  }
  return taken === 0 ? split : { text, base, glob: segments.slice(taken).join('/') }
}

/** The parts between delimiters, trimmed and unquoted, without empty ones. Delimiters inside braces and brackets do not count. */
function splitOutsideBrackets(text: string, delimiter: RegExp): readonly string[] {
  const parts: string[] = []
  let part = ''
  const closers: string[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (character === '{' || (character === '[' && text.includes(']', index))) closers.push(character === '{' ? '}' : ']')
    else if (character === closers.at(-1)) closers.pop()
    if (closers.length === 0 && delimiter.test(character)) {
      parts.push(part)
      part = ''
    } else part += character
  }
  parts.push(part)
  const named = parts.map(unquote).filter(name => name !== '')
  return named.length > maxParts ? [text] : named
}

/** The elements of a JSON array that was passed as a string. */
function jsonList(text: string): readonly string[] | undefined {
  if (!/^\[\s*".*\]$/s.test(text)) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.every(part => typeof part === 'string') ? parsed : undefined
  } catch {
    // A glob that only looks like JSON.
    return undefined
  }
}

function unquote(text: string): string {
  const trimmed = text.trim()
  return /^(["'`]).+\1$/s.test(trimmed) ? trimmed.slice(1, -1) : trimmed
}

async function eachInOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
