import { array, description, minLength, object, optional, pipe, strictObject, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { RyeState } from '../state.ts'
import { lineIdRules } from './rules.ts'

export function createEditLinesTool(state: RyeState): AnyTool {
  return defineTool({
    name: 'edit_lines',
    describe: () => lineIdRules(state.drift),
    input: argumentSchema(
      object({
        file_path: pipe(string(), description('Path to file')),
        changes: pipe(
          array(
            strictObject({
              line_id: optional(pipe(string(), minLength(1), description('ID of the one line to replace'))),
              start_line_id: optional(pipe(string(), minLength(1), description('ID of the first line to replace'))),
              end_line_id: optional(pipe(string(), minLength(1), description('ID of the last line to replace'))),
              new_content: pipe(string(), description('The lines that take their place, without line IDs')),
            }),
          ),
          description('List of change operations'),
        ),
      }),
      { aliases: { path: 'file_path', filePath: 'file_path', file: 'file_path', filename: 'file_path', edits: 'changes' } },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runEditLines(args, call, state),
  })
}
