import { description, integer, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { defaultReadLines, maxLineCharacters, maxOutputBytes } from '../limits.ts'
import type { RyeState } from '../state.ts'
import { runRead } from './run.ts'

export function createReadTool(state: RyeState): AnyTool {
  return defineTool({
    name: 'read',
    describe: () => [
      'Read a text file. Each line comes as `[LID:xxxxxx] text`: the line ID names the line for `edit_lines` and is not part of the file.',
      'Line IDs stay with their lines when the file changes elsewhere. Never copy the `[LID:…] ` into new content.',
      `At most ${defaultReadLines} lines unless "limit" says otherwise, ${maxOutputBytes} bytes, and ${maxLineCharacters} characters of a line; a cut text says so, with the offset or column to go on from.`,
      'Paths outside the project are refused. To list a directory use `ls`.',
    ],
    input: argumentSchema(
      object({
        file_path: pipe(string(), description('Path to file (relative to project root or absolute)')),
        offset: optional(pipe(number(), integer(), description('Starting line number (1-indexed, default 1)'))),
        limit: optional(pipe(number(), integer(), description(`Maximum number of lines to read (default ${defaultReadLines})`))),
        column: optional(
          pipe(
            number(),
            integer(),
            description('Starting character of each line (1-indexed, default 1), for the rest of long lines'),
          ),
        ),
      }),
      { aliases: { path: 'file_path', filePath: 'file_path', file: 'file_path', filename: 'file_path' } },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (args, call) => runRead(args, call, state),
  })
}
