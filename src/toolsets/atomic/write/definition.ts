import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'

export const writeTool: AnyTool = defineTool({
  name: 'write',
  describe: () =>
    [
      'Create a file, or replace all of one. Parent directories are made. The content is written exactly as given.',
      'The result is the header `[path#TAG]`; use its tag for `edit`. To change part of a file, use `edit`: it is shorter and notices changes by others.',
      'A file that says near its top that it is generated is not overwritten.',
      'A merge conflict is resolved by writing to `conflict://<number>` (read `path:conflicts` for the numbers) or to `conflict://*` for all: the content is the new lines, or `@ours`, `@theirs` or `@base`.',
    ].join('\n'),
  input: argumentSchema(
    object({
      path: pipe(string(), description('Path inside the workspace, or conflict://<number>')),
      content: pipe(string(), description('The whole new content of the file')),
    }),
    { aliases: { file_path: 'path', filePath: 'path', file: 'path', filename: 'path', text: 'content', contents: 'content' } },
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  executionMode: 'sequential',
  run: async (args, call) => (await import('./run.ts')).runWrite(args, call),
})
