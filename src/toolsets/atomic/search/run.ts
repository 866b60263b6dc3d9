// Searches contents: chooses files, matches and the page. Rendering is in render.ts.

import { ToolError, unreachable } from '../../../core/errors.ts'
import { compilePattern, type Pattern } from '../../../search/pattern.ts'
import { mayNameResource } from '../../../resources/kinds.ts'
import { listedPaths } from '../listed-paths.ts'
import { exclusionOf, resolveSearchTargets } from '../../../session/search-targets.ts'
import type { Session } from '../../../session/session.ts'
import { hintsFor } from '../../../session/search-hints.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { selectorCandidates } from '../../../text/hashline/selector.ts'
import type { LineSpan } from '../../../text/line-spans.ts'
import { collectMatches, type SearchScope } from './collect.ts'
import { renderSearch } from './render.ts'
import type { SearchSettings } from './settings.ts'

export interface SearchArguments {
  readonly pattern: string
  readonly paths?: string | readonly string[] | undefined
  readonly i?: boolean | undefined
  readonly case?: boolean | undefined
  readonly gitignore?: boolean | undefined
  readonly skip?: number | null | undefined
}

export async function runSearch(args: SearchArguments, call: ToolCall, settings: SearchSettings): Promise<ToolOutcome> {
  const { session } = call
  if (args.pattern.trim() === '') {
    throw new ToolError('invalid-arguments', 'The pattern is blank.', {
      nextStep: 'Give a regular expression; to list files use find.',
    })
  }
  const skip = args.skip ?? 0
  if (!Number.isFinite(skip) || skip < 0) {
    throw new ToolError('invalid-arguments', `"skip" must be a number of files, 0 or more, not ${skip}.`, {
      nextStep: 'Leave it out for the first page.',
    })
  }
  const pattern = compile(args)
  const output = outputAddress(args.paths)
  if (output !== undefined) return (await import('./search-output.ts')).runOutputSearch(output, pattern, settings, call)
  const given = (typeof args.paths === 'string' ? [args.paths] : (args.paths ?? [])).filter(path => path.trim() !== '')
  if (!given.some(path => mayNameResource(session.kinds, path))) return searchPaths(args, given, pattern, settings, call)
  const { openEntries } = await import('../../../session/open-entries.ts')
  const { resources, rest } = await openEntries(session, given, call.signal)
  if (resources.length === 0) return searchPaths(args, rest, pattern, settings, call)
  const { searchResources } = await import('./search-resources.ts')
  const inside = await searchResources(resources, pattern, settings, Math.floor(skip), call)
  return rest.length === 0 ? inside : joined(await searchPaths(args, rest, pattern, settings, call), inside)
}

/** Files first, then members of other resources. */
function joined(first: ToolOutcome, second: ToolOutcome): ToolOutcome {
  const sum = (name: string): number => Number(first.details[name]) + Number(second.details[name])
  const list = (name: string): unknown[] => [first, second].flatMap(({ details }) => Object(details[name]) as unknown[])
  return {
    content: [...first.content, ...second.content],
    details: {
      ...second.details,
      ...first.details,
      scopePath: `${String(first.details['scopePath'])}, ${String(second.details['scopePath'])}`,
      matchCount: sum('matchCount'),
      fileCount: sum('fileCount'),
      files: list('files'),
      fileMatches: { ...Object(first.details['fileMatches']), ...Object(second.details['fileMatches']) },
    },
  }
}

async function searchPaths(
  args: SearchArguments,
  paths: readonly string[],
  pattern: Pattern,
  settings: SearchSettings,
  call: ToolCall,
): Promise<ToolOutcome> {
  const { session } = call
  const skip = args.skip ?? 0
  const scope = await resolveScope(session, paths)
  const options = {
    scope,
    rank: settings.rank,
    skip: scope.singleFile === undefined ? Math.floor(skip) : 0,
    gitignore: args.gitignore ?? true,
    call,
  }
  const collected = await collectMatches({ ...options, pattern })
  const isEmpty = collected.files.length === 0 && options.skip === 0 && collected.end === 'complete'
  const hints = isEmpty
    ? await hintsFor(
        args.pattern,
        pattern,
        async other => (await collectMatches({ ...options, pattern: other })).files.length > 0,
      )
    : []
  return renderSearch({ collected, scope, skip: Math.floor(skip), session, pattern, settings, hints })
}

/** A kept output is searched alone. Throws `ToolError` if it is one of several paths. */
function outputAddress(paths: SearchArguments['paths']): string | undefined {
  const given = (typeof paths === 'string' ? [paths] : (paths ?? [])).map(path => path.trim())
  const address = given.find(path => /^artifact:\/\/\d/.test(path))
  if (address === undefined || given.length === 1) return address
  throw new ToolError('invalid-arguments', 'An artifact:// address is searched by itself.', {
    nextStep: `Search ${address} in a separate call.`,
  })
}

function compile(args: SearchArguments): Pattern {
  const compiled = compilePattern(args.pattern, { ignoreCase: args.i === true || args.case === false })
  switch (compiled.kind) {
    case 'pattern':
      return compiled.pattern
    case 'error':
      throw new ToolError('invalid-pattern', `The pattern ${JSON.stringify(args.pattern)} cannot be used: ${compiled.message}`, {
        nextStep: 'Correct it, or put a backslash before each character that is meant literally.',
      })
    default:
      return unreachable(compiled)
  }
}

async function resolveScope(session: Session, given: readonly string[]): Promise<SearchScope> {
  const entries = given.length === 0 ? ['.'] : given
  const withRange = entries.length === 1 ? await fileWithRange(session, entries[0] ?? '.') : undefined
  if (withRange !== undefined) return withRange
  const resolved = await resolveSearchTargets(session, entries)
  const { targets, missing } = resolved
  const isExcluded = await exclusionOf(session, resolved)
  if (targets.length === 0) {
    throw new ToolError('ENOENT', `No such file or directory: ${listedPaths(missing)}.`, {
      nextStep: 'Check the path with find, or leave "paths" out to search everything.',
      details: { missingPaths: missing },
    })
  }
  const [only, ...others] = targets
  if (only !== undefined && others.length === 0 && only.glob === undefined) {
    const file = await session.paths.resolve(only.base)
    if (file.stat?.kind === 'file') return { targets, isExcluded, missing, singleFile: file, ranges: undefined }
  }
  return { targets, isExcluded, missing, singleFile: undefined, ranges: undefined }
}

/** `a.ts:5-9`, unless a file has exactly that name. */
async function fileWithRange(session: Session, entry: string): Promise<SearchScope | undefined> {
  const text = entry.trim().replace(/^(["'])(.*)\1$/, '$2')
  for (const selector of selectorCandidates(text)) {
    const file = await session.paths.resolve(selector.path).catch(ignoreUnusable)
    if (file?.stat === undefined) continue
    if (selector.problem !== undefined) throw selector.problem
    if (selector.ranges.length === 0) return undefined
    if (file.stat.kind !== 'file') {
      throw new ToolError('selector-unsupported', `${file.display} is a directory; lines can be selected only in one file.`, {
        nextStep: 'Leave the line selector out.',
      })
    }
    const ranges = selector.ranges.map((range): LineSpan => ({
      start: range.start,
      end: range.end ?? endOfOpenRange(text, range.start),
    }))
    return {
      targets: [{ text, base: selector.path, glob: undefined }],
      isExcluded: undefined,
      missing: [],
      singleFile: file,
      ranges,
    }
  }
  return undefined
}

/** A bare `:5` selects that one line here, unlike in read; `:5-` selects up to the end (docs/toolsets/atomic.md). */
function endOfOpenRange(text: string, start: number): number {
  return /(?:-|\.\.)$/.test(text) ? Number.MAX_SAFE_INTEGER : start
}

function ignoreUnusable(error: unknown): undefined {
  // An invalid path cannot name the file; the search of the target reports it.
  if (error instanceof ToolError) return undefined
  throw error
}
