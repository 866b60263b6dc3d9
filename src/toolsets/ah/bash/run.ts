import { runKept } from '../../../session/run-kept.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import type { Shell } from '../../../shell/shell.ts'
import { bashTimeoutMs, cutLimits } from '../limits.ts'
import { checkCommand, openShell } from '../../../session/command.ts'
import { showCommand } from '../render-command.ts'

interface BashArguments {
  readonly command: string
  readonly timeout?: number | undefined
}

export async function runBash(
  { command, timeout }: BashArguments,
  { session, signal, onUpdate }: ToolCall,
): Promise<ToolOutcome> {
  checkCommand(command)
  const shell = await openShell(session, 'read, write and edit')
  const timeoutMs = Math.min(session.limits.bashMaxTimeoutMs, timeout ?? bashTimeoutMs)
  const outcome = await runKept(
    session,
    shell,
    { kind: 'script', script: `${strictMode(shell)}${command}` },
    {
      title: `bash: ${command}`,
      cwd: session.root,
      timeoutMs,
      signal,
      maxHeadBytes: cutLimits.bash.maxBytes,
      onUpdate,
    },
  )
  const shown = showCommand(outcome, timeoutMs, cutLimits.bash)
  return { ...shown, details: { command, ...shown.details } }
}

/**
 * Added on the command's first line, so that the line numbers in its errors stay right. Shells other than bash may not support all of it.
 */
function strictMode({ capabilities }: Shell): string {
  switch (capabilities.dialect) {
    case 'bash':
      return 'set -eo pipefail; '
    case 'posix':
      return 'set -e; '
    case 'jsh':
      return ''
    default:
      return ''
  }
}
