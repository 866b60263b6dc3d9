import { array, boolean, description, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { joinPathsAndGlobs } from '../paths-and-globs.ts'
import { maxTimeoutMs, minTimeoutMs } from './limits.ts'

export const findTool: AnyTool = defineTool({
  name: 'find',
  describe: () => [
    'Find files and directories by path or glob.',
    '`paths`: `src`, `src/*.ts`, `*.ts` (at any depth), `!*.test.ts` (not these).',
    '.git is never listed, node_modules only when named. Newest first.',
  ],
  input: ({ limits }) =>
    argumentSchema(
      object({
        paths: pipe(array(string()), description('Files, directories or globs')),
        hidden: optional(pipe(boolean(), description('Include dotfiles (default true)'))),
        gitignore: optional(pipe(boolean(), description('Obey ignore files (default true)'))),
        limit: optional(pipe(number(), description(`Most results, 1 to ${limits.findMaxResults} (default)`))),
        timeout: optional(
          pipe(
            number(),
            description(`Seconds, ${minTimeoutMs / 1000} to ${maxTimeoutMs / 1000} (default ${limits.findTimeoutMs / 1000})`),
          ),
        ),
      }),
      {
        aliases: { path: 'paths', pattern: 'paths', glob: 'paths', patterns: 'paths', globs: 'paths', include: 'paths' },
        combine: input => joinPathsAndGlobs(input, ['glob', 'pattern', 'globs', 'patterns', 'include']),
      },
    ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  busy: ({ limits }) => ({
    defaultMs: limits.findTimeoutMs,
    argument: { name: 'timeout', unitMs: 1000, maxMs: maxTimeoutMs },
    minMs: limits.searchTimeoutMs,
  }),
  run: async (args, call) => (await import('./run.ts')).runFind(args, call),
})
