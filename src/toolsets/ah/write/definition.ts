import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { AhState } from '../state.ts'

export function createWriteTool(state: AhState): AnyTool {
  return defineTool({
    name: 'write',
    describe: () =>
      'Write content to a file: it is created, or replaced whole. Parent directories are made. The content is written exactly as given.',
    input: argumentSchema(
      object({
        path: pipe(string(), description('File path')),
        content: pipe(string(), description('The whole new content')),
      }),
      { aliases: { file_path: 'path', filePath: 'path', file: 'path', text: 'content', contents: 'content' } },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runWrite(args, call, state),
  })
}
