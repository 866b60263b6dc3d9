import { array, boolean, description, nullable, number, object, optional, pipe, string, union } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { SearchSettings } from './settings.ts'

export function createSearchTool(settings: SearchSettings): AnyTool {
  return defineTool({
    name: 'search',
    describe: ({ limits }) =>
      [
        'Search file contents with a regular expression (ripgrep syntax; no look-around, no back-references). To find files by name, use `find`.',
        'Each file comes as a header `[path#TAG]`, which `edit` accepts, and rows: `*N:text` matches, ` N:text` is context.',
        `Context is ${settings.contextBefore} before and ${settings.contextAfter} after. A page holds ${limits.searchFilesPerPage} files; go on with "skip".${settings.rank === 'recent' ? ' Files that were changed last come first.' : ''}`,
        `At most ${limits.searchMatchesPerFile} matches of a file are shown, ${limits.searchMatchesInSingleFile} when one file is searched. Files above ${formatSize(limits.searchMaxFileBytes)} and binary files are left out.`,
        'One file can be narrowed to lines: `src/app.ts:100-200`.',
      ].join('\n'),
    input: argumentSchema(
      object({
        pattern: pipe(
          string(),
          description('Regular expression, matched line by line; with \\\\n or [\\\\s\\\\S] in it, across lines'),
        ),
        paths: optional(
          pipe(union([string(), array(string())]), description('Files, directories or globs (default: the whole workspace)')),
        ),
        i: optional(pipe(boolean(), description('Ignore case'))),
        case: optional(pipe(boolean(), description('false ignores case'))),
        gitignore: optional(pipe(boolean(), description('Obey ignore files (default true)'))),
        skip: optional(pipe(nullable(number()), description('Matching files to skip, for the next page'))),
      }),
      {
        aliases: {
          path: 'paths',
          regex: 'pattern',
          query: 'pattern',
          ignoreCase: 'i',
          ignore_case: 'i',
          caseInsensitive: 'i',
          case_insensitive: 'i',
          case_sensitive: 'case',
          caseSensitive: 'case',
          include: 'paths',
          glob: 'paths',
          offset: 'skip',
        },
      },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    executionMode: 'parallel',
    run: async (args, call) => (await import('./run.ts')).runSearch(args, call, settings),
  })
}
