// A custom tool as a tool like every other: its arguments are checked, and its script gets them on standard input and in its
// environment (ah §1.8).

import { coerceArguments } from '../../../core/coerce.ts'
import { displayPath, isInside, type VfsPath } from '../../../core/path.ts'
import { runKept } from '../../../session/run-kept.ts'
import { textContent, type AnyTool, type PreparedCall, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { openShell } from '../bash/run.ts'
import { bashTimeoutMs, cutLimits } from '../limits.ts'
import { showCommand } from '../render-command.ts'
import type { CustomDefinition } from './definition-file.ts'
import { isRecord, schemaIssues } from './validate.ts'

/** A real system takes no longer variable than 128 KiB; standard input has no such limit. */
const maxVariableBytes = 100_000
const executableBits = 0o111

export function customTool(definition: CustomDefinition, script: VfsPath): AnyTool {
  return {
    name: definition.name,
    describe: () => definition.description,
    inputSchema: definition.inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    executionMode: 'sequential',
    prepare: input => prepared(definition, script, input),
  }
}

function prepared(definition: CustomDefinition, script: VfsPath, input: unknown): PreparedCall {
  const { inputSchema: schema } = definition
  // A schema that names no properties says nothing to be put right by, and takes everything.
  const isOpen =
    !isRecord(schema['properties']) || schema['additionalProperties'] === true || isRecord(schema['additionalProperties'])
  const coerced = isOpen ? ({ kind: 'ok', value: input ?? {}, warnings: [] } as const) : coerceArguments(input, schema, {})
  if (coerced.kind === 'invalid') return coerced
  const { value, warnings } = coerced
  const issues = schemaIssues(schema, value)
  if (issues.length > 0 || !isRecord(value)) return { kind: 'invalid', issues }
  return { kind: 'ready', warnings, run: call => runScript(definition, script, value, call) }
}

async function runScript(
  definition: CustomDefinition,
  script: VfsPath,
  input: Readonly<Record<string, unknown>>,
  { session, signal, onUpdate }: ToolCall,
): Promise<ToolOutcome> {
  const stat = await session.vfs.stat(script)
  const shell = await openShell(session)
  const json = JSON.stringify(input)
  const timeoutMs = Math.min(session.limits.bashMaxTimeoutMs, definition.timeoutMs ?? bashTimeoutMs)
  const isExecutable = (stat.mode & executableBits) !== 0
  // Seen from where it runs: a shell of the machine may know the root by another name.
  const file = isInside(script, session.root) ? `./${displayPath(script, session.root)}` : script
  const outcome = await runKept(
    session,
    shell,
    // What cannot be executed is a script of the shell's own.
    isExecutable ? { kind: 'file', file, args: [] } : { kind: 'file', file: 'bash', args: [file] },
    {
      title: definition.name,
      cwd: session.root,
      env: environmentOf(definition.name, input, json),
      stdin: new TextEncoder().encode(json),
      timeoutMs,
      signal,
      maxHeadBytes: cutLimits.other.maxBytes,
      onOutput: ({ output, totalBytes, wallTimeMs }) =>
        onUpdate({ content: textContent(output), details: { totalBytes, wallTimeMs } }),
    },
  )
  const shown = showCommand(outcome, timeoutMs, cutLimits.other)
  return { ...shown, details: { tool: definition.name, script, ...shown.details } }
}

/** `TOOL_NAME`, `TOOL_INPUT` and one `TOOL_ARG_…` for each text, number and truth value; what is too long stands on standard input only. */
function environmentOf(name: string, input: Readonly<Record<string, unknown>>, json: string): Readonly<Record<string, string>> {
  const variables: [string, string][] = [
    ['TOOL_NAME', name],
    ['TOOL_INPUT', json],
  ]
  for (const [key, value] of Object.entries(input)) {
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isScalar) variables.push([`TOOL_ARG_${key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, String(value)])
  }
  // UTF-16 units times three bound UTF-8 bytes; no variable can hold a null byte.
  return Object.fromEntries(variables.filter(([, value]) => value.length * 3 <= maxVariableBytes && !value.includes('\0')))
}
