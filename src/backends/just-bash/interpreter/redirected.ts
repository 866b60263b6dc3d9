// Runs a command with redirections, and what happens to them when it is left.

import type { Shell } from './shell.ts'
import type { Redirection } from '../syntax/tree.ts'
import { redirect, SavedDescriptors } from './redirect.ts'
import { ExitFlow, ShellError } from './flow.ts'
import { report } from './report.ts'
import { endProcessSubstitutions } from './substitutions.ts'
import { BrokenPipeError } from '../../../shell/commands.ts'
import { reasonOf } from '../errno.ts'

export interface Failing {
  /** A program: a redirection whose words cannot be expanded fails too, because bash expands them in the process of the program. */
  readonly isApart?: boolean
  /** The failure ends the shell. */
  readonly isFatal?: boolean
}

/** Runs `work` with `redirections`. Returns 1 if a redirection fails. */
export async function redirected(
  shell: Shell,
  redirections: readonly Redirection[],
  mark: number,
  work: (saved: SavedDescriptors) => Promise<number>,
  { isApart = false, isFatal = false }: Failing = {},
): Promise<number> {
  const saved = new SavedDescriptors(shell)
  let status: number
  try {
    try {
      await redirect(shell, redirections, saved)
    } catch (error) {
      if (!(error instanceof ShellError) || (error.reach !== 'command' && !isApart)) throw error
      await saved.restore()
      await shell.complain(error.message)
      if (isFatal) throw new ExitFlow(error.status)
      return error.status
    }
    status = await work(saved)
  } catch (error) {
    if (error instanceof ShellError && error.reach !== 'command') await report(shell, error)
    if (error instanceof ExitFlow && (error.keeps === 'all' || (error.keeps === 'outside texts' && shell.textDepth === 0)))
      await saved.keep()
    else await closeQuietly(saved)
    if (shell.openedProcesses.length > mark) await endProcessSubstitutions(shell, mark)
    throw error
  }
  try {
    await saved.restore()
  } catch (error) {
    // Writing the content at close failed: for example the storage is full, or a policy forbids the change.
    if (!(error instanceof BrokenPipeError)) {
      await shell.complain(reasonOf(error))
      status = status === 0 ? 1 : status
    }
  }
  if (shell.openedProcesses.length > mark) await endProcessSubstitutions(shell, mark)
  return status
}

/** Restores descriptors and ignores errors, because the flow that leaves the command takes precedence. */
async function closeQuietly(saved: SavedDescriptors): Promise<void> {
  try {
    await saved.restore()
  } catch {
    // The caller receives the flow that left the command.
  }
}
