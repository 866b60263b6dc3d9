import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import type { EditState } from './run.ts'

/** atomic §4. A new tool for each session: its calls know of each other. */
export function createEditTool(): AnyTool {
  let state: EditState | undefined
  return defineTool({
    name: 'edit',
    describe: () =>
      [
        'Change files by line. The input is one or more sections; each starts with the header `[path#TAG]` copied from your latest read, search, write or edit result.',
        'Operations (line numbers are those you were shown, and do not shift within one call):',
        '`replace N..M:`  `delete N..M`  `insert before N:`  `insert after N:`  `insert head:`  `insert tail:`',
        'An operation that ends in `:` is followed by the new lines, each starting with `+`. `+` alone is an empty line. Never repeat lines that stay, and never write `-` rows.',
        'All sections are written together or not at all. A file that changed since you saw it is refused: read it again.',
        'Example:\n[src/app.ts#A1B2]\nreplace 3..4:\n+const limit = 10\ninsert tail:\n+export { limit }',
      ].join('\n'),
    input: argumentSchema(
      object({ input: pipe(string(), description('The edit script: sections of [path#TAG] and operations')) }),
      {
        aliases: { script: 'input', patch: 'input', edit: 'input', content: 'input' },
      },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    executionMode: 'sequential',
    run: async (args, call) => {
      const { createEditState, runEdit } = await import('./run.ts')
      state ??= createEditState()
      return runEdit(args, call, state)
    },
  })
}
