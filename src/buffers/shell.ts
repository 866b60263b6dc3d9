// Commands see the files on disk. Before one runs, the host's rule decides about text that is not saved.

import type { Attribution } from '../core/actor.ts'
import { ToolError } from '../core/errors.ts'
import { displayPath, type VfsPath } from '../core/path.ts'
import type { Shell } from '../shell/shell.ts'
import type { BufferHub } from './hub.ts'

export interface CommandTraces {
  /** Unsaved files that a command does not see. */
  readonly told: Set<VfsPath>
}

/** `shell` for commands that run while editors are open. `tracesOf` finds what the result of a command's call will say. */
export function bufferedShell(
  shell: Shell,
  hub: BufferHub,
  root: VfsPath,
  tracesOf: (origin: string | undefined) => CommandTraces,
): Shell {
  return {
    capabilities: shell.capabilities,
    dispose: () => shell.dispose(),
    async start(command, options) {
      await beforeCommand(hub, root, tracesOf(options?.origin))
      return await shell.start(command, options)
    },
  }
}

/** Throws `ToolError` `unsaved-files` if the command must not run. */
export async function beforeCommand(hub: BufferHub, root: VfsPath, traces: CommandTraces): Promise<void> {
  const unsaved = hub.unsaved()
  if (unsaved.length === 0) return
  if (hub.rules.commands === 'tell') {
    for (const { path } of unsaved) traces.told.add(path)
    return
  }
  const names = unsaved.map(({ path }) => displayPath(path, root))
  const shown = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
  if (hub.rules.commands === 'refuse') throw refused(`${shown} open with text that is not saved`, names)
  try {
    await hub.saveAll()
  } catch (error) {
    throw refused(`${shown} could not all be saved (${error instanceof Error ? error.message : String(error)})`, names, error)
  }
}

function refused(why: string, paths: readonly string[], cause?: unknown): ToolError {
  return new ToolError('unsaved-files', `The command did not run: ${why}.`, {
    nextStep: 'Ask the user to save or close these files, then run it again; read and edit see their text meanwhile.',
    details: { paths },
    cause,
  })
}

export function sameCall({ session, callId }: Attribution): string {
  return `${session ?? ''} ${callId ?? ''}`
}
