import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'

export const writeTool: AnyTool = defineTool({
  name: 'write',
  describe: () => [
    'Create a file or replace all of it, exactly as given; parent directories are made. The result is its header. To change a part use `edit`.',
    '`conflict://N` (for N read `path:conflicts`) or `conflict://*` resolves merge conflicts: content is the new lines, or `@ours`, `@theirs`, `@base`.',
  ],
  input: argumentSchema(
    object({
      path: pipe(string(), description('Path, or conflict://N')),
      content: pipe(string(), description('The whole new content')),
    }),
    { aliases: { file_path: 'path', filePath: 'path', file: 'path', filename: 'path', text: 'content', contents: 'content' } },
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async (args, call) => (await import('./run.ts')).runWrite(args, call),
})
