// Makes a tool from a custom tool's file: its arguments are checked, and the code that runs its script is loaded with the first call.

import { isRecord } from '../../../core/record.ts'
import { coerceArguments } from '../../../core/coerce.ts'
import type { VfsPath } from '../../../core/path.ts'
import { commandBusyTime, type AnyTool, type PreparedCall } from '../../../session/tool.ts'
import { bashTimeoutMs } from '../limits.ts'
import type { CustomDefinition } from './definition-file.ts'
import { schemaIssues } from './validate.ts'

export function customTool(definition: CustomDefinition, script: VfsPath): AnyTool {
  return {
    name: definition.name,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    // It runs a script, so rules about commands apply to it too.
    judgedAs: 'bash',
    open: session => ({
      description: definition.description,
      inputSchema: { ...definition.inputSchema, type: 'object' },
      busy: commandBusyTime(session, definition.timeoutMs ?? bashTimeoutMs),
      prepare: input => prepared(definition, script, input),
    }),
  }
}

function prepared(definition: CustomDefinition, script: VfsPath, input: unknown): PreparedCall {
  const { inputSchema: schema } = definition
  // A schema without properties allows every argument, so arguments cannot be corrected by it.
  const isOpen =
    !isRecord(schema['properties']) || schema['additionalProperties'] === true || isRecord(schema['additionalProperties'])
  const coerced = isOpen ? ({ kind: 'ok', value: input ?? {}, warnings: [] } as const) : coerceArguments(input, schema, {})
  if (coerced.kind === 'invalid') return coerced
  const { value, warnings } = coerced
  const issues = schemaIssues(schema, value)
  if (issues.length > 0 || !isRecord(value)) return { kind: 'invalid', issues }
  return { kind: 'ready', warnings, run: async call => (await import('./run.ts')).runScript(definition, script, value, call) }
}
