// Runs one command. A command that fails is an answer and not an error of the tool; one that times out is an error with the output until
// then.

import { ToolError, unreachable } from '../../../core/errors.ts'
import { formatSize } from '../../../core/size.ts'
import { truncateTail } from '../../../core/truncate.ts'
import { checkCommand, openShell } from '../../../session/command.ts'
import type { OutputWriter } from '../../../session/output-entry.ts'
import { changeDetails, keptFilesNote, runKept, type KeptOutcome } from '../../../session/run-kept.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { defaultTimeoutSeconds } from '../limits.ts'
import { withNotes } from '../result.ts'

export interface BashArguments {
  readonly command: string
  readonly timeout?: number | undefined
}

export async function runBash(args: BashArguments, { session, signal, onUpdate }: ToolCall): Promise<ToolOutcome> {
  const timeoutMs = checkedTimeout(args, session)
  const shell = await openShell(session, 'read_file, edit_file and write_file')
  // Only at the end is it known whether to show both streams together or apart.
  const kept = session.outputs.open(`bash: ${args.command}`)
  const apart = {
    stdout: session.outputs.open(`bash (stdout): ${args.command}`),
    stderr: session.outputs.open(`bash (stderr): ${args.command}`),
  }
  try {
    const outcome = await runKept(
      session,
      shell,
      { kind: 'script', script: args.command },
      {
        title: kept.title,
        kept,
        cwd: session.root,
        timeoutMs,
        signal,
        sinks: { stdout: apart.stdout.write, stderr: apart.stderr.write },
        onUpdate,
      },
    )
    return await render(session, outcome, apart, timeoutMs)
  } catch (error) {
    for (const output of [apart.stderr, apart.stdout, kept]) output.discard()
    throw error
  }
}

function checkedTimeout({ command, timeout }: BashArguments, { limits }: Session): number {
  checkCommand(command)
  if (timeout === undefined) return Math.min(defaultTimeoutSeconds * 1000, limits.bashMaxTimeoutMs)
  if (!Number.isFinite(timeout) || timeout <= 0)
    throw new ToolError('invalid-arguments', `"timeout" must be a number of seconds above 0, not ${timeout}.`, {
      nextStep: `Without it, the command may take ${defaultTimeoutSeconds} seconds.`,
    })
  return Math.min(timeout * 1000, limits.bashMaxTimeoutMs)
}

type Apart = Readonly<Record<'stdout' | 'stderr', OutputWriter>>

async function render(session: Session, outcome: KeptOutcome, apart: Apart, timeoutMs: number): Promise<ToolOutcome> {
  const { exit, wallTimeMs, kept } = outcome
  for (const output of Object.values(apart)) output.end()
  const details = { wallTimeMs, timeoutSeconds: timeoutMs / 1000, ...changeDetails(outcome) }
  const open = outcome.isStillOpen ? ['A process that it left running keeps the output open; its later output is not kept'] : []
  if (exit.kind === 'exited' && exit.code !== 0) {
    kept.discard()
    const [stdout, stderr] = [await shownOutput(session, apart.stdout), await shownOutput(session, apart.stderr)]
    const text = `Exit code ${exit.code}\nSTDOUT:\n${stdout.text}\nSTDERR:\n${stderr.text}`
    return {
      content: textContent(withNotes(text, [...stdout.notes, ...stderr.notes, ...open])),
      details: { ...details, exitCode: exit.code },
    }
  }
  for (const output of [apart.stderr, apart.stdout]) output.discard()
  const combined = await shownOutput(session, kept)
  const failed = (message: string, code: string): ToolOutcome => ({
    isError: true,
    content: textContent(
      withNotes(
        [
          `Error executing tool 'bash': ${message}`,
          ...(combined.text === '' ? [] : [`Output until then:\n${combined.text}`]),
        ].join('\n'),
        combined.notes,
      ),
    ),
    details: { ...details, error: { code }, ...(code === 'timed-out' ? { timedOut: true } : {}) },
  })
  switch (exit.kind) {
    case 'exited':
      return {
        content: textContent(withNotes(combined.text, [...combined.notes, ...open])),
        details: { ...details, exitCode: exit.code },
      }
    case 'timed-out':
      return failed(
        `Command timed out after ${timeoutMs / 1000}s${outcome.changed.total === 0 ? '' : `. ${keptFilesNote(outcome)}`}`,
        'timed-out',
      )
    case 'killed':
      return failed(`Command was killed${exit.signal === undefined ? '' : ` (${exit.signal})`}`, 'killed')
    case 'lost':
      return failed(`It is not known how the command ended: ${exit.why}. Check its effects before you run it again`, 'lost')
    default:
      return unreachable(exit)
  }
}

/** The end of the output, within the limits. An output that is shown whole is not kept. */
async function shownOutput(
  { limits }: Session,
  output: OutputWriter,
): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  const { bashMaxLines: maxLines, bashMaxBytes: maxBytes } = limits
  const { sizeBytes, lineCount, lostBytes, address } = output
  // A little more than is shown, so that the cut is between two characters.
  const startByte = Math.max(0, sizeBytes - 2 * maxBytes)
  const bytes = await output.read(startByte, sizeBytes)
  const cut = truncateTail(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), { maxLines, maxBytes })
  if (startByte === 0 && !cut.truncated) {
    output.discard()
    return { text: cut.text, notes: [] }
  }
  const shownLines = cut.truncated ? cut.shownLines : cut.totalLines
  const lost = lostBytes === 0 ? '' : `; ${formatSize(lostBytes)} of it exceeded the storage limit and are lost`
  return {
    text: cut.text,
    notes: [`Lines ${lineCount - shownLines + 1}-${lineCount} of ${lineCount}. The whole output: read_file ${address}${lost}`],
  }
}
