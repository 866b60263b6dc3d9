// Runs a command in a fork of the files, and then asks the user about its changes. Before an approval, nothing changes outside the fork.

import { ToolError } from '../core/errors.ts'
import type { DiffHunk } from '../core/tool-preview.ts'
import { displayPath, parsePath } from '../core/path.ts'
import { originOf } from '../vfs/origin.ts'
import { alwaysAsk, createAsk, type ApprovalChange } from './policy/approve.ts'
import type { Shell, ShellCommand } from '../shell/shell.ts'
import type { Session } from './session.ts'

/** The changes of a fork and the result of a merge, for the user. */
export interface ReviewedPlan {
  readonly changes: readonly {
    readonly path: string
    readonly diff?: string
    readonly hunks?: readonly DiffHunk[]
    readonly sizeBytes?: number
  }[]
  readonly baseRevs: Readonly<Record<string, number>>
}

interface ReviewedMerge {
  readonly outcome: 'merged' | 'denied' | 'conflict'
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[]
}

/** A fork for one command. */
export interface ForkedCommand {
  readonly shell: Shell
  merge(origin: string, review: (plan: ReviewedPlan) => Promise<'allow'>): Promise<ReviewedMerge | 'busy'>
  /** Discards what was not merged. */
  dispose(): Promise<void>
}

/** Throws `ToolError` `approval-denied`, `approval-unavailable` and `changes-conflict`, without having changed anything. */
export async function mergeReviewed(
  session: Session,
  fork: ForkedCommand,
  command: ShellCommand,
  output: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ask = createAsk(
    {
      by: session.by,
      toolset: session.toolset,
      tool: 'bash',
      arguments: command.kind === 'script' ? { command: command.script } : { file: command.file, args: command.args },
      allowed: session.allowed,
      approve: session.policy.approve,
      signal: signal ?? new AbortController().signal,
    },
    alwaysAsk,
  )
  const review = async ({ changes, baseRevs }: ReviewedPlan): Promise<'allow'> => {
    const shown = changes.map(({ path, diff, hunks, sizeBytes = 0 }): ApprovalChange => ({
      path,
      baseRev: baseRevs[path] ?? 0,
      diff,
      hunks,
      sizeBytes,
    }))
    await ask(
      shown.map(({ path }) => path),
      () => ({ kind: 'write', changes: shown }),
    )
    return 'allow'
  }
  try {
    const result = await fork.merge(originOf(session.by, 'command'), review)
    if (result !== 'busy' && result.outcome === 'merged') return
    const paths = result === 'busy' ? [] : result.conflicts.map(({ path }) => displayPath(parsePath(path), session.root))
    throw new ToolError(
      'changes-conflict',
      `The command ran, but none of its changes were kept: ${paths.length === 0 ? 'the files' : paths.slice(0, 5).join(', ')} changed meanwhile.`,
      { nextStep: 'Run it again; it then works on the present files.', details: { paths } },
    )
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw withOutput(error, output)
  }
}

const shownOutputCharacters = 2_000

function withOutput(error: ToolError, output: string): ToolError {
  const shown = output.trim()
  if (shown === '') return error
  const tail = shown.length > shownOutputCharacters ? `… ${shown.slice(-shownOutputCharacters)}` : shown
  const message = error.message.replace('Nothing was done.', 'The command ran, and none of its changes were kept.')
  return new ToolError(error.code, `${message} It printed:\n${tail}\n`, {
    ...(error.nextStep === undefined ? {} : { nextStep: error.nextStep }),
    details: error.details,
    cause: error,
  })
}
