import { description, integer, minValue, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { maxLineCharacters, readMaxBytes } from '../limits.ts'
import type { EcsState } from '../state.ts'
import { runReadFile } from './run.ts'

export function createReadFileTool(state: EcsState): AnyTool {
  const position = (text: string) => optional(pipe(number(), integer(), minValue(1), description(text)))
  return defineTool({
    name: 'read_file',
    describe: ({ root }) => [
      `Read a text file relative to ${root}. Each line comes as \`LINE#ID|content\`. \`edit_file\` takes \`LINE#ID\`; neither it nor the bar is part of the file.`,
      `A file above ${formatSize(readMaxBytes)} comes in pages, a line above ${maxLineCharacters} characters in parts; the answer then says how to go on.`,
      'Paths outside the workspace are refused.',
    ],
    input: argumentSchema(
      object({
        path: pipe(string(), description('Path of the file, relative to the workspace')),
        offset: position('First line to show (1-based, default 1)'),
        limit: position('Lines to show (default: all that fit)'),
        column: position('First character of each line to show (1-based, default 1), for the rest of long lines'),
      }),
      { aliases: { file_path: 'path', filePath: 'path', file: 'path', filename: 'path' } },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (args, call) => runReadFile(args, call, state),
  })
}
