// What this shell can do, and what a model that expects a real bash should know. Each note was found by running it (just-bash 3.4.2).

import type { ShellCapabilities } from '../../shell/shell.ts'

export const justBashCapabilities: ShellCapabilities = {
  dialect: 'bash',
  splitStreams: true,
  ordered: true,
  exactBytes: true,
  streaming: true,
  stdin: 'eof',
  kill: 'soft',
  concurrent: true,
  sharesVfs: true,
  terminal: false,
  notes: [
    'This is an emulated bash with the usual text tools (grep, rg, sed, awk, jq, find, sort, xargs, diff, gzip); there is no network.',
    'Not available: git, node, npm, python, tar, curl, bc, yes, trap, kill, jobs, umask, select, coproc.',
    '`cmd &` runs in the foreground, and each command starts anew: variables, functions and cd do not carry over.',
    'Inside a function, `bash -c`, or a script that uses exec, standard output is shown before standard error.',
    'A function is unknown inside an arithmetic expansion: `$(( $(f) + 1 ))` fails; assign `x=$(f)` first.',
    'Inside a loop, if or function, `set -u` reports an unset variable but does not end the script.',
    "printf '\\xHH' from 80 to ff writes the character U+00HH as UTF-8, not the byte.",
    'xargs and head take attached values separately: `xargs -n 1`, not `-n1`.',
  ],
}
