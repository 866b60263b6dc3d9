// The combined meaning of the options that option-rows.ts lists.

import { words } from '../../core/words.ts'
import { fatal, GitFailure } from '../errors.ts'
import { knownIgnore, submoduleIgnore, type SubmoduleIgnore } from '../work/submodule-dirt.ts'
import type { Options } from '../options.ts'
import type { Config } from '../store/config.ts'
import type { LineDiffOptions } from '../../text/git-diff/diff-lines.ts'
import type { WordDiffOptions } from '../../text/git-diff/word-diff.ts'
import { wantsColor } from '../color/wants-color.ts'
import type { DirstatSettings } from './dirstat.ts'
import { percent } from './renames.ts'
import type { DiffFormat } from './option-rows.ts'

export interface DiffSettings {
  /** In order of output, each once; empty for none. */
  readonly formats: ReadonlySet<DiffFormat>
  readonly context: number
  readonly interHunkContext: number
  readonly lines: LineDiffOptions
  readonly ignoresBlankLines: boolean
  readonly nullTerminated: boolean
  readonly renames: 'none' | 'renames' | 'copies' | 'copies-harder'
  readonly minimumPercent: number
  readonly renameLimit: number
  readonly filter: string | undefined
  readonly pickaxe:
    | { readonly kind: 'string' | 'pattern'; readonly test: (bytes: Uint8Array) => number; readonly keepsAll: boolean }
    | undefined
  readonly isReversed: boolean
  /** Only paths below this, shown relative to it; `undefined` for all. '' means the working directory at the root. */
  readonly relative: string | undefined
  readonly isText: boolean
  readonly isBinaryPatch: boolean
  /** Print full IDs of contents. */
  readonly fullIndex: 'never' | 'binary' | 'always'
  /** Digits of IDs; `undefined` for as many as needed. */
  readonly abbrev: number | undefined
  readonly prefixes: readonly [before: string, after: string]
  readonly stat: {
    readonly width: number
    readonly isWidthGiven: boolean
    readonly nameWidth: number
    readonly graphWidth: number
    readonly count: number
  }
  readonly omitsDeleted: boolean
  /** `undefined` where neither an option nor the configuration names any. */
  readonly dirstat: DirstatSettings | undefined
  /** Lines whose changes alone are not shown. */
  readonly isIgnoredLine: ((line: Uint8Array) => boolean) | undefined
  readonly wholeFunctions: boolean
  readonly words: WordDiffOptions | undefined
  readonly signs: { readonly same: string; readonly removed: string; readonly added: string } | undefined
  /** The name of the file with patterns that order the output. */
  readonly orderFile: { readonly name: string; readonly isFromRoot: boolean } | undefined
  /** The first path to show; files before it come last, or are left out. */
  readonly firstPath: { readonly path: string; readonly skips: boolean } | undefined
  /** The ID of an object: only pairs that have it on exactly one side. */
  readonly objectName: string | undefined
  /** Empty files may be renamed. */
  readonly renamesEmpty: boolean
  readonly isColored: boolean
  /** In which lines whitespace errors are colored. */
  readonly errorsIn: ReadonlySet<'old' | 'new' | 'context'>
  readonly submodules: 'short' | 'log' | 'refused'
  readonly submoduleIgnore: SubmoduleIgnore
}

export interface DiffDefaults {
  readonly format: DiffFormat | undefined
  readonly config: Config
  /** The working directory below the root, '' or with '/' at its end. */
  readonly prefix: string
  /** Plumbing ignores the configuration and finds no renames by default. */
  readonly isPlumbing?: boolean
  readonly fullIds?: boolean
  /** The prefixes that `diff.mnemonicPrefix` gives to the two sides. */
  readonly mnemonics?: readonly [before: string, after: string] | undefined
}

function numberOf(options: Options, key: string, otherwise: number): number {
  const text = options.value(key)
  if (text === undefined || text === '') return otherwise
  if (!/^\d+$/.test(text)) throw new GitFailure(`error: ${key} expects a numerical value`, 129)
  return Number(text)
}

export async function readDiffSettings(
  options: Options,
  { format: usual, config, prefix, isPlumbing = false, fullIds = false, mnemonics }: DiffDefaults,
): Promise<DiffSettings> {
  if (options.has('textconv') || options.has('ext-diff')) (await import('./rare-forms.ts')).refusePrograms(options, config)
  const isColored = isColoredDiff(options, config, isPlumbing)
  const isKnown = ['myers', 'default', 'minimal', 'patience', 'histogram'].includes(
    config.get('diff.algorithm')?.toLowerCase() ?? 'myers',
  )
  if (!isPlumbing && !isKnown) throw config.bad('diff.algorithm')
  const algorithm = options.value('diff-algorithm') ?? (isPlumbing ? undefined : config.get('diff.algorithm')) ?? 'myers'
  const context = numberOf(options, 'unified', (isPlumbing ? undefined : config.number('diff.context')) ?? 3)
  const noPrefix =
    options.has('no-prefix') ||
    (!isPlumbing && !options.has('default-prefix') && config.has('diff.noprefix') && config.bool('diff.noprefix', false))
  const isMnemonic = !isPlumbing && !options.has('default-prefix') && config.bool('diff.mnemonicprefix', false)
  const usualPrefixes = (isMnemonic ? mnemonics : undefined) ?? ['a/', 'b/']
  const prefixes: readonly [string, string] = noPrefix
    ? ['', '']
    : [options.value('src-prefix') ?? usualPrefixes[0], options.value('dst-prefix') ?? usualPrefixes[1]]
  const isReversed = options.has('reverse-sides')
  const [statWidth, statNameWidth, statCount] = (options.value('stat') ?? '').split(',')
  const whitespace = options.value('whitespace')
  const abbrev = options.value('abbrev')
  const patterns = options.given.some(({ key }) => patternKeys.has(key)) ? await import('./rare-forms.ts') : undefined
  return {
    formats: formatsOf(options, usual),
    context,
    interHunkContext: numberOf(
      options,
      'inter-hunk-context',
      (isPlumbing ? undefined : config.number('diff.interhunkcontext')) ?? 0,
    ),
    lines: {
      algorithm: algorithmOf(algorithm),
      whitespace:
        whitespace === 'all' || whitespace === 'change' || whitespace === 'at-end' || whitespace === 'cr-at-end'
          ? whitespace
          : 'exact',
      indentHeuristic: prefersIndent(options, config),
      cutsCommonTail: context === 0,
    },
    ignoresBlankLines: options.has('ignore-blank-lines'),
    nullTerminated: options.has('z'),
    ...renamesOf(options, config, isPlumbing),
    renameLimit: Number(options.value('rename-limit') ?? config.get('diff.renamelimit') ?? 1000) || 32_767,
    filter: statusFilter(options.values('diff-filter').join('') || undefined),
    pickaxe: patterns?.pickaxeOf(options),
    isReversed,
    relative: relativeOf(options, config, prefix, isPlumbing),
    isText: options.has('text'),
    isBinaryPatch: options.has('binary'),
    fullIndex:
      options.has('full-index') || (abbrev === undefined && options.isNegated('abbrev') && !options.has('binary'))
        ? 'always'
        : options.has('binary')
          ? 'binary'
          : 'never',
    abbrev: options.isNegated('abbrev')
      ? 40
      : abbrev !== undefined
        ? Math.min(40, Math.max(4, Number(abbrev)))
        : fullIds && !options.has('abbrev')
          ? 40
          : undefined,
    prefixes: isReversed ? [prefixes[1], prefixes[0]] : prefixes,
    stat: {
      width: Number(statWidth || options.value('stat-width') || 80),
      isWidthGiven: Boolean(statWidth || options.value('stat-width')),
      nameWidth: Number(statNameWidth || options.value('stat-name-width') || 0),
      graphWidth: Number(options.value('stat-graph-width') ?? 0),
      count: Number(statCount || options.value('stat-count') || 0),
    },
    omitsDeleted: options.has('irreversible-delete'),
    dirstat: await dirstatOf(options, isPlumbing ? undefined : config.get('diff.dirstat')),
    isIgnoredLine: patterns?.ignoredLine(options.values('ignore-matching-lines')),
    wholeFunctions: options.has('function-context'),
    words: patterns?.wordsOf(options, isPlumbing ? undefined : config.get('diff.wordregex')),
    signs: signsOf(options),
    orderFile: orderFileOf(options, isPlumbing ? undefined : config.get('diff.orderfile')),
    firstPath: firstPathOf(options),
    objectName: options.value('find-object'),
    renamesEmpty: !options.isNegated('rename-empty'),
    isColored,
    errorsIn: errorKinds(options.value('ws-error-highlight') ?? (isPlumbing ? undefined : config.get('diff.wserrorhighlight'))),
    submodules: submodulesOf(options, config, isPlumbing),
    submoduleIgnore: submoduleIgnore(options, 'none'),
  }
}

function statusFilter(text: string | undefined): string | undefined {
  const unknown = /[^ACDMRTUXB*]/i.exec(text ?? '')?.[0]
  // What is both wanted and unwanted is forgotten, and nothing but that is no filter.
  const wanted = (text ?? '').replaceAll(/[^A-Z*]/g, '')
  const isForgotten = wanted !== '' && [...wanted].every(letter => letter !== '*' && text?.includes(letter.toLowerCase()))
  if (unknown === undefined) return isForgotten ? undefined : text
  throw new GitFailure(`error: unknown change class '${unknown}' in --diff-filter=${text ?? ''}`, 129)
}

function isColoredDiff(options: Options, config: Config, isPlumbing: boolean): boolean {
  const isAsked = options.has('color') || options.has('color-words') || options.value('word-diff') === 'color'
  const isColored = isPlumbing ? isAsked && wantsColor(options, config, []) : wantsColor(options, config, ['color.diff'])
  const moved = options.isNegated('color-moved')
    ? 'no'
    : options.has('color-moved')
      ? (options.value('color-moved') ?? 'default')
      : ((isPlumbing ? undefined : config.get('diff.colormoved')) ?? 'no')
  if (isColored && !['no', 'false', 'off', '0'].includes(moved))
    throw new GitFailure('error: --color-moved: finding moved lines is not built into this git; use --no-color-moved', 129)
  return isColored
}

/** Also plumbing and `blame` follow this setting. */
export function prefersIndent(options: Options, config: Config): boolean {
  if (options.has('indent-heuristic')) return true
  return !options.isNegated('indent-heuristic') && config.bool('diff.indentheuristic', true)
}

function errorKinds(text: string | undefined): DiffSettings['errorsIn'] {
  const kinds = new Set<'old' | 'new' | 'context'>(['new'])
  for (const [index, word] of (text ?? 'default').split(',').entries()) {
    if (index === 0 || word === 'none' || word === 'default' || word === 'all') kinds.clear()
    if (word === 'default') kinds.add('new')
    else if (word === 'all') kinds.add('old').add('new').add('context')
    else if (word === 'old' || word === 'new' || word === 'context') kinds.add(word)
    else if (word !== 'none' && word !== '')
      throw new GitFailure(`error: unknown value after ws-error-highlight=${text ?? ''}`, 129)
  }
  return kinds
}

function submodulesOf(options: Options, config: Config, isPlumbing: boolean): DiffSettings['submodules'] {
  knownIgnore(submoduleIgnore(options, 'none').given ?? config.get('diff.ignoresubmodules') ?? 'none')
  const usual = isPlumbing ? undefined : config.get('diff.submodule')
  const form = options.has('submodule') ? (options.value('submodule') ?? 'log') : (usual ?? 'short')
  return form === 'short' || form === 'log' ? form : 'refused'
}

async function dirstatOf(options: Options, setting: string | undefined): Promise<DirstatSettings | undefined> {
  const given = options.given.flatMap(({ key, value }) => {
    if (key === 'dirstat') return [value ?? '']
    if (key === 'dirstat-by-file') return ['files', value ?? '']
    return key === 'cumulative' ? ['cumulative'] : []
  })
  if (setting === undefined && given.length === 0) return undefined
  return (await import('./rare-forms.ts')).readDirstat([setting ?? '', ...given])
}

function orderFileOf(options: Options, setting: string | undefined): DiffSettings['orderFile'] {
  const given = options.value('order-file')
  if (given !== undefined) return { name: given, isFromRoot: false }
  return setting === undefined || setting === '' ? undefined : { name: setting, isFromRoot: true }
}

function signsOf(options: Options): DiffSettings['signs'] {
  const character = (name: string, usual: string): string => {
    const text = options.value(`output-indicator-${name}`) ?? usual
    if (text.length === 1) return text
    throw new GitFailure(`error: output-indicator-${name} expects a character, got '${text}'`, 129)
  }
  const signs = { same: character('context', ' '), removed: character('old', '-'), added: character('new', '+') }
  return signs.same + signs.removed + signs.added === ' -+' ? undefined : signs
}

function firstPathOf(options: Options): DiffSettings['firstPath'] {
  const skipped = options.value('skip-to')
  const path = skipped ?? options.value('rotate-to')
  return path === undefined ? undefined : { path, skips: skipped !== undefined }
}

function algorithmOf(name: string): 'myers' | 'minimal' | 'patience' | 'histogram' {
  if (name === 'myers' || name === 'default') return 'myers'
  if (name === 'minimal' || name === 'patience' || name === 'histogram') return name
  throw new GitFailure('error: option diff-algorithm accepts "myers", "minimal", "patience" and "histogram"', 129)
}

function formatsOf(options: Options, usual: DiffFormat | undefined): ReadonlySet<DiffFormat> {
  const formats = new Set<DiffFormat>()
  for (const { key, value } of options.given) {
    if (key === 'diff-format' && value !== undefined && isFormat(value)) formats.add(value)
    else if (
      key === 'stat' ||
      key === 'patch-with-stat' ||
      key === 'stat-width' ||
      key === 'stat-count' ||
      key === 'stat-name-width' ||
      key === 'stat-graph-width'
    ) {
      formats.add('stat')
      if (key === 'patch-with-stat') formats.add('patch')
    } else if (key === 'patch-with-raw') formats.add('raw').add('patch')
    else if (key === 'dirstat' || key === 'dirstat-by-file' || key === 'cumulative') formats.add('dirstat')
    else if (key === 'compact-summary') formats.add('stat').add('compact-summary')
    else if (key === 'unified' || (key === 'binary' && !options.given.some(option => option.key === 'diff-format')))
      formats.add('patch')
  }
  const isSilent = isDiffSilenced(options)
  if (formats.size === 0 && usual !== undefined && !isSilent) formats.add(usual)
  const exclusive = (['name-only', 'name-status', 'check'] as const).filter(name => formats.has(name))
  if (exclusive.length + (isSilent ? 1 : 0) > 1)
    throw fatal("options '--name-only', '--name-status', '--check', and '-s' cannot be used together")
  return isSilent ? new Set() : exclusive.length > 0 ? new Set(exclusive) : formats
}

/** The options with patterns, or with words. */
const patternKeys: ReadonlySet<string> = new Set(
  'pickaxe-string pickaxe-pattern ignore-matching-lines word-diff color-words word-diff-regex'.split(' '),
)

const patchKeys: ReadonlySet<string> = new Set(['unified', 'binary', 'patch-with-stat', 'patch-with-raw'])

/** `-s` hides all forms; only one that asks for a patch undoes it. */
export function isDiffSilenced(options: Options): boolean {
  const last = options.given.findLast(
    ({ key, value }) => key === 'no-patch' || patchKeys.has(key) || (key === 'diff-format' && value === 'patch'),
  )
  return last?.key === 'no-patch'
}

function isFormat(text: string): text is DiffFormat {
  return ['patch', 'numstat', 'shortstat', 'summary', 'name-only', 'name-status', 'raw', 'check'].includes(text)
}

/** The options that show differences, or choose their form. */
const showing = new Set(
  words(`
    diff-format stat patch-with-stat patch-with-raw compact-summary unified stat-width stat-name-width stat-graph-width
    stat-count dirstat dirstat-by-file cumulative
  `),
)

/** Whether any option asks for differences: otherwise `log` shows none. */
export function asksForDiff(options: Options): boolean {
  return options.given.some(({ key }) => showing.has(key)) || options.has('binary')
}

function renamesOf(options: Options, config: Config, isPlumbing: boolean): Pick<DiffSettings, 'renames' | 'minimumPercent'> {
  const isOff = options.given.findLast(({ key }) => key === 'no-renames' || key === 'find-renames' || key === 'find-copies')
  const text = options.value('find-copies') ?? options.value('find-renames')
  const minimumPercent = percent(text, 50)
  if (isOff?.key === 'no-renames') return { renames: 'none', minimumPercent }
  if (options.has('find-copies-harder') || options.count('find-copies') > 1) return { renames: 'copies-harder', minimumPercent }
  if (options.has('find-copies')) return { renames: 'copies', minimumPercent }
  if (options.has('find-renames')) return { renames: 'renames', minimumPercent }
  if (isPlumbing) return { renames: 'none', minimumPercent }
  const setting = config.get('diff.renames')
  if (setting === 'copies' || setting === 'copy') return { renames: 'copies', minimumPercent }
  return { renames: setting === undefined || config.bool('diff.renames', true) ? 'renames' : 'none', minimumPercent }
}

function relativeOf(options: Options, config: Config, prefix: string, isPlumbing: boolean): string | undefined {
  const isOn =
    options.has('relative') ||
    (!isPlumbing && !options.isNegated('relative') && config.has('diff.relative') && config.bool('diff.relative', false))
  return isOn ? (options.value('relative') ?? prefix) : undefined
}
