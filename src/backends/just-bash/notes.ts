// What a model that expects a real bash should know of this shell. A tool's description holds it before the shell is loaded, so nothing
// here may load the commands.

import type { ShellCommandDefinition } from '../../shell/commands.ts'
import { hasWorkers } from '../../core/node-threads.ts'

/** `thread`: on the thread of the workspace, which a script can keep to itself. */
export type ScriptPlace = 'worker' | 'thread'

/** The notes of the default shell, as they will be when it is loaded. */
export function expectedNotes(hostCommands: readonly ShellCommandDefinition[] = []): readonly string[] {
  return notesOf(hasWorkers() ? 'worker' : 'thread', hostCommands)
}

/** Commands that agents often ask for and that this shell does not have; a test compares them with its table of programs. */
export const missingCommands: readonly string[] = [
  'node',
  'npm',
  'npx',
  'python3',
  'make',
  'perl',
  'curl',
  'wget',
  'sqlite3',
  'ps',
  'sudo',
]

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
