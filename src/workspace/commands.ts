// The commands that a workspace adds to its shell. They run beside the files.

import { gitCommand } from '../git/command.ts'
import { networkOf } from '../git/network/options.ts'
import type { ShellCommandDefinition } from '../shell/commands.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { rgCommand } from './rg/command.ts'
import type { RgWorkspace } from './rg/rg.ts'
import type { WorkspaceOptions } from './workspace.ts'

export function workspaceCommands(
  { clock, git }: WorkspaceOptions,
  files: RgWorkspace,
  filesAs: (origin: string) => Vfs,
): readonly ShellCommandDefinition[] {
  return [
    rgCommand(files),
    gitCommand({ vfs: files.vfs, filesAs, clock: clock ?? Date.now, author: git?.author, network: networkOf(git) }),
  ]
}
