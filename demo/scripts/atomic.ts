// The task with `atomic`: edits are anchored to a tag of the file and to line numbers.

import { findRow, readSections, type ResultSection } from '../read-result.ts'
import { checkInShell, verifyInShell } from './in-shell.ts'
import { call, refusedCall, seenText, type SeenResults, type SessionStep } from './step.ts'
import {
  bashMaxBytes,
  bashMaxLines,
  limitsPath,
  personStep,
  readMaxLines,
  thoughts,
  withFiveThousand,
  writeTest,
} from './task.ts'

export const atomicSteps: readonly SessionStep[] = [
  call({
    id: 'search',
    thought: thoughts.find,
    tool: 'search',
    args: () => ({ pattern: '\\b(read|bash)MaxLines:', paths: 'src' }),
  }),
  call({
    id: 'read',
    thought: 'Read the lines around them. The header carries a tag of the file as it is now.',
    tool: 'read',
    args: seen => {
      const file = seenFile(seen, 'search')
      return { path: `${file.path}:${findRow(file, readMaxLines).lineNumber}-${findRow(file, bashMaxLines).lineNumber + 1}` }
    },
  }),
  call({
    id: 'edit-read',
    thought: 'Change the limit of read, anchored to the tag and the line number just seen.',
    tool: 'edit',
    args: seen => {
      const file = seenFile(seen, 'read')
      const row = findRow(file, readMaxLines)
      return { input: `${file.header}\nreplace ${row.lineNumber}..${row.lineNumber}:\n+${withFiveThousand(row.text)}\n` }
    },
  }),
  checkInShell,
  personStep,
  refusedCall({
    id: 'edit-stale',
    thought: 'The agent knows nothing of that. It rewrites both lines of bash, still under its own tag, and is refused.',
    tool: 'edit',
    args: seen => {
      const { header } = seenFile(seen, 'edit-read')
      const before = seenFile(seen, 'read')
      const lines = findRow(before, bashMaxLines)
      const bytes = findRow(before, bashMaxBytes)
      return {
        input: `${header}\nreplace ${lines.lineNumber}..${bytes.lineNumber}:\n+${withFiveThousand(lines.text)}\n+${bytes.text}\n`,
      }
    },
  }),
  call({
    id: 'read-again',
    thought: 'Nothing was overwritten. Read again: the file has the saved change, and a new tag.',
    tool: 'read',
    args: seen => {
      const row = findRow(seenFile(seen, 'read'), bashMaxLines)
      return { path: `${seenFile(seen, 'read').path}:${row.lineNumber}-${row.lineNumber + 1}` }
    },
  }),
  call({
    id: 'edit-bash',
    thought: thoughts.onlyMeant,
    tool: 'edit',
    args: seen => {
      const file = seenFile(seen, 'read-again')
      const row = findRow(file, bashMaxLines)
      return { input: `${file.header}\nreplace ${row.lineNumber}..${row.lineNumber}:\n+${withFiveThousand(row.text)}\n` }
    },
  }),
  call({
    id: 'tests',
    thought: thoughts.tests,
    tool: 'find',
    args: () => ({ paths: ['src/core/*.test.ts'] }),
  }),
  writeTest('write'),
  verifyInShell,
]

/** The file with the limits in the result of `id`: the one whose shown path ends with it. */
function seenFile(seen: SeenResults, id: string): ResultSection {
  const text = seenText(seen, id)
  const section = readSections(text).find(candidate => candidate.path === limitsPath)
  if (section === undefined) throw new Error(`The result of "${id}" does not show ${limitsPath}:\n${text}`)
  return section
}
