// Where a WebContainer differs from the contracts, behind our ports.

import type { Deviation } from '../contract.ts'
import type { ShellDeviation } from '../shell-contract/contract.ts'

export const webContainerDeviations: readonly Deviation[] = [
  { case: 'watch.tells: a second name', why: 'the client makes no hard links, and says so in its capabilities' },
  { case: 'watch.tells: a second name of a symlink', why: 'the client makes no hard links, and says so in its capabilities' },
]

/** For every kind of shell. */
export const containerShellDeviations: readonly ShellDeviation[] = [
  {
    case: 'the state of a command is gone with it',
    why: 'a process sees where the container has its files, not what the workspace calls it',
  },
]

const noSyntax = 'jsh refuses this syntax, as far as is known; what a probe finds missing is told in the tool description'
const noTool = 'a command that jsh is not known to bring (wc, tr, printf, seq, timeout)'

/** For the shell as reported. No live run has confirmed any of it. */
export const restrictedShellDeviations: readonly ShellDeviation[] = [
  ...containerShellDeviations,
  ...[
    'a substitution takes standard output only',
    '2>/dev/null silences a function',
    'exec redirects the rest',
    'set -e spares conditions',
    'here-documents',
    'mktemp',
  ].map(name => ({ case: name, why: noSyntax })),
  ...[
    'printf writes bytes',
    'has no input when none is given',
    'a pipe takes standard output only',
    '2>&1 sends both down a pipe',
    'pipes',
    'reads a file',
    'keeps leading white space in quotes',
    'two bytes that look like one character stay two',
    'the end of a long output is kept',
    'a time-out of the script itself is an exit',
  ].map(name => ({ case: name, why: noTool })),
  {
    case: 'a loop that never ends times out',
    why: 'kill() does not end a busy loop (webcontainer-core#1121): it is told as lost',
  },
]
