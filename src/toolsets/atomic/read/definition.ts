import { object, pipe, string, description } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { runRead } from './run.ts'

/** One argument: selectors are part of the path. */
export const readTool: AnyTool = defineTool({
  name: 'read',
  describe: ({ limits }) =>
    [
      'Read a text file or list a directory.',
      'A file comes as a header `[path#TAG]` and rows `N:text`. Keep the header: `edit` needs its tag.',
      'Select lines after the path: `a.ts:5-16`, `a.ts:5+3` (3 lines from 5), `a.ts:40` (from 40 to the end), `a.ts:5-9,80-95`. Ranges come with one line before and three after.',
      'Add `:raw` for the bare text without header and numbers.',
      'Add `:conflicts` for only the merge conflicts of a file, with the number to resolve each by; `conflict://*` lists those of the workspace.',
      'A directory comes as a tree of depth 2, newest first.',
      `At most ${limits.readMaxLines} lines or ${formatSize(limits.readMaxBytes)} are shown; the footer says how to go on. Larger selections than ${limits.readMaxCharacters} characters are refused: use search first, then a range.`,
    ].join('\n'),
  input: argumentSchema(
    object({
      path: pipe(
        string(),
        description('Path inside the workspace, with an optional selector: src/app.ts, src/app.ts:10-20, src/app.ts:raw, src'),
      ),
    }),
    { aliases: { file_path: 'path', filePath: 'path', file: 'path', filename: 'path' } },
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  executionMode: 'parallel',
  run: runRead,
})
