// What this shell can do.

import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { ShellCapabilities } from '../../shell/shell.ts'
import { tableOf } from './commands/own-commands.ts'
import { notesOf, type ScriptPlace } from './notes.ts'

export function justBashCapabilities(
  place: ScriptPlace,
  hostCommands: readonly ShellCommandDefinition[] = [],
): ShellCapabilities {
  return {
    dialect: 'bash',
    splitStreams: true,
    ordered: true,
    exactBytes: true,
    streaming: true,
    stdin: 'eof',
    kill: place === 'worker' ? 'signal' : 'soft',
    concurrent: true,
    sharesVfs: true,
    knowsChanges: true,
    terminal: false,
    commands: [...tableOf(hostCommands).keys()].sort(),
    notes: notesOf(place, hostCommands),
  }
}
