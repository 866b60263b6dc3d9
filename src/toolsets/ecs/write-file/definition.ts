import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { EcsState } from '../state.ts'

export function createWriteFileTool(state: EcsState): AnyTool {
  return defineTool({
    name: 'write_file',
    describe: ({ root }) => [
      `Write the full content of a file relative to ${root}. Missing directories are created; an existing file is replaced.`,
      'The content is written exactly as given. To change part of a file use `edit_file`: it is shorter and notices changes by others.',
    ],
    input: argumentSchema(
      object({
        path: pipe(string(), description('Path of the file, relative to the workspace')),
        content: pipe(string(), description('The whole new content')),
      }),
      { aliases: { file_path: 'path', filePath: 'path', file: 'path', filename: 'path', text: 'content', contents: 'content' } },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runWriteFile(args, call, state),
  })
}
