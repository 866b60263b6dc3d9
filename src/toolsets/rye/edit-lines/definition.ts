import { array, description, minLength, object, optional, pipe, strictObject, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { RyeState } from '../state.ts'

export function createEditLinesTool(state: RyeState): AnyTool {
  return defineTool({
    name: 'edit_lines',
    describe: () =>
      [
        'Replace lines of a file by their line IDs. Read the file first: without line IDs, and after any change of the file, an edit is refused.',
        'A change is `{"line_id", "new_content"}` for one line, or `{"start_line_id", "end_line_id", "new_content"}` for a range, both ends included.',
        'New content may have any number of lines; one line feed at its end only ends the last: "a" and "a\\n" are the same line, "" deletes, "\\n" is one empty line. Line endings (LF, CRLF) stay the file\'s. To insert, repeat the line next to it in the new content.',
        'All changes are checked first and made together, or none is: unknown IDs, ranges backwards and changes that overlap are refused.',
        'The result is a unified diff. The line IDs are forgotten with it: read again before the next edit.',
      ].join('\n'),
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
    executionMode: 'sequential',
    run: async (args, call) => (await import('./run.ts')).runEditLines(args, call, state),
  })
}
