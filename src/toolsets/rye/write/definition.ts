import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { RyeState } from '../state.ts'

export function createWriteTool(state: RyeState): AnyTool {
  return defineTool({
    name: 'write',
    describe: () => [
      'Create a file, or replace all of one. Parent directories are made. The content is written exactly as given.',
      'The result is a unified diff of what changed. The line IDs of the file are then no longer valid: read it again before `edit_lines`.',
      'To change part of a file use `edit_lines`: it is shorter and notices changes by others.',
    ],
    input: argumentSchema(
      object({
        file_path: pipe(string(), description('Path to file (relative to project root or absolute)')),
        content: pipe(string(), description('Content to write to the file')),
      }),
      {
        aliases: {
          path: 'file_path',
          filePath: 'file_path',
          file: 'file_path',
          filename: 'file_path',
          text: 'content',
          contents: 'content',
        },
      },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runWrite(args, call, state),
  })
}
