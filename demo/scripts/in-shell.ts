// Steps that all toolsets with a shell share.

import { call, type AgentStep } from './step.ts'
import { limitsPath, testPath, thoughts } from './task.ts'

const inShell = (id: string, thought: string, command: string): AgentStep =>
  call({ id, thought, tool: 'bash', args: () => ({ command }) })

export const findInShell: AgentStep = inShell('find', thoughts.find, "grep -rnE '\\b(read|bash)MaxLines: [0-9]' src/core")

export const checkInShell: AgentStep = inShell(
  'check',
  'Check it in the shell, which sees the same files.',
  `grep -n 'MaxLines: [0-9]' ${limitsPath} && wc -l ${limitsPath}`,
)

export const listTestsInShell: AgentStep = inShell('tests', thoughts.tests, 'ls src/core/*.test.ts')

export const verifyInShell: AgentStep = inShell(
  'verify',
  thoughts.verify,
  `grep -n 'Max\\(Lines\\|Bytes\\): [0-9]' ${limitsPath} && wc -l ${testPath}`,
)
