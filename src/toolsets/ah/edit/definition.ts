import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { AhState } from '../state.ts'
import { editRules } from './rules.ts'

export function createEditTool(state: AhState): AnyTool {
  return defineTool({
    name: 'edit',
    describe: () => editRules,
    input: argumentSchema(
      object({
        path: pipe(string(), description('File path')),
        old_string: pipe(string(), description('Text to find; it must be unique in the file')),
        new_string: pipe(string(), description('The replacement text; empty to delete')),
      }),
      {
        aliases: {
          file_path: 'path',
          filePath: 'path',
          oldString: 'old_string',
          newString: 'new_string',
          old_text: 'old_string',
          oldText: 'old_string',
          newText: 'new_string',
          new_text: 'new_string',
        },
      },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runEdit(args, call, state),
  })
}
