// The task with `agsh`: it has no search and no shell, but a scratchpad that files are read into and searched in. A file must be
// read before it is edited, and read again once somebody else has changed it.

import { call, refusedCall, seenText, type SeenResults, type SessionStep } from './step.ts'
import {
  bashMaxBytes,
  bashMaxLines,
  limitsPath,
  linesAround,
  personStep,
  readMaxLines,
  testPath,
  testText,
  thoughts,
  withFiveThousand,
} from './task.ts'

export const agshSteps: readonly SessionStep[] = [
  call({
    id: 'keep',
    thought: 'The limits are in a separate file. Put it into the scratchpad instead of the conversation.',
    tool: 'read_file',
    args: () => ({ path: limitsPath, scratchpad: 'limits' }),
  }),
  call({
    id: 'find',
    thought: 'Find there where both limits are set.',
    tool: 'scratchpad_read',
    args: () => ({ name: 'limits', regex: '\\b(read|bash)MaxLines: \\d' }),
  }),
  call({
    id: 'read',
    thought: 'Read the lines around them.',
    tool: 'read_file',
    args: aroundBoth,
  }),
  call({
    id: 'edit-read',
    thought: 'Change the limit of read, by its text.',
    tool: 'edit_file',
    args: seen => lineEdit(seen, 'read', readMaxLines),
  }),
  personStep,
  refusedCall({
    id: 'edit-stale',
    thought: 'The agent knows nothing of that. It edits what it read before, and is refused: the file is another one now.',
    tool: 'edit_file',
    args: seen => {
      const [lines, bytes] = [lineOf(seen, 'read', bashMaxLines), lineOf(seen, 'read', bashMaxBytes)]
      return { path: limitsPath, old_string: `${lines}\n${bytes}`, new_string: `${withFiveThousand(lines)}\n${bytes}` }
    },
  }),
  call({
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read_file',
    args: aroundBoth,
  }),
  call({
    id: 'edit-bash',
    thought: thoughts.onlyMeant,
    tool: 'edit_file',
    args: seen => lineEdit(seen, 'read-again', bashMaxLines),
  }),
  call({
    id: 'write',
    thought: 'Write the test beside the file.',
    tool: 'write_file',
    args: () => ({ path: testPath, content: testText }),
  }),
  call({
    id: 'keep-again',
    thought: 'To check, put the file as it is now over the old one in the scratchpad',
    tool: 'read_file',
    args: () => ({ path: limitsPath, scratchpad: 'limits' }),
  }),
  call({
    id: 'verify',
    thought: '… and look at all three numbers.',
    tool: 'scratchpad_read',
    args: () => ({ name: 'limits', regex: '(readMaxLines|bashMax(Lines|Bytes)): \\d' }),
  }),
]

/** `offset` is 0-based here. */
function aroundBoth(seen: SeenResults): Record<string, unknown> {
  const { offset, limit } = linesAround(seenText(seen, 'find'), 'listed')
  return { path: limitsPath, offset: offset - 1, limit }
}

/** Text comes without line numbers. */
function lineOf(seen: SeenResults, id: string, pattern: RegExp): string {
  const text = seenText(seen, id)
  const line = text.split('\n').find(candidate => pattern.test(candidate))
  if (line === undefined) throw new Error(`The result of "${id}" has no line that matches ${pattern.source}:\n${text}`)
  return line
}

function lineEdit(seen: SeenResults, id: string, pattern: RegExp): Record<string, unknown> {
  const line = lineOf(seen, id, pattern)
  return { path: limitsPath, old_string: line, new_string: withFiveThousand(line) }
}
