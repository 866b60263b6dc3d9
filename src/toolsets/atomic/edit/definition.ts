import { description, object, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { hashlineRules } from '../../../text/hashline/rules.ts'
import type { EditState } from './run.ts'
import type { EditSettings } from './settings.ts'

const aliases = { script: 'input', patch: 'input', diff: 'input', edit: 'input', content: 'input' }

function isOtherEdit(given: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(given).some(name => /^(?:old|new)_?(?:string|text|content)$|^(?:edits|changes|edits_json)$/i.test(name))
}

/** A new tool for each session, because its calls share state. */
export function createEditTool(settings: EditSettings): AnyTool {
  let state: EditState | undefined
  return defineTool({
    name: 'edit',
    describe: () =>
      `Change files by line.\n${hashlineRules}\nIf the file changed meanwhile, the edit is made where your lines provably are now, or refused: then read again.`,
    input: argumentSchema(object({ input: pipe(string(), description('The edit script')) }), {
      aliases,
      // Arguments of another editing tool: the parser's error says how to write the same change here.
      combine: given =>
        ['input', ...Object.keys(aliases)].some(name => Object.hasOwn(given, name)) || !isOtherEdit(given)
          ? undefined
          : { input: { input: JSON.stringify(given) }, warnings: [] },
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (args, call) => {
      const { createEditState, runEdit } = await import('./run.ts')
      state ??= createEditState(settings)
      return runEdit(args, call, state)
    },
  })
}
