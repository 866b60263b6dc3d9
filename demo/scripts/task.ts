// The task that the scripts of all toolsets do, on the sources of this project: the request, a change that a person makes meanwhile, and
// how the lines in question are found.

import { rowOf, type RowForm } from './rows.ts'
import { call, type AgentStep, type PersonStep } from './step.ts'

/** The request to the agent. */
export const task = 'Let read and bash show 5,000 lines at once instead of 3,000, and add a test that both limits are equal.'

/** The file that the session changes, and the one that it writes. */
export const limitsPath = 'src/core/limits.ts'
export const testPath = 'src/core/equal-limits.test.ts'

export const testText = `import { expect, test } from 'vitest'
import { defaultLimits } from './limits.ts'

test('read and bash show equally many lines', () => {
  expect(defaultLimits.bashMaxLines).toBe(defaultLimits.readMaxLines)
})
`

/** The three lines with the numbers. */
export const readMaxLines: RegExp = /^\s*readMaxLines: [\d_]+,$/
export const bashMaxLines: RegExp = /^\s*bashMaxLines: [\d_]+,$/
export const bashMaxBytes: RegExp = /^\s*bashMaxBytes: [^,]+,$/

export function withFiveThousand(line: string): string {
  return line.replace(/[\d_]+,$/, '5000,')
}

export const personStep: PersonStep = {
  actor: 'person',
  id: 'person',
  thought: 'Meanwhile a person raises bashMaxBytes in the same file and saves.',
  path: limitsPath,
  change: text => text.replace(/^(\s*bashMaxBytes: )[^,\n]+,$/m, '$1256 * 1024,'),
}

/** Steps that differ between the toolsets only by their tool. */
export const thoughts = {
  find: 'Find where both limits are set.',
  stale: 'The agent knows nothing of that. It rewrites both lines of bash as it read them, and is refused.',
  again: 'Nothing was overwritten. Read again: the file has the saved change.',
  tests: 'Look where tests live.',
  write: 'Write the test beside the others.',
  verify: 'Check everything once more.',
  onlyMeant: 'Change only the line that is meant. What the person saved stays.',
} as const

/** Writes the test; `pathName` is what the tool calls its path. */
export const writeTest = (tool: string, pathName: 'path' | 'file_path' = 'path'): AgentStep =>
  call({ id: 'write', thought: thoughts.write, tool, args: () => ({ [pathName]: testPath, content: testText }) })

/** From the first of both limits to the line below the second, as a search found them. Lines count from 1. */
export function linesAround(found: string, form: RowForm): { readonly offset: number; readonly limit: number } {
  const offset = rowOf(found, form, readMaxLines).lineNumber
  return { offset, limit: rowOf(found, form, bashMaxLines).lineNumber - offset + 2 }
}
