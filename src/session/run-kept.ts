// Runs a command for a tool and stores its complete output, so that the parts that the result leaves out can be read later.

import type { ToolUpdate } from '../core/tool.ts'
import { oneAtATime } from '../shell/one-at-a-time.ts'
import { runCommand, type CommandOutcome, type RunOptions } from '../shell/run.ts'
import type { Shell, ShellCommand } from '../shell/shell.ts'
import type { OutputWriter } from './output-entry.ts'
import { originOf } from '../vfs/origin.ts'
import type { Session } from './session.ts'
import { textContent } from './tool.ts'
import { namesOfChanges, watchShell, type CommandChanges } from './shell-changes.ts'

/** A caller that shows the complete output discards the stored one. A caller that shortens it names its address. */
export interface KeptOutcome extends CommandOutcome {
  /** Both streams, in the order in which they were written. */
  readonly kept: OutputWriter
  readonly changed: CommandChanges
}

export interface KeptOptions extends Omit<RunOptions, 'maxCaptureBytes'> {
  /** A title for the user: `bash: npm test`. */
  readonly title: string
  /** An output that was opened earlier, so that its address can be shown while the command runs. */
  readonly kept?: OutputWriter
  /**
   * Receives the output so far. If the command is aborted after it has changed files, it also receives the changes, because an
   * aborted call has no result.
   */
  readonly onUpdate?: (update: ToolUpdate) => void
}

/** Rejects like `runCommand`. In that case the output is stored only if it was opened earlier. */
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
      // The limit exceeds the shown size, so that the output can be cut at a line boundary.
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
      onUpdate?.({
        content: textContent(`The command was cancelled after it changed ${namesOfChanges(changed)}.`),
        details: { changed },
      })
    throw error
  } finally {
    await fork?.dispose()
  }
}

/** The note for a command that reached its time limit. */
export function keptFilesNote({ changed }: Pick<KeptOutcome, 'changed'>): string {
  return changed.total === 0
    ? 'Files that it wrote before are kept'
    : `It changed ${namesOfChanges(changed)} before; that is kept`
}

/** The changes of the command to the files, for `details`. */
export function changeDetails({ changed }: Pick<KeptOutcome, 'changed'>): { readonly changed?: CommandChanges } {
  return changed.total === 0 ? {} : { changed }
}
