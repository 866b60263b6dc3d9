// The flags of ripgrep that models use, read as ripgrep reads them. What would change the answer and is not there is refused by name;
// what only changes how fast or how colourful it comes is taken without effect.

import { patternsOfType } from './file-types.ts'

export type RgMode = 'lines' | 'count' | 'count-matches' | 'files-with-matches' | 'files-without-match' | 'files' | 'quiet'

export interface RgOptions {
  readonly mode: RgMode
  /** Joined by alternation; empty only for `files`. */
  readonly patterns: readonly string[]
  readonly paths: readonly string[]
  readonly fixed: boolean
  readonly ignoreCase: boolean
  readonly smartCase: boolean
  readonly word: boolean
  readonly wholeLine: boolean
  readonly invert: boolean
  readonly onlyMatching: boolean
  readonly lineNumbers: boolean
  readonly column: boolean
  readonly heading: boolean
  /** `undefined`: where more than one file is searched. */
  readonly withFilename: boolean | undefined
  readonly before: number
  readonly after: number
  /** Matching lines of one file. */
  readonly maxCount: number
  readonly maxDepth: number
  readonly globs: readonly RgGlob[]
  readonly types: readonly string[]
  readonly notTypes: readonly string[]
  readonly hidden: boolean
  readonly ignoreFiles: boolean
  readonly trim: boolean
  /** A null byte after each path. */
  readonly nullAfterPath: boolean
}

export interface RgGlob {
  readonly glob: string
  readonly ignoreCase: boolean
}

type Draft = { -readonly [K in keyof RgOptions]: RgOptions[K] } & {
  globs: RgGlob[]
  patterns: string[]
  types: string[]
  notTypes: string[]
}

type Effect = (draft: Draft, value: string) => string | undefined | void
interface Flag {
  readonly takesValue: boolean
  readonly apply: Effect
}

const flag = (apply: (draft: Draft) => void): Flag => ({ takesValue: false, apply })
const valued = (apply: Effect): Flag => ({ takesValue: true, apply })
const number = (apply: (draft: Draft, value: number) => void): Flag =>
  valued((draft, value) => {
    if (!/^\d+$/.test(value)) return `${JSON.stringify(value)} is not a number`
    return apply(draft, Number(value))
  })
const nothing = flag(() => undefined)
const nothingWithValue = valued(() => undefined)
const mode = (value: RgMode): Flag =>
  flag(draft => {
    draft.mode = value
  })
const type = (kind: 'types' | 'notTypes'): Flag =>
  valued((draft, value) => {
    const patterns = patternsOfType(value)
    if (patterns === undefined) return `unrecognized file type: ${value}; use -g '*.${value}'`
    draft[kind].push(...patterns)
    return undefined
  })

const flags: Readonly<Record<string, Flag>> = {
  regexp: valued((draft, value) => void draft.patterns.push(value)),
  'fixed-strings': flag(draft => void (draft.fixed = true)),
  'ignore-case': flag(draft => void Object.assign(draft, { ignoreCase: true, smartCase: false })),
  'case-sensitive': flag(draft => void Object.assign(draft, { ignoreCase: false, smartCase: false })),
  'smart-case': flag(draft => void Object.assign(draft, { ignoreCase: false, smartCase: true })),
  'word-regexp': flag(draft => void (draft.word = true)),
  'line-regexp': flag(draft => void (draft.wholeLine = true)),
  'invert-match': flag(draft => void (draft.invert = true)),
  'only-matching': flag(draft => void (draft.onlyMatching = true)),
  'line-number': flag(draft => void (draft.lineNumbers = true)),
  'no-line-number': flag(draft => void (draft.lineNumbers = false)),
  column: flag(draft => void Object.assign(draft, { column: true, lineNumbers: true })),
  'no-column': flag(draft => void (draft.column = false)),
  vimgrep: flag(draft => void Object.assign(draft, { column: true, lineNumbers: true, withFilename: true, heading: false })),
  heading: flag(draft => void (draft.heading = true)),
  'no-heading': flag(draft => void (draft.heading = false)),
  pretty: flag(draft => void Object.assign(draft, { heading: true, lineNumbers: true })),
  'with-filename': flag(draft => void (draft.withFilename = true)),
  'no-filename': flag(draft => void (draft.withFilename = false)),
  'after-context': number((draft, value) => void (draft.after = value)),
  'before-context': number((draft, value) => void (draft.before = value)),
  context: number((draft, value) => void Object.assign(draft, { before: value, after: value })),
  'max-count': number((draft, value) => void (draft.maxCount = value)),
  'max-depth': number((draft, value) => void (draft.maxDepth = value)),
  glob: valued((draft, value) => void draft.globs.push({ glob: value, ignoreCase: false })),
  iglob: valued((draft, value) => void draft.globs.push({ glob: value, ignoreCase: true })),
  type: type('types'),
  'type-not': type('notTypes'),
  hidden: flag(draft => void (draft.hidden = true)),
  'no-hidden': flag(draft => void (draft.hidden = false)),
  'no-ignore': flag(draft => void (draft.ignoreFiles = false)),
  'no-ignore-vcs': flag(draft => void (draft.ignoreFiles = false)),
  unrestricted: flag(draft => {
    if (draft.ignoreFiles) draft.ignoreFiles = false
    else draft.hidden = true
  }),
  trim: flag(draft => void (draft.trim = true)),
  null: flag(draft => void (draft.nullAfterPath = true)),
  count: mode('count'),
  'count-matches': mode('count-matches'),
  'files-with-matches': mode('files-with-matches'),
  'files-without-match': mode('files-without-match'),
  files: mode('files'),
  quiet: mode('quiet'),
  color: nothingWithValue,
  colors: nothingWithValue,
  threads: nothingWithValue,
  sort: nothingWithValue,
  'max-columns': nothingWithValue,
  'no-messages': nothing,
  'no-config': nothing,
  'line-buffered': nothing,
  multiline: nothing,
  'no-unicode': nothing,
  'no-require-git': nothing,
  'no-ignore-global': nothing,
  'no-ignore-parent': nothing,
  mmap: nothing,
  'no-mmap': nothing,
}

const shortNames: Readonly<Record<string, string>> = {
  e: 'regexp',
  F: 'fixed-strings',
  i: 'ignore-case',
  s: 'case-sensitive',
  S: 'smart-case',
  w: 'word-regexp',
  x: 'line-regexp',
  v: 'invert-match',
  o: 'only-matching',
  n: 'line-number',
  N: 'no-line-number',
  H: 'with-filename',
  I: 'no-filename',
  A: 'after-context',
  B: 'before-context',
  C: 'context',
  m: 'max-count',
  d: 'max-depth',
  g: 'glob',
  t: 'type',
  T: 'type-not',
  '.': 'hidden',
  u: 'unrestricted',
  c: 'count',
  l: 'files-with-matches',
  q: 'quiet',
  p: 'pretty',
  '0': 'null',
  j: 'threads',
  M: 'max-columns',
  U: 'multiline',
}

/** Known to ripgrep and not here, with what to do instead. */
const unavailable: Readonly<Record<string, string>> = {
  json: 'leave it out; -n and --column give the places',
  replace: 'pipe through sed',
  r: 'pipe through sed',
  pcre2: 'patterns here have neither look-around nor back-references',
  P: 'patterns here have neither look-around nor back-references',
  follow: 'name what the links point at',
  L: 'name what the links point at',
  text: 'use grep -a',
  a: 'use grep -a',
  file: 'give each pattern with -e',
  f: 'give each pattern with -e',
  passthru: 'use sed',
  'search-zip': 'gunzip -c the file and pipe it in',
  z: 'gunzip -c the file and pipe it in',
}

/** Gives what is wrong as a sentence. */
export function parseRgOptions(args: readonly string[]): RgOptions | string {
  const draft: Draft = {
    mode: 'lines',
    patterns: [],
    paths: [],
    fixed: false,
    ignoreCase: false,
    smartCase: false,
    word: false,
    wholeLine: false,
    invert: false,
    onlyMatching: false,
    lineNumbers: false,
    column: false,
    heading: false,
    withFilename: undefined,
    before: 0,
    after: 0,
    maxCount: Number.POSITIVE_INFINITY,
    maxDepth: Number.POSITIVE_INFINITY,
    globs: [],
    types: [],
    notTypes: [],
    hidden: false,
    ignoreFiles: true,
    trim: false,
    nullAfterPath: false,
  }
  const words: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const next = (): string | undefined => args[(index += 1)]
    if (arg === '--') {
      words.push(...args.slice(index + 1))
      break
    }
    const problem = arg.startsWith('--')
      ? applyLong(draft, arg, next)
      : arg.startsWith('-') && arg !== '-'
        ? applyShort(draft, arg, next)
        : void words.push(arg)
    if (problem !== undefined) return problem
  }
  if (draft.mode !== 'files' && draft.patterns.length === 0) {
    const pattern = words.shift()
    if (pattern === undefined) return 'no pattern given; usage: rg [OPTIONS] PATTERN [PATH]...'
    draft.patterns.push(pattern)
  }
  return { ...draft, paths: words }
}

function applyLong(draft: Draft, arg: string, next: () => string | undefined): string | undefined {
  const [, name = '', attached] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? []
  return apply(draft, `--${name}`, name, flags[name], attached === undefined ? next : () => attached)
}

/** Letters may stand together; the value of one may follow at once. */
function applyShort(draft: Draft, arg: string, next: () => string | undefined): string | undefined {
  const letters = Array.from(arg.slice(1))
  for (const [index, letter] of letters.entries()) {
    const known = flags[shortNames[letter] ?? '']
    const rest = letters.slice(index + 1).join('')
    const problem = apply(draft, `-${letter}`, letter, known, rest === '' ? next : () => rest.replace(/^=/, ''))
    if (problem !== undefined || known?.takesValue === true) return problem
  }
  return undefined
}

function apply(
  draft: Draft,
  shown: string,
  name: string,
  known: Flag | undefined,
  value: () => string | undefined,
): string | undefined {
  if (known === undefined) {
    const instead = unavailable[name]
    return instead === undefined ? `unrecognized flag ${shown}` : `${shown} is not available here: ${instead}`
  }
  if (!known.takesValue) return known.apply(draft, '') ?? undefined
  const given = value()
  if (given === undefined) return `a value is required for ${shown}`
  const problem = known.apply(draft, given)
  return typeof problem === 'string' ? `${shown}: ${problem}` : undefined
}
