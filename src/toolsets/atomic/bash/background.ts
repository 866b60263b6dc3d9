// Commands in the background: started with `async`, then polled and cancelled with commands that are not passed to the shell.

import { ToolError } from '../../../core/errors.ts'
import { utf8SizeBytes } from '../../../core/size.ts'
import type { Job, JobEnd, JobReport } from '../../../session/jobs.ts'
import { changeDetails, runKept } from '../../../session/run-kept.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import type { PreparedCommand } from './prepare.ts'
import { describeEnd, headBytes, showOutput } from './render.ts'
import { deferred } from '../../../core/deferred.ts'

const pollCommand = '__atomic_bash_job'
const cancelCommand = '__atomic_bash_job_cancel'
const longestPollMs = 3_600_000

export interface JobCall {
  readonly kind: 'poll' | 'cancel'
  readonly id: string
}

/** Matches the whole command, so that such a command cannot be part of a script. */
export function parseJobCall(command: string): JobCall | undefined {
  const [, name, id] = /^\s*(__atomic_bash_job(?:_cancel)?)\s+(\S+)\s*$/.exec(command) ?? []
  if (id === undefined) return undefined
  return { kind: name === cancelCommand ? 'cancel' : 'poll', id }
}

/** Returns the job's ID at once. The job belongs to the session and ends with it. `afterwards` is called when it has ended. */
export async function startJob(
  prepared: PreparedCommand,
  session: Session,
  afterwards: () => Promise<void>,
): Promise<ToolOutcome> {
  const jobs = await session.jobs()
  const job = jobs.start('bash', {
    title: prepared.command,
    run: async (signal, tell) => {
      try {
        return await runJob(prepared, session, signal, tell)
      } finally {
        await afterwards()
      }
    },
  })
  const lines = [
    `Started bash job ${job.id}: ${prepared.command}`,
    `Poll with bash({"command": "${pollCommand} ${job.id}"}), which waits for its end up to "timeout" seconds when that is given; cancel with bash({"command": "${cancelCommand} ${job.id}"}).`,
    ...prepared.notes,
  ]
  return { content: textContent(lines.join('\n')), details: { async: describe(job), ...prepared.details } }
}

/** Throws `ToolError` `unknown-job`. `waitSeconds`: how long a poll waits for the job's end; without it, the answer is immediate. */
export async function answerJobCall(
  { kind, id }: JobCall,
  waitSeconds: number | undefined,
  call: ToolCall,
): Promise<ToolOutcome> {
  const jobs = await call.session.jobs()
  const job = jobs.get(id)
  if (job === undefined) {
    const known = jobs.ids
    throw new ToolError('unknown-job', `Unknown bash job ${JSON.stringify(id)} in this session.`, {
      nextStep:
        known.length === 0
          ? 'Start one with "async": true. Jobs are forgotten 30 minutes after their end.'
          : `Jobs: ${known.slice(-10).join(', ')}.`,
    })
  }
  if (kind === 'poll') {
    if (waitSeconds !== undefined && waitSeconds > 0) await waitFor(job, Math.min(waitSeconds * 1000, longestPollMs), call)
    return answer(job, poll(job))
  }
  const text = job.cancel()
    ? `Cancellation requested for bash job ${job.id}. Poll it to see its end.`
    : `Bash job ${job.id} had ended already: ${job.state}.`
  return { content: textContent(text), details: { async: describe(job) } }
}

async function runJob(
  { command, cwd, env, shell, terminal, timeoutMs, details }: PreparedCommand,
  session: Session,
  signal: AbortSignal,
  tell: (report: JobReport) => void,
): Promise<JobEnd> {
  const kept = session.outputs.open(`bash: ${command}`)
  let last: JobReport = { output: '', details }
  try {
    const outcome = await runKept(
      session,
      shell,
      { kind: 'script', script: command },
      {
        title: kept.title,
        kept,
        cwd,
        env,
        ...(terminal === undefined ? {} : { terminal }),
        // The progress bars of a job are not shown.
        isTerminalText: true,
        timeoutMs,
        isBackground: true,
        signal,
        maxHeadBytes: headBytes,
        progressMaxBytes: session.limits.bashMaxBytes,
        onOutput: ({ output, totalBytes, wallTimeMs }) => {
          const note =
            utf8SizeBytes(output) < totalBytes ? `\n\n[The end of its output so far. The whole output: read ${kept.address}]` : ''
          const fullOutputPath = note === '' ? {} : { fullOutputPath: kept.address }
          last = { output: output + note, details: { ...details, wallTimeMs, ...fullOutputPath } }
          tell(last)
        },
      },
    )
    const shown = showOutput(outcome, session.limits)
    const ending = describeEnd(outcome, timeoutMs)
    const { exit } = outcome
    return {
      isError: ending.isError,
      output: [shown.text, ...shown.notes].join('\n\n'),
      // An exit code explains the end.
      problem: exit.kind === 'exited' ? undefined : ending.text,
      details: {
        ...details,
        wallTimeMs: outcome.wallTimeMs,
        ...changeDetails(outcome),
        ...shown.details,
        ...ending.details,
        ...(exit.kind === 'exited' ? { exitCode: exit.code } : {}),
      },
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return { isError: true, problem: 'cancelled', ...last, details: { ...last.details, error: { code: 'cancelled' } } }
  }
}

async function waitFor(job: Job, waitMs: number, { signal, onUpdate }: ToolCall): Promise<void> {
  signal.throwIfAborted()
  const forget = job.onReport(report =>
    onUpdate({ content: textContent(report.output), details: { async: describe(job), ...report.details } }),
  )
  const over = deferred<void>()
  const stop = (): void => over.resolve()
  const timer = setTimeout(stop, waitMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([job.ended, over.promise])
    signal.throwIfAborted()
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    forget()
  }
}

function poll(job: Job): string {
  const { problem } = job
  const lines = [`Job ${job.id}: ${job.state}`, `Command: ${job.title}`, ...(problem === undefined ? [] : [`Error: ${problem}`])]
  const { output } = job.report
  return [...lines, ...(output === '' ? [] : [output])].join('\n')
}

function answer(job: Job, text: string): ToolOutcome {
  return {
    isError: job.state === 'failed',
    content: textContent(text),
    details: { async: describe(job), ...job.report.details },
  }
}

/** `status` is the reference's second name for `state`. */
function describe(job: Job): Readonly<Record<string, unknown>> {
  return { jobId: job.id, type: 'bash', state: job.state, status: job.state, command: job.title }
}
