// Runs the script of a custom tool: its arguments go to standard input and into its environment.

import { displayPath, isInside, type VfsPath } from '../../../core/path.ts'
import { runKept } from '../../../session/run-kept.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { bashTimeoutMs, cutLimits } from '../limits.ts'
import { openShell } from '../../../session/command.ts'
import { showCommand } from '../render-command.ts'
import type { CustomDefinition } from './definition-file.ts'

/** Linux refuses an environment variable longer than 128 KiB; standard input has no such limit. */
const maxVariableBytes = 100_000
const executableBits = 0o111

export async function runScript(
  definition: CustomDefinition,
  script: VfsPath,
  input: Readonly<Record<string, unknown>>,
  { session, signal, onUpdate }: ToolCall,
): Promise<ToolOutcome> {
  const stat = await session.vfs.stat(script)
  const shell = await openShell(session, 'read, write and edit')
  const json = JSON.stringify(input)
  const timeoutMs = Math.min(session.limits.bashMaxTimeoutMs, definition.timeoutMs ?? bashTimeoutMs)
  const isExecutable = (stat.mode & executableBits) !== 0
  // The path as the shell sees it: the machine's shell may have the root at another path.
  const file = isInside(script, session.root) ? `./${displayPath(script, session.root)}` : script
  const outcome = await runKept(
    session,
    shell,
    // A file that cannot be executed is a script for the shell.
    isExecutable ? { kind: 'file', file, args: [] } : { kind: 'file', file: 'bash', args: [file] },
    {
      title: definition.name,
      cwd: session.root,
      env: environmentOf(definition.name, input, json),
      stdin: new TextEncoder().encode(json),
      timeoutMs,
      signal,
      maxHeadBytes: cutLimits.other.maxBytes,
      onUpdate,
    },
  )
  const shown = showCommand(outcome, timeoutMs, cutLimits.other)
  return { ...shown, details: { tool: definition.name, script, ...shown.details } }
}

/**
 * `TOOL_NAME`, `TOOL_INPUT` and one `TOOL_ARG_…` for each text, number and truth value. Values that are too long are on standard input
 * only.
 */
function environmentOf(name: string, input: Readonly<Record<string, unknown>>, json: string): Readonly<Record<string, string>> {
  const variables: [string, string][] = [
    ['TOOL_NAME', name],
    ['TOOL_INPUT', json],
  ]
  for (const [key, value] of Object.entries(input)) {
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isScalar) variables.push([`TOOL_ARG_${key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, String(value)])
  }
  // A UTF-16 unit takes at most three bytes of UTF-8. A variable cannot contain a null byte.
  return Object.fromEntries(variables.filter(([, value]) => value.length * 3 <= maxVariableBytes && !value.includes('\0')))
}
