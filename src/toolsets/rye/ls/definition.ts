import { description, integer, minValue, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { maxEntries } from '../limits.ts'

export const lsTool: AnyTool = defineTool({
  name: 'ls',
  describe: () => [
    'List one directory: directories first (with a slash), then files, each alphabetically, as paths from the project root.',
    'Directories such as node_modules and .git are left out.',
    `At most ${maxEntries} entries; go on with "offset".`,
  ],
  input: argumentSchema(
    object({
      path: optional(pipe(string(), description('Directory to list (default: project root)'))),
      offset: optional(pipe(number(), integer(), minValue(0), description('Entries to skip, for the next page (default 0)'))),
    }),
    { aliases: { directory: 'path', dir: 'path', file_path: 'path' } },
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (args, call) => (await import('./run.ts')).runLs(args, call),
})
