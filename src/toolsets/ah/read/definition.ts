import { description, integer, minValue, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'
import type { AhState } from '../state.ts'

export function createReadTool(state: AhState): AnyTool {
  return defineTool({
    name: 'read',
    describe: () => [
      'Read a file. Text comes as numbered lines, `N<TAB>text`; the numbers are not part of the file. Images (jpg, png, gif, webp) come as images.',
      `A result longer than ${cutLimits.read.maxBytes} bytes is cut in its middle and says how to read the rest: use offset and limit, or the artifact:// address given.`,
      '`artifact://N` is a whole output that was cut, without numbers; `artifact://N?bytes=START-END` is a part of it.',
    ],
    input: argumentSchema(
      object({
        path: pipe(string(), description('File path, or an artifact:// address from a result')),
        offset: optional(pipe(number(), integer(), description('First line, 1-indexed (text only)'))),
        limit: optional(
          pipe(number(), integer(), minValue(0), description('Maximum number of lines to read (text only); 0 for all')),
        ),
      }),
      { aliases: { file_path: 'path', filePath: 'path', file: 'path' } },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runRead(args, call, state),
  })
}
