import { array, boolean, description, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { maxTimeoutMs, minTimeoutMs } from './limits.ts'

export const findTool: AnyTool = defineTool({
  name: 'find',
  describe: ({ limits }) =>
    [
      'Find files and directories by path or glob. To find text inside files, use `search`.',
      '`paths` holds files, directories or globs: `src`, `src/*.ts`, `**/*.test.ts`. A glob without a directory (`*.ts`) looks everywhere below the root.',
      'Ignore files (.gitignore, .ignore) are obeyed; .git is never listed and node_modules only when it is named.',
      `At most ${limits.findMaxResults} results, newest first; the search ends after ${limits.findTimeoutMs / 1000} s and says so.`,
    ].join('\n'),
  input: ({ limits }) =>
    argumentSchema(
      object({
        paths: pipe(array(string()), description('Files, directories or globs, relative to the workspace')),
        hidden: optional(pipe(boolean(), description('Include names that start with a dot (default true)'))),
        gitignore: optional(pipe(boolean(), description('Obey ignore files (default true)'))),
        limit: optional(
          pipe(number(), description(`Results to return, 1 to ${limits.findMaxResults} (default ${limits.findMaxResults})`)),
        ),
        timeout: optional(
          pipe(
            number(),
            description(`Seconds, ${minTimeoutMs / 1000} to ${maxTimeoutMs / 1000} (default ${limits.findTimeoutMs / 1000})`),
          ),
        ),
      }),
      { aliases: { path: 'paths', pattern: 'paths', glob: 'paths', patterns: 'paths', globs: 'paths' } },
    ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  executionMode: 'parallel',
  busy: ({ limits }) => ({
    defaultMs: limits.findTimeoutMs,
    argument: { name: 'timeout', unitMs: 1000, maxMs: maxTimeoutMs },
    minMs: limits.searchTimeoutMs,
  }),
  run: async (args, call) => (await import('./run.ts')).runFind(args, call),
})
