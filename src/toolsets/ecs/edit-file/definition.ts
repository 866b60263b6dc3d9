import { array, description, object, pipe, string, union, unknown } from 'valibot'

import { argumentSchema, type ArgumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { lineTagId } from '../../../text/line-tags/tag.ts'
import type { EcsState } from '../state.ts'
import type { EditFileArguments } from './run.ts'

export function createEditFileTool(state: EcsState): AnyTool {
  return defineTool({
    name: 'edit_file',
    describe: () =>
      [
        'Edit lines of a file that are named by the `LINE#ID` tags of `read_file`. A tag whose line is another one now is refused: read again.',
        '`edits_json` is an array of `{"op", "pos", "end", "lines"}`: "replace" puts "lines" in the place of the line at "pos", or of all from "pos" to "end"; "append" adds them after "pos", "prepend" before it.',
        'A range that is replaced by `[]` is deleted; one line without "end" becomes an empty line. Line endings (LF, CRLF) stay the file\'s.',
        'All tags are those of the file before the call. All edits are checked first and made together, or none is; edits of the same lines are refused.',
        `The answer shows the changed lines with their new tags. Lines below a change in their number have new tags too. An empty file has one line: 1#${lineTagId(1, '')}.`,
      ].join('\n'),
    input: editSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    executionMode: 'sequential',
    run: async (args, call) => (await import('./run.ts')).runEditFile(args, call, state),
  })
}

const lenient = argumentSchema(
  object({
    file_path: pipe(string(), description('Path of the file, relative to the workspace')),
    edits_json: pipe(union([string(), array(unknown())]), description('The edits: an array, or a JSON text that holds it')),
  }),
  { aliases: { path: 'file_path', filePath: 'file_path', file: 'file_path', filename: 'file_path', edits: 'edits_json' } },
)

const tag = { type: 'string', pattern: '^[1-9][0-9]*#[0-9A-Fa-f]{4}$' }

/** Shown in full and read by `parseEdits`, because an array and the text of one are to be refused in the same words. */
const editSchema: ArgumentSchema<EditFileArguments> = {
  jsonSchema: {
    ...lenient.jsonSchema,
    properties: {
      file_path: { type: 'string', description: 'Path of the file, relative to the workspace' },
      edits_json: {
        description: 'The edits: an array, or a JSON text that holds it',
        anyOf: [
          { type: 'string' },
          {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                op: { type: 'string', enum: ['replace', 'append', 'prepend'] },
                pos: { ...tag, description: 'LINE#ID of the line, or of the first of a range' },
                end: { ...tag, description: 'LINE#ID of the last line of a range; for replace' },
                lines: { type: 'array', items: { type: 'string' }, description: 'New lines, without line breaks and tags' },
              },
              required: ['op', 'pos', 'lines'],
              additionalProperties: false,
            },
          },
        ],
      },
    },
  },
  parse: input => lenient.parse(input),
}
