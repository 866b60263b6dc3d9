import { description, integer, minValue, number, object, optional, pipe } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { hiddenArguments, pathAliases, pathArgument, scratchpadArgument } from '../arguments.ts'
import { defaultLines } from '../limits.ts'
import type { AgshState } from '../state.ts'

export function createReadFileTool(state: AgshState): AnyTool {
  return defineTool({
    name: 'read_file',
    describe: () => [
      `Read a file. Text comes without line numbers; the first ${defaultLines} lines unless offset and limit say otherwise. A cut text says so.`,
      'Images are shown: png, jpg, gif, webp, bmp as they are; tif, ico, hdr, exr, tga, pnm, qoi, dds, farbfeld converted to PNG. Read them only if you can see images.',
      'A file must be read before edit_file changes it.',
    ],
    input: argumentSchema(
      object({
        path: pathArgument,
        offset: optional(pipe(number(), integer(), minValue(0), description('Line to start from, 0-based'))),
        limit: optional(pipe(number(), integer(), minValue(0), description('Maximum number of lines to read'))),
        scratchpad: scratchpadArgument,
      }),
      { aliases: pathAliases, hidden: hiddenArguments(state) },
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runReadFile(args, call, state),
  })
}
