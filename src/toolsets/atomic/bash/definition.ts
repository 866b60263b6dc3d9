import { boolean, description, number, object, optional, pipe, record, string } from 'valibot'

import type { Limits } from '../../../core/limits.ts'
import { argumentSchema, type ArgumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { commandBusyTime, defineTool, type AnyTool } from '../../../session/tool.ts'
import type { Interceptor } from './interceptor.ts'
import type { BashArguments } from './prepare.ts'

const aliases = {
  aliases: { cmd: 'command', script: 'command', workdir: 'cwd', working_directory: 'cwd', timeout_seconds: 'timeout' },
}

/** `hasJobs`: whether commands may run in the background. */
export function createBashTool(interceptor: Interceptor, hasJobs: boolean): AnyTool {
  return defineTool({
    name: 'bash',
    describe: ({ root, limits, shell }) =>
      [
        `Run a shell command in ${root}. Every call starts afresh there: \`cd\`, variables and functions do not last, files do.`,
        'Both output streams come back in one text; a non-zero exit code makes the result an error.',
        `Time-out ${limits.bashTimeoutMs / 1000} s unless "timeout" says otherwise. Longer output than ${limits.bashMaxLines} lines or ${formatSize(limits.bashMaxBytes)} is cut in its middle; the whole can be read and searched at the artifact:// address given.`,
        ...(hasJobs
          ? [
              'With "async": true it goes on in the background and the answer is a job ID: `__atomic_bash_job ID` as the command tells how it goes, `__atomic_bash_job_cancel ID` ends it. Jobs end with the session.',
            ]
          : []),
        'Prefer read, search, find and edit for files: they page, keep tags and notice changes.',
        ...(shell.kind === 'available' ? shell.notes : ['This workspace has no shell: every call is refused.']),
      ].join('\n'),
    input: ({ limits }) => (hasJobs ? inputWithJobs(limits) : plainInput(limits)),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    executionMode: 'sequential',
    busy: session => commandBusyTime(session, session.limits.bashTimeoutMs, 1000),
    run: async (args, call) => (await import('./run.ts')).runBash(args, call, interceptor),
  })
}

function plainInput(limits: Limits): ArgumentSchema<BashArguments> {
  return argumentSchema(object(entries(limits)), aliases)
}

function inputWithJobs(limits: Limits): ArgumentSchema<BashArguments> {
  return argumentSchema(
    object({
      ...entries(limits),
      async: optional(pipe(boolean(), description('Run it in the background and answer at once with a job ID'))),
    }),
    aliases,
  )
}

function entries({ bashTimeoutMs, bashMaxTimeoutMs }: Limits) {
  const seconds = `Seconds, 1 to ${bashMaxTimeoutMs / 1000} (default ${bashTimeoutMs / 1000})`
  return {
    command: pipe(string(), description('The command, as bash would read it')),
    cwd: optional(pipe(string(), description('Directory to run in, relative to the workspace'))),
    env: optional(pipe(record(string(), string()), description('Environment variables to add'))),
    timeout: optional(pipe(number(), description(seconds))),
    pty: optional(pipe(boolean(), description('Ask for a terminal; ignored where the shell has none'))),
  }
}
