// Compiles the patterns of a call with the engine that its options select, and words what ripgrep refuses as ripgrep does.

import { compilePatterns, escapePattern, type CompileOptions, type Pattern } from '../../search/pattern.ts'
import type { RgOptions } from './options.ts'
import { problemOfPattern } from './pattern-problem.ts'
import { linearPattern, onStoredText, storedLinesPattern, type RgPattern } from './rg-pattern.ts'
import { UsageError } from './usage-error.ts'

const perlHint = 'Consider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around.'
const divider = '~'.repeat(79)

/** Rejects with `UsageError` for a pattern that ripgrep refuses. */
export async function compileRgPattern(sources: readonly string[], options: RgOptions): Promise<RgPattern> {
  const { engine } = options
  if (engine === 'pcre2') return compileAsPerl(sources, options)
  try {
    return compileLinear(sources, options)
  } catch (error) {
    if (engine === 'auto' && error instanceof UsageError) return compileEither(sources, options, error)
    throw error
  }
}

async function compileEither(sources: readonly string[], options: RgOptions, first: UsageError): Promise<RgPattern> {
  try {
    return await compileAsPerl(sources, options)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(bothProblems(first.message, error.message))
    throw error
  }
}

async function compileAsPerl(sources: readonly string[], options: RgOptions): Promise<RgPattern> {
  const { compilePerl } = await import('./perl-pattern.ts')
  return asGroupsIfNeeded(sources, options, asked => {
    const pattern = compilePerl(asked, options)
    if (typeof pattern === 'string') throw new UsageError(pattern)
    return options.nullData ? onStoredText(pattern) : pattern
  })
}

function compileLinear(sources: readonly string[], options: RgOptions): RgPattern {
  const { fixedStrings, unicode, engine } = options
  const problem = fixedStrings ? undefined : problemOfPattern(sources, unicode)
  if (problem !== undefined)
    throw new UsageError(problem.isForPerl && engine === 'default' ? `${problem.message}\n\n${perlHint}` : problem.message)
  return asGroupsIfNeeded(sources, options, asked => compileSources(asked, options))
}

function compileSources(sources: readonly string[], options: RgOptions): RgPattern {
  const compileOptions: CompileOptions = {
    ignoreCase: options.caseMode === 'insensitive',
    smartCase: options.caseMode === 'smart',
    isLiteral: options.fixedStrings,
    isStrict: true,
    unicode: options.unicode,
    dotMatchesNewline: options.multiline && options.multilineDotall,
    ...(options.boundary === undefined ? {} : { around: options.boundary }),
    scope: options.multiline ? 'text' : 'line',
    isCrlf: options.crlf,
    seesCarriageReturns: true,
    hasCaptures: options.replace !== undefined,
    swapsNull: options.nullData,
  }
  const first = compiled(sources, compileOptions)
  const isCrlfOfLines = options.crlf && !options.multiline
  const ofLines = isCrlfOfLines ? compiled(sources, { ...compileOptions, excludesReturn: true }) : first
  // With --null-data, the null byte takes the place of the line feed.
  const banned = ofLines.namesAlone('\n') ? (options.nullData ? '\\0' : '\\n') : undefined
  const bannedReturn = options.crlf && first.namesAlone('\r') ? '\\r' : undefined
  if (!options.multiline && (banned ?? bannedReturn) !== undefined) {
    throw new UsageError(
      `the literal "${banned ?? bannedReturn}" is not allowed in a regex\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\nWhen multiline mode is enabled, new line characters can be matched.`,
    )
  }
  if (!isText(sources, options) && first.namesAlone('\0') && options.binary !== 'text' && !options.nullData) {
    throw new UsageError(
      'pattern contains "\\0" but it is impossible to match\n\nA null byte ends the search of a file as text. Search it as text with the --text flag (or -a for short).',
    )
  }
  const limit = options.programSizeLimit
  if (limit !== undefined && first.sizeBytes() > limit) throw new UsageError(`compiled regex exceeds size limit of ${limit}`)
  // A pattern that cannot match a line break is searched for line by line, also with -U. Anchors count as line breaks, as in ripgrep.
  const isOfLines =
    !first.couldCrossLines && !first.anchorsText && !first.anchorsLines() && !options.nullData && bannedReturn === undefined
  if (options.nullData && first.anchorsLines()) {
    const stored = compiled(sources, { ...compileOptions, scope: 'text', swapsNull: false })
    return storedLinesPattern(stored, options.multiline ? 'text' : 'line')
  }
  const isOfNullLines = options.nullData && !first.anchorsText && !first.mayMatchNewline()
  if (options.multiline && (isOfLines || isOfNullLines))
    return linearPattern(compiled(sources, { ...compileOptions, scope: 'line' }))
  return linearPattern(ofLines)
}

/** ripgrep does not look into texts without special characters. */
function isText(sources: readonly string[], { caseMode, fixedStrings }: RgOptions): boolean {
  return caseMode === 'sensitive' && (fixedStrings || sources.every(source => escapePattern(source) === source))
}

function bothProblems(ofDefault: string, ofPerl: string): string {
  return [
    'regex could not be compiled with either the default regex engine or with PCRE2.\n',
    `default regex engine error:\n${divider}\n${ofDefault}\n${divider}\n`,
    `PCRE2 regex engine error:\n${ofPerl}`,
  ].join('\n')
}

/** ripgrep puts each pattern into a group, so even a pattern such as `)(` can be parsed. */
function asGroupsIfNeeded<P>(
  sources: readonly string[],
  { fixedStrings }: RgOptions,
  compile: (sources: readonly string[]) => P,
): P {
  try {
    return compile(sources)
  } catch (error) {
    if (!(error instanceof UsageError) || fixedStrings) throw error
    try {
      return compile(sources.map(source => `(?:${source})`))
    } catch (again) {
      if (again instanceof UsageError) throw error
      throw again
    }
  }
}

function compiled(sources: readonly string[], options: CompileOptions): Pattern {
  // An empty list of patterns matches nothing.
  const result = compilePatterns(sources.length === 0 ? ['[a&&b]'] : sources, sources.length === 0 ? { isStrict: true } : options)
  if (result.kind === 'error') throw new UsageError(`regex parse error:\n${result.message}`)
  return result.pattern
}
