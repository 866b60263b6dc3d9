import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { hiddenArguments, pathAliases, pathArgument, scratchpadArgument } from '../arguments.ts'
import type { AgshState } from '../state.ts'

export function createWriteFileTool(state: AgshState): AnyTool {
  return defineTool({
    name: 'write_file',
    describe: () =>
      'Create or overwrite a file with the given content, exactly as given. Parent directories are made. To change part of a file use edit_file.',
    input: argumentSchema(
      object({
        path: pathArgument,
        content: pipe(string(), description('The content to write to the file')),
        scratchpad: scratchpadArgument,
      }),
      { aliases: { ...pathAliases, text: 'content', contents: 'content' }, hidden: hiddenArguments(state) },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runWriteFile(args, call, state),
  })
}
