import { array, boolean, description, nullable, number, object, optional, pipe, string, union } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { joinPathsAndGlobs } from '../paths-and-globs.ts'
import type { SearchSettings } from './settings.ts'

export function createSearchTool(settings: SearchSettings): AnyTool {
  return defineTool({
    name: 'search',
    describe: ({ limits }) => [
      'Search file contents with a regular expression (ripgrep syntax; no look-around, no back-references).',
      `Each file comes as a header \`[path#TAG]\`, which \`edit\` accepts, and rows: \`*N:text\` matches, \` N:text\` is context (${settings.contextBefore} before, ${settings.contextAfter} after).`,
      `A page has ${limits.searchFilesPerPage} files${settings.rank === 'recent' ? ', last changed first,' : ''} with ${limits.searchMatchesPerFile} matches each; one file, or lines of it (\`a.ts:100-200\`), ${limits.searchMatchesInSingleFile}.`,
      `Files above ${formatSize(limits.searchMaxFileBytes)} and binary files are left out.`,
    ],
    input: argumentSchema(
      object({
        pattern: pipe(string(), description('Matched line by line; with \\n or [\\s\\S] in it, across lines')),
        paths: optional(
          pipe(
            union([string(), array(string())]),
            description('Files, directories or globs, ! to leave out (default: everything)'),
          ),
        ),
        i: optional(pipe(boolean(), description('Ignore case'))),
        case: optional(pipe(boolean(), description('false ignores case'))),
        gitignore: optional(pipe(boolean(), description('Obey ignore files (default; not `*.log`)'))),
        skip: optional(pipe(nullable(number()), description('Matching files to skip'))),
      }),
      {
        aliases: {
          path: 'paths',
          regex: 'pattern',
          query: 'pattern',
          '-i': 'i',
          ignoreCase: 'i',
          ignore_case: 'i',
          caseInsensitive: 'i',
          case_insensitive: 'i',
          case_sensitive: 'case',
          caseSensitive: 'case',
          include: 'paths',
          glob: 'paths',
          globs: 'paths',
          offset: 'skip',
        },
        combine: input => joinPathsAndGlobs(input, ['glob', 'include', 'globs']),
      },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runSearch(args, call, settings),
  })
}
