import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { hashlineRules } from '../../../text/hashline/grammar.ts'
import type { EditState } from './run.ts'
import type { EditSettings } from './settings.ts'

/** A new tool for each session: its calls know of each other. */
export function createEditTool(settings: EditSettings): AnyTool {
  let state: EditState | undefined
  return defineTool({
    name: 'edit',
    describe: () =>
      `Change files by line.\n${hashlineRules}\nIf the file changed meanwhile, the edit is made where your lines provably are now, or refused: then read again.`,
    input: argumentSchema(object({ input: pipe(string(), description('The edit script')) }), {
      aliases: { script: 'input', patch: 'input', edit: 'input', content: 'input' },
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    executionMode: 'sequential',
    run: async (args, call) => {
      const { createEditState, runEdit } = await import('./run.ts')
      state ??= createEditState(settings)
      return runEdit(args, call, state)
    },
  })
}
