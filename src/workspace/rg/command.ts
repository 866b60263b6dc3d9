// The commands that a workspace brings to a shell of its own.

import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { RgWorkspace } from './rg.ts'

/** Loaded when it is first called. */
export function rgCommand(workspace: RgWorkspace): ShellCommandDefinition {
  return { name: 'rg', run: async (args, context) => (await import('./rg.ts')).rg(args, context, workspace) }
}
