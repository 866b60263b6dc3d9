// Runs a command for a tool and keeps its whole output, so that everything that the result leaves out can still be read.

import type { ToolUpdate } from '../core/tool.ts'
import { oneAtATime } from '../shell/one-at-a-time.ts'
import { runCommand, type CommandOutcome, type RunOptions } from '../shell/run.ts'
import type { Shell, ShellCommand } from '../shell/shell.ts'
import type { OutputWriter } from './output-entry.ts'
import { originOf } from '../vfs/origin.ts'
import type { Session } from './session.ts'
import { textContent } from './tool.ts'
import { watchShell, type CommandChanges } from './shell-changes.ts'

/** A caller that shows the whole output discards the kept one; a caller that cuts it names its address. */
export interface KeptOutcome extends CommandOutcome {
  /** Both streams as they were written. */
  readonly kept: OutputWriter
  readonly changed: CommandChanges
}

export interface KeptOptions extends Omit<RunOptions, 'maxCaptureBytes'> {
  /** A title for the user: `bash: npm test`. */
  readonly title: string
  /** An output that was opened before, so that its address can be shown while the command runs. */
  readonly kept?: OutputWriter
  /**
   * Receives the output so far; and if the command is aborted after it changed files, these, because an aborted call has no result.
   */
  readonly onUpdate?: (update: ToolUpdate) => void
}

/** Rejects as `runCommand` does; then only an output that was opened before is kept. */
export async function runKept(
  session: Session,
  shell: Shell,
  command: ShellCommand,
  { title, kept: given, sinks, onUpdate, ...options }: KeptOptions,
): Promise<KeptOutcome> {
  const review = session.policy.bash === 'review' ? await import('./run-reviewed.ts') : undefined
  const fork = review && (await session.forkForCommand(originOf(session.by, 'command')))
  const kept = given ?? session.outputs.open(title)
  const watched = watchShell(session, oneAtATime(fork?.shell ?? shell))
  try {
    const outcome = await runCommand(watched.shell, command, {
      ...options,
      sinks: { ...sinks, output: kept.write },
      ...(onUpdate && {
        onOutput: ({ output, totalBytes, wallTimeMs }) =>
          onUpdate({ content: textContent(output), details: { totalBytes, wallTimeMs } }),
      }),
      // More than is shown, so that the output can be cut at the border of a line.
      maxCaptureBytes: Math.max(session.limits.bashCaptureBytes, 2 * session.limits.bashMaxBytes),
    })
    const changed = await watched.changes()
    if (review !== undefined && fork !== undefined)
      await review.mergeReviewed(session, fork, command, outcome.output, options.signal)
    kept.end()
    return { ...outcome, kept, changed }
  } catch (error) {
    if (given === undefined) kept.discard()
    else kept.end()
    // Also stops watching for this command. Changes in an unmerged fork do not count.
    const changed = await watched.changes()
    if (options.signal?.aborted === true && fork === undefined && changed.total > 0)
      onUpdate?.({ content: textContent(abortedNote(changed)), details: { changed } })
    throw error
  } finally {
    await fork?.dispose()
  }
}

function abortedNote({ created, modified, deleted, total }: CommandChanges): string {
  const listed = [...created, ...modified, ...deleted]
  const more = total > listed.length ? ` and ${total - listed.length} more` : ''
  return `The command was cancelled after it changed ${listed.join(', ')}${more}.`
}

/** For `details`: the command's changes to the files, if there were any. */
export function changeDetails({ changed }: Pick<KeptOutcome, 'changed'>): { readonly changed?: CommandChanges } {
  return changed.total === 0 ? {} : { changed }
}
