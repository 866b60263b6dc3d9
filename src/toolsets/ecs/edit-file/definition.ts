import { array, description, object, pipe, string, union, unknown } from 'valibot'

import { argumentSchema, type ArgumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { EcsState } from '../state.ts'
import { lineTagRules } from './rules.ts'
import type { EditFileArguments } from './run.ts'

export function createEditFileTool(state: EcsState): AnyTool {
  return defineTool({
    name: 'edit_file',
    describe: () => lineTagRules,
    input: editSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
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

/** Shown in full and read by `parseEdits`, because an array and its JSON text have the same error messages. */
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
