// Runs one command (ecs §4.4). A command that fails is an answer, not an error of the tool; one that times out is an error, and keeps what
// it said until then.

import { ToolError, unreachable } from '../../../core/errors.ts'
import { formatSize } from '../../../core/size.ts'
import { truncateTail } from '../../../core/truncate.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { runCommand, type CommandOutcome } from '../../../shell/run.ts'
import { defaultTimeoutSeconds } from '../limits.ts'
import { withNotes } from '../result.ts'

export interface BashArguments {
  readonly command: string
  readonly timeout?: number | undefined
}

export async function runBash(args: BashArguments, { session, signal, onUpdate }: ToolCall): Promise<ToolOutcome> {
  const timeoutMs = checkedTimeout(args, session)
  if (session.shell.kind === 'none') {
    throw new ToolError('no-shell', 'This workspace has no shell', { nextStep: 'Use read_file, edit_file and write_file.' })
  }
  const shell = await session.shell.open()
  const outcome = await runCommand(
    shell,
    { kind: 'script', script: args.command },
    {
      cwd: session.root,
      timeoutMs,
      signal,
      maxCaptureBytes: session.limits.bashCaptureBytes,
      onOutput: ({ output, totalBytes, wallTimeMs }) =>
        onUpdate({ content: textContent(output), details: { totalBytes, wallTimeMs } }),
    },
  )
  return render(session, args, outcome, timeoutMs)
}

function checkedTimeout({ command, timeout }: BashArguments, { limits }: Session): number {
  const wrong = (message: string, nextStep: string): ToolError => new ToolError('invalid-arguments', message, { nextStep })
  if (command.trim() === '') throw wrong('The command is empty', 'Give a command in "command".')
  if (command.includes('\0')) throw wrong('The command holds a null byte', "Leave it out; printf '\\0' makes one.")
  if (timeout === undefined) return Math.min(defaultTimeoutSeconds * 1000, limits.bashMaxTimeoutMs)
  if (!Number.isFinite(timeout) || timeout <= 0)
    throw wrong(`"timeout" must be seconds above 0, not ${timeout}`, 'Leave it out for 30.')
  return Math.min(timeout * 1000, limits.bashMaxTimeoutMs)
}

function render(session: Session, args: BashArguments, outcome: CommandOutcome, timeoutMs: number): ToolOutcome {
  const { exit, wallTimeMs, droppedBytes } = outcome
  const lost = droppedBytes === 0 ? [] : [`The first ${formatSize(droppedBytes)} of the output were not kept`]
  const combined = shownOutput(session, args.command, outcome.output)
  const details = { wallTimeMs, timeoutSeconds: timeoutMs / 1000 }
  const failed = (message: string, code: string): ToolOutcome => ({
    isError: true,
    content: textContent(
      withNotes(
        [
          `Error executing tool 'bash': ${message}`,
          ...(combined.text === '' ? [] : [`Output until then:\n${combined.text}`]),
        ].join('\n'),
        [...combined.notes, ...lost],
      ),
    ),
    details: { ...details, error: { code }, ...(code === 'timed-out' ? { timedOut: true } : {}) },
  })
  switch (exit.kind) {
    case 'exited': {
      if (exit.code === 0) {
        return {
          content: textContent(withNotes(combined.text, [...combined.notes, ...lost])),
          details: { ...details, exitCode: 0 },
        }
      }
      const [stdout, stderr] = [outcome.stdout, outcome.stderr].map(text => shownOutput(session, args.command, text))
      const text = `Exit code ${exit.code}\nSTDOUT:\n${stdout?.text ?? ''}\nSTDERR:\n${stderr?.text ?? ''}`
      const notes = [...(stdout?.notes ?? []), ...(stderr?.notes ?? []), ...lost]
      return { content: textContent(withNotes(text, notes)), details: { ...details, exitCode: exit.code } }
    }
    case 'timed-out':
      return failed(`Command timed out after ${timeoutMs / 1000}s`, 'timed-out')
    case 'killed':
      return failed(`Command was killed${exit.signal === undefined ? '' : ` (${exit.signal})`}`, 'killed')
    case 'lost':
      return failed(`Nobody can say how the command ended: ${exit.why}. Check its effects before you run it again`, 'lost')
    default:
      return unreachable(exit)
  }
}

function shownOutput(
  session: Session,
  command: string,
  text: string,
): { readonly text: string; readonly notes: readonly string[] } {
  const { bashMaxLines: maxLines, bashMaxBytes: maxBytes } = session.limits
  const cut = truncateTail(text, { maxLines, maxBytes })
  if (!cut.truncated) return { text, notes: [] }
  const address = session.outputs.save(`bash: ${command}`, text)
  return {
    text: cut.text,
    notes: [`Lines ${cut.firstLineNumber}-${cut.totalLines} of ${cut.totalLines}. The whole: read_file ${address}`],
  }
}
