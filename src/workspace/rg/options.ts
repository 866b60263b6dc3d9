// The options of a call of rg, after all flags were parsed.

import type { ColorSpecs } from './colors.ts'
import { defaultColors } from './colors.ts'
import { FileTypes } from './file-types.ts'

export type RgMode =
  | 'lines'
  | 'count'
  | 'count-matches'
  | 'files-with-matches'
  | 'files-without-match'
  | 'json'
  | 'files'
  | 'type-list'
  | 'help'
  | 'short-help'
  | 'version'
  | 'short-version'
  | 'pcre2-version'
  | { readonly generate: string }

export interface RgGlob {
  readonly glob: string
  readonly ignoreCase: boolean
}

export type SortKey = 'none' | 'path' | 'modified' | 'accessed' | 'created'

/** `both` applies if `before` or `after` is not given; with `passthru` the whole file is context. */
export type ContextOption =
  | { readonly kind: 'passthru' }
  | {
      readonly kind: 'limited'
      readonly before?: number | undefined
      readonly after?: number | undefined
      readonly both?: number | undefined
    }

export interface RgOptions {
  mode: RgMode
  /** If the pattern is given elsewhere, all of these are paths. */
  positionals: string[]
  patterns: RgPatternSource[]
  fixedStrings: boolean
  caseMode: 'sensitive' | 'insensitive' | 'smart'
  boundary: 'word' | 'line' | undefined
  invert: boolean
  unicode: boolean
  multiline: boolean
  multilineDotall: boolean
  crlf: boolean
  nullData: boolean
  stopOnNonmatch: boolean
  maxCount: number
  programSizeLimit: number | undefined
  binary: 'auto' | 'search' | 'text'
  /** Whether binary data is searched as in a memory map; `auto`: if only a few files are named. */
  mmap: 'auto' | 'always' | 'never'
  /** `auto` uses the byte order mark; `none` reads the bytes unchanged. */
  encoding: string
  searchZip: boolean
  engine: 'default' | 'pcre2' | 'auto'
  context: ContextOption
  onlyMatching: boolean
  replace: string | undefined
  lineNumber: boolean | undefined
  column: boolean | undefined
  byteOffset: boolean
  heading: boolean | undefined
  vimgrep: boolean
  withFilename: boolean | undefined
  maxColumns: number | undefined
  maxColumnsPreview: boolean
  trim: boolean
  passNull: boolean
  includeZero: boolean
  quiet: boolean
  stats: boolean
  debug: boolean
  color: 'never' | 'auto' | 'always' | 'ansi'
  colors: ColorSpecs
  contextSeparator: Uint8Array | undefined
  fieldContextSeparator: Uint8Array
  fieldMatchSeparator: Uint8Array
  pathSeparator: string | undefined
  globs: RgGlob[]
  globCaseInsensitive: boolean
  types: FileTypes
  typeChanges: { readonly kind: 'select' | 'negate'; readonly name: string }[]
  hidden: boolean
  follow: boolean
  maxDepth: number
  maxFileBytes: number
  ignoreFiles: string[]
  ignoreFileCaseInsensitive: boolean
  noIgnoreDot: boolean
  noIgnoreExclude: boolean
  noIgnoreFiles: boolean
  noIgnoreGlobal: boolean
  noIgnoreParent: boolean
  noIgnoreVcs: boolean
  requireGit: boolean
  unrestricted: number
  sort: { readonly key: SortKey; readonly isReverse: boolean }
  messages: boolean
  ignoreMessages: boolean
  /** Flags that are not available here, and the advice for each. */
  refused: Map<string, string>
}

export type RgPatternSource = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'file'; readonly path: string }

const encoder = new TextEncoder()

export function defaultOptions(): RgOptions {
  return {
    mode: 'lines',
    positionals: [],
    patterns: [],
    fixedStrings: false,
    caseMode: 'sensitive',
    boundary: undefined,
    invert: false,
    unicode: true,
    multiline: false,
    multilineDotall: false,
    crlf: false,
    nullData: false,
    stopOnNonmatch: false,
    maxCount: Number.POSITIVE_INFINITY,
    programSizeLimit: undefined,
    binary: 'auto',
    mmap: 'auto',
    encoding: 'auto',
    searchZip: false,
    engine: 'default',
    context: { kind: 'limited' },
    onlyMatching: false,
    replace: undefined,
    lineNumber: undefined,
    column: undefined,
    byteOffset: false,
    heading: undefined,
    vimgrep: false,
    withFilename: undefined,
    maxColumns: undefined,
    maxColumnsPreview: false,
    trim: false,
    passNull: false,
    includeZero: false,
    quiet: false,
    stats: false,
    debug: false,
    color: 'auto',
    colors: defaultColors,
    contextSeparator: encoder.encode('--'),
    fieldContextSeparator: encoder.encode('-'),
    fieldMatchSeparator: encoder.encode(':'),
    pathSeparator: undefined,
    globs: [],
    globCaseInsensitive: false,
    types: new FileTypes(),
    typeChanges: [],
    hidden: false,
    follow: false,
    maxDepth: Number.POSITIVE_INFINITY,
    maxFileBytes: Number.POSITIVE_INFINITY,
    ignoreFiles: [],
    ignoreFileCaseInsensitive: false,
    noIgnoreDot: false,
    noIgnoreExclude: false,
    noIgnoreFiles: false,
    noIgnoreGlobal: false,
    noIgnoreParent: false,
    noIgnoreVcs: false,
    requireGit: true,
    unrestricted: 0,
    sort: { key: 'none', isReverse: false },
    messages: true,
    ignoreMessages: true,
    refused: new Map(),
  }
}
