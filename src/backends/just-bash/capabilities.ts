// The capabilities that this shell reports.

import { parsePath } from '../../core/path.ts'
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
    temporaryDirectory: parsePath('/tmp'),
    commands: [...tableOf(hostCommands).keys()].sort(),
    notes: notesOf(place, hostCommands),
  }
}
