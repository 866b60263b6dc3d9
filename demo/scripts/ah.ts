// The task with `ah`: an edit names text that occurs exactly once. A stale edit names text that does not occur any more.

import { checkInShell, findInShell, listTestsInShell, verifyInShell } from './in-shell.ts'
import { rowOf } from './rows.ts'
import { call, refusedCall, seenText, type SeenResults, type SessionStep } from './step.ts'
import {
  bashMaxBytes,
  bashMaxLines,
  limitsPath,
  linesAround,
  personStep,
  readMaxLines,
  thoughts,
  withFiveThousand,
  writeTest,
} from './task.ts'

export const ahSteps: readonly SessionStep[] = [
  findInShell,
  call({
    id: 'read',
    thought: 'Read from the first of them to the line below the second, with line numbers.',
    tool: 'read',
    args: seen => ({ path: limitsPath, ...linesAround(seenText(seen, 'find'), 'grep') }),
  }),
  call({
    id: 'edit-read',
    thought: 'Change the limit of read. The line is in the file only once, so its text says where it is.',
    tool: 'edit',
    args: seen => lineEdit(seen, 'read', readMaxLines),
  }),
  checkInShell,
  personStep,
  refusedCall({
    id: 'edit-stale',
    thought: thoughts.stale,
    tool: 'edit',
    args: seen => {
      const shown = seenText(seen, 'read')
      const [lines, bytes] = [rowOf(shown, 'numbered', bashMaxLines).text, rowOf(shown, 'numbered', bashMaxBytes).text]
      return { path: limitsPath, old_string: `${lines}\n${bytes}`, new_string: `${withFiveThousand(lines)}\n${bytes}` }
    },
  }),
  call({
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read',
    args: seen => {
      const { lineNumber } = rowOf(seenText(seen, 'read'), 'numbered', bashMaxLines)
      return { path: limitsPath, offset: lineNumber, limit: 2 }
    },
  }),
  call({
    id: 'edit-bash',
    thought: thoughts.onlyMeant,
    tool: 'edit',
    args: seen => lineEdit(seen, 'read-again', bashMaxLines),
  }),
  listTestsInShell,
  writeTest('write'),
  verifyInShell,
]

function lineEdit(seen: SeenResults, id: string, pattern: RegExp): Record<string, unknown> {
  const { text } = rowOf(seenText(seen, id), 'numbered', pattern)
  return { path: limitsPath, old_string: text, new_string: withFiveThousand(text) }
}
