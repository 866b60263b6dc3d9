// Notes on the differences from a real bash, for the model. A tool's description contains them before the shell is loaded, so
// this module must not load the commands.

import type { ShellCommandDefinition } from '../../shell/commands.ts'
import { hasWorkers } from '../../core/node-threads.ts'

/** `thread` is the thread of the workspace, which a script can block. */
export type ScriptPlace = 'worker' | 'thread'

/** The notes of the default shell before it is loaded. */
export function expectedNotes(hostCommands: readonly ShellCommandDefinition[] = []): readonly string[] {
  return notesOf(hasWorkers() ? 'worker' : 'thread', hostCommands)
}

/** Commands that agents often use and that this shell does not have. A test compares the list with the command table. */
export const missingCommands: readonly string[] = 'node npm npx python3 make perl curl wget sqlite3 ps sudo'.split(' ')

export function notesOf(place: ScriptPlace, hostCommands: readonly ShellCommandDefinition[]): readonly string[] {
  const missing = missingCommands.filter(name => !hostCommands.some(command => command.name === name))
  const added = hostCommands
    .filter(({ name, help }) => help !== undefined && name !== 'rg')
    .map(({ name, help }) => `\`${name}\`: ${help ?? ''}`)
  return [
    'This is an emulated bash 5 with the usual tools (git, grep, rg, sed, awk, jq, find, sort, xargs, diff, gzip, tar); there is no network.',
    ...(missing.length === 0 ? [] : [`Not available: ${missing.join(', ')}.`]),
    ...added,
    'Background jobs (`cmd &`) run until the command ends, which waits for them.',
    '`> file` is written when the file is closed, or when the same script looks at it.',
    ...(place === 'worker' ? [] : [threadNote]),
  ]
}

const threadNote = 'A loop of nothing but builtins, such as `while :; do :; done`, holds up everything else until its time-out.'
