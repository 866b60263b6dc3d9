import { description, number, object, optional, pipe, string } from 'valibot'

import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { commandBusyTime, defineTool, type AnyTool } from '../../../session/tool.ts'
import { defaultTimeoutSeconds } from '../limits.ts'

export const bashTool: AnyTool = defineTool({
  name: 'bash',
  describe: ({ root, limits, shell }) => [
    `Execute a shell command in ${root} and return its stdout and stderr combined. Each call is a new shell there: files persist, \`cd\` and variables do not.`,
    'If a command fails, the answer is `Exit code N` with separate streams.',
    `Time-out ${defaultTimeoutSeconds} seconds unless "timeout" says otherwise, at most ${limits.bashMaxTimeoutMs / 1000}. Output above ${formatSize(limits.bashMaxBytes)} or ${limits.bashMaxLines} lines is cut at its start; the answer says where the whole can be read.`,
    ...(shell.kind === 'available' ? shell.notes : ['This workspace has no shell: every call is refused.']),
  ],
  input: argumentSchema(
    object({
      command: pipe(string(), description('The shell command to run')),
      timeout: optional(pipe(number(), description(`Seconds (default ${defaultTimeoutSeconds})`))),
    }),
    { aliases: { cmd: 'command', script: 'command', timeout_seconds: 'timeout' } },
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  busy: session => commandBusyTime(session, defaultTimeoutSeconds * 1000, 1000),
  run: async (args, call) => (await import('./run.ts')).runBash(args, call),
})
