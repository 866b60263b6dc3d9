import { object, pipe, string, description } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { runRead } from './run.ts'

/** One argument: selectors are part of the path. */
export const readTool: AnyTool = defineTool({
  name: 'read',
  describe: ({ limits }) => [
    'Read a text file, or list a directory (two levels, newest first).',
    'A file comes as a header `[path#TAG]` and rows `N:text`. `edit` needs the header, and the numbers belong to it.',
    'Lines: `a.ts:5-16`, `a.ts:5+3` (3 from 5), `a.ts:40` (to the end), `a.ts:5-9,80-95`. `:raw` is the bare text.',
    '`:conflicts` shows its merge conflicts with their numbers; `conflict://*` lists those of all files.',
    'Also: `b.zip:`, `b.zip:src/a.txt`, `d.sqlite:users`, notebooks, documents, pictures, `https://…`, `local://…`, `skill://…`.',
    `At most ${limits.readMaxLines} lines or ${formatSize(limits.readMaxBytes)}; the footer says how to go on.`,
  ],
  input: argumentSchema(
    object({
      path: pipe(string(), description('Path, with an optional selector')),
    }),
    { aliases: { file_path: 'path', filePath: 'path', file: 'path', filename: 'path' } },
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: runRead,
})
