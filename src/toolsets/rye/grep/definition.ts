import { description, integer, minValue, number, object, optional, pipe, string } from 'valibot'

import type { CombinedArguments } from '../../../core/coerce.ts'
import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { ignoredDirectoryNames } from '../ignored.ts'
import { maxLineCharacters, maxResults, searchTimeoutMs } from '../limits.ts'
import type { RyeState } from '../state.ts'

export function createGrepTool(state: RyeState): AnyTool {
  return defineTool({
    name: 'grep',
    describe: ({ limits }) => [
      'Search file contents with a regular expression (ripgrep syntax, case-sensitive; no look-around, no back-references).',
      'A match is `path:line:[LID:xxxxxx]:text`; the line ID is there when the file was read and has not changed since, and `edit_lines` takes it.',
      `At most ${maxResults} matches, sorted by path and line; go on with "offset". Lines are cut at ${maxLineCharacters} characters; the search ends after ${searchTimeoutMs / 1000} s and says so.`,
      `Binary files and files above ${formatSize(limits.searchMaxFileBytes)} are left out. Never searched: ${ignoredDirectoryNames.join(', ')}.`,
    ],
    input: argumentSchema(
      object({
        pattern: pipe(string(), description('Regex pattern to search for')),
        path: optional(pipe(string(), description('Directory or file to search in (default: project root)'))),
        include: optional(pipe(string(), description('File glob filter (e.g., `*.py`)'))),
        offset: optional(pipe(number(), integer(), minValue(0), description('Matches to skip, for the next page (default 0)'))),
      }),
      {
        aliases: { regex: 'pattern', query: 'pattern', directory: 'path', file_path: 'path', glob: 'include' },
        combine: withCaseInPattern,
      },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runGrep(args, call, state),
  })
}

const ignoringCase = ['i', '-i', 'ignoreCase', 'ignore_case', 'caseInsensitive', 'case_insensitive']
const mindingCase = ['case', 'case_sensitive', 'caseSensitive']

/** Other tools have an argument for it; here it is part of the pattern. */
function withCaseInPattern(input: Readonly<Record<string, unknown>>): CombinedArguments | undefined {
  const isGiven = (names: readonly string[], value: boolean): boolean => names.some(name => String(input[name]) === String(value))
  const ignores = isGiven(ignoringCase, true) || isGiven(mindingCase, false)
  const named = ['pattern', 'regex', 'query'].find(name => typeof input[name] === 'string' && input[name] !== '')
  if (named === undefined || !(ignores || isGiven(ignoringCase, false) || isGiven(mindingCase, true))) return undefined
  const others = Object.entries(input).filter(([name]) => !ignoringCase.includes(name) && !mindingCase.includes(name))
  const pattern = `${ignores ? '(?i)' : ''}${String(input[named])}`
  return {
    input: { ...Object.fromEntries(others), [named]: pattern },
    warnings: ignores ? ['Case is ignored because the pattern was read with (?i) before it.'] : [],
  }
}
