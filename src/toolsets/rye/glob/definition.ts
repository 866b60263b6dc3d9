import { description, integer, minValue, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { ignoredDirectoryNames } from '../ignored.ts'
import { maxResults } from '../limits.ts'

export const globTool: AnyTool = defineTool({
  name: 'glob',
  describe: () => [
    'Find files by a glob such as `*.md` or `src/**/*.py`. It matches at any depth below "path"; dotfiles are files too.',
    `Results are paths from the project root, sorted, at most ${maxResults}; go on with "offset".`,
    `Never searched: ${ignoredDirectoryNames.join(', ')}.`,
  ],
  input: argumentSchema(
    object({
      pattern: pipe(string(), description('Glob pattern (e.g., `**/*.py`, `*.md`)')),
      path: optional(pipe(string(), description('Base directory to search from (default: project root)'))),
      offset: optional(pipe(number(), integer(), minValue(0), description('Results to skip, for the next page (default 0)'))),
    }),
    { aliases: { glob: 'pattern', directory: 'path', dir: 'path' } },
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (args, call) => (await import('./run.ts')).runGlob(args, call),
})
