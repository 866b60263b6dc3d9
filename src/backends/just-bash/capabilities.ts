// What this shell can do, and what a model that expects a real bash should know. Each note was found by running it (just-bash 3.4.2).

import type { ShellCapabilities } from '../../shell/shell.ts'
import { workerStarter } from './spawn.ts'

/** `thread`: on the thread of the workspace, which a script can keep to itself. */
export type ScriptPlace = 'worker' | 'thread'

export function justBashCapabilities(place: ScriptPlace): ShellCapabilities {
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
    notes: place === 'worker' ? notes : [...notes, threadNote],
  }
}

/** The notes of the default shell, which are wanted before it is loaded. */
export function expectedNotes(): readonly string[] {
  return justBashCapabilities(workerStarter() === undefined ? 'thread' : 'worker').notes
}

const notes: readonly string[] = [
  'This is an emulated bash with the usual text tools (grep, rg, sed, awk, jq, find, sort, xargs, diff, gzip, tar); there is no network.',
  'Not available: git, node, npm, python, make, patch, curl, bc, yes, dd, zip, trap, kill, jobs, umask, select, coproc.',
  '`cmd &` runs in the foreground, and each command starts anew: variables, functions and cd do not carry over.',
  'Inside a function or a script that uses exec, standard output is shown before standard error.',
  'A function is unknown inside an arithmetic expansion: `$(( $(f) + 1 ))` fails; assign `x=$(f)` first.',
  'Inside a loop, if or function, `set -u` reports an unset variable but does not end the script.',
  'A glob that ends in a slash (`*/`) also gives files: use `find . -maxdepth 1 -type d`.',
  'Arithmetic is exact up to 2^53, and `<<`, `>>`, `&`, `|` work on 32 bits.',
  'awk, sed and `<(…)` carry UTF-8 text only; awk drops the carriage return of CRLF lines.',
]
const threadNote = 'A loop of nothing but builtins, such as `while :; do :; done`, holds up everything else until its time-out.'
