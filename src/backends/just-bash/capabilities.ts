// What this shell can do, and what a model that expects a real bash should know.

import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { ShellCapabilities } from '../../shell/shell.ts'
import { tableOf } from './commands/own-commands.ts'
import { workerStarter } from './spawn.ts'

/** `thread`: on the thread of the workspace, which a script can keep to itself. */
export type ScriptPlace = 'worker' | 'thread'

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
    notes: [...notesOf(hostCommands), ...(place === 'worker' ? [] : [threadNote])],
  }
}

/** The notes of the default shell, which are wanted before it is loaded. */
export function expectedNotes(hostCommands: readonly ShellCommandDefinition[] = []): readonly string[] {
  return justBashCapabilities(workerStarter() === undefined ? 'thread' : 'worker', hostCommands).notes
}

/** What agents often ask for; those that are there, or that the host brings, are not named. */
const oftenWanted = ['git', 'node', 'npm', 'npx', 'python3', 'make', 'perl', 'curl', 'wget', 'bc', 'sqlite3', 'ps', 'sudo']

function notesOf(hostCommands: readonly ShellCommandDefinition[]): readonly string[] {
  const known = tableOf(hostCommands)
  const missing = oftenWanted.filter(name => !known.has(name))
  const added = hostCommands
    .filter(({ name, help }) => help !== undefined && name !== 'rg')
    .map(({ name, help }) => `\`${name}\`: ${help ?? ''}`)
  return [
    'This is an emulated bash 5 with the usual text tools (grep, rg, sed, awk, jq, find, sort, xargs, diff, gzip, tar); there is no network.',
    ...(missing.length === 0 ? [] : [`Not available: ${missing.join(', ')}.`]),
    ...added,
    'Each command starts anew: variables, functions and cd do not carry over. Background jobs (`cmd &`) run until the command ends, which waits for them.',
    'What a redirection writes (`> file`) is in the file when the file is closed, or when the same script looks at it.',
  ]
}

const threadNote = 'A loop of nothing but builtins, such as `while :; do :; done`, holds up everything else until its time-out.'
