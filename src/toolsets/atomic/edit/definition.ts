import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { hashlinePrompt } from '../../../text/hashline/grammar.ts'
import type { EditState } from './run.ts'
import type { EditSettings } from './settings.ts'

/** A new tool for each session: its calls know of each other. */
export function createEditTool(settings: EditSettings): AnyTool {
  let state: EditState | undefined
  return defineTool({
    name: 'edit',
    describe: () =>
      `Change files by line.\n\n${hashlinePrompt}\nA file that changed since you saw it is edited all the same where your lines are provably still there, and every other change is kept; otherwise nothing is written and you read it again.`,
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
      state ??= createEditState(settings)
      return runEdit(args, call, state)
    },
  })
}
