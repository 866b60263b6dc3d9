import { boolean, description, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { defineTool, type AnyTool } from '../../../session/tool.ts'
import { hiddenArguments, pathAliases, pathArgument, scratchpadArgument } from '../arguments.ts'
import type { AgshState } from '../state.ts'
import { replaceRules } from './rules.ts'

export function createEditFileTool(state: AgshState): AnyTool {
  return defineTool({
    name: 'edit_file',
    describe: () => replaceRules(state.drift),
    input: argumentSchema(
      object({
        path: pathArgument,
        old_string: pipe(string(), description('The exact text to find')),
        new_string: pipe(string(), description('The replacement text')),
        replace_all: optional(pipe(boolean(), description('Replace every occurrence (default false)'))),
        force: optional(
          pipe(boolean(), description('Edit without having read the file, or although it changed (default false)')),
        ),
        scratchpad: scratchpadArgument,
      }),
      {
        aliases: {
          ...pathAliases,
          oldString: 'old_string',
          oldText: 'old_string',
          newText: 'new_string',
          old_text: 'old_string',
          new_text: 'new_string',
          newString: 'new_string',
          replaceAll: 'replace_all',
        },
        hidden: hiddenArguments(state),
      },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (args, call) => (await import('./run.ts')).runEditFile(args, call, state),
  })
}
