import { description, minValue, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { commandBusyTime, defineTool, type AnyTool } from '../../../session/tool.ts'
import { bashTimeoutMs, cutLimits } from '../limits.ts'

export const bashTool: AnyTool = defineTool({
  name: 'bash',
  describe: ({ root, shell }) => [
    `Execute a bash command in ${root}, with \`set -eo pipefail\`: it ends at the first command that fails. Each call is a new shell; files persist.`,
    'Both output streams come back in one text. A non-zero exit code makes the result an error.',
    `More than ${cutLimits.bash.maxBytes} bytes or ${cutLimits.bash.maxLines} lines of output are cut in the middle; the whole can be read at the address given.`,
    ...(shell.kind === 'available' ? shell.notes : ['This workspace has no shell: every call is refused.']),
  ],
  input: argumentSchema(
    object({
      command: pipe(string(), description('Bash command to execute')),
      timeout: optional(pipe(number(), minValue(1), description(`Milliseconds (default ${bashTimeoutMs})`))),
    }),
    { aliases: { cmd: 'command', script: 'command', timeout_ms: 'timeout' } },
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  busy: session => commandBusyTime(session, bashTimeoutMs, 1),
  run: async (args, call) => (await import('./run.ts')).runBash(args, call),
})
