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
    describe: ({ root, limits, shell }) => [
      `Run a shell command in ${root}. Each call is a new shell there: files persist, \`cd\` and variables do not.`,
      `stdout and stderr come as one text; a non-zero exit code is an error. Beyond ${limits.bashMaxLines} lines or ${formatSize(limits.bashMaxBytes)} the middle is cut; the whole is at the artifact:// address given.`,
      ...(hasJobs
        ? [
            'With async the answer is a job ID: the commands `__atomic_bash_job ID` and `__atomic_bash_job_cancel ID` show and end the job.',
          ]
        : []),
      'Prefer the other tools for files: they page and notice changes.',
      ...(shell.kind === 'available' ? shell.notes : ['This workspace has no shell: every call is refused.']),
    ],
    input: ({ limits }) => (hasJobs ? inputWithJobs(limits) : plainInput(limits)),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
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
      async: optional(pipe(boolean(), description('Run in the background (default false)'))),
    }),
    aliases,
  )
}

function entries({ bashTimeoutMs, bashMaxTimeoutMs }: Limits) {
  const seconds = `Seconds, 1 to ${bashMaxTimeoutMs / 1000} (default ${bashTimeoutMs / 1000})`
  return {
    command: pipe(string(), description('The command')),
    cwd: optional(pipe(string(), description('Directory to run in'))),
    env: optional(pipe(record(string(), string()), description('Variables to add'))),
    timeout: optional(pipe(number(), description(seconds))),
    pty: optional(pipe(boolean(), description('Request a terminal'))),
  }
}
