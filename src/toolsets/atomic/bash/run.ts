// Runs one command and reports its outcome.

import { changeDetails, runKept } from '../../../session/run-kept.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { answerJobCall, parseJobCall, startJob } from './background.ts'
import type { Interception, Interceptor } from './interceptor.ts'
import { type BashArguments, checkCommand, prepareCommand, type PreparedCommand } from './prepare.ts'
import { describeEnd, headBytes, showOutput } from './render.ts'

export async function runBash(args: BashArguments, call: ToolCall, interceptor: Interceptor): Promise<ToolOutcome> {
  const { session } = call
  checkCommand(args.command)
  const jobCall = parseJobCall(args.command)
  if (jobCall !== undefined) return answerJobCall(jobCall, args.timeout, call)
  const interception = await interceptor(args, session.parseScript)
  if (interception !== undefined) return refuseIntercepted(interception)
  const expanded = await withPaths(args, call)
  const second = expanded === args ? undefined : await interceptor(expanded, session.parseScript)
  if (second !== undefined) return refuseIntercepted(second)
  const prepared = await prepareCommand(session, expanded)
  call.signal.throwIfAborted()
  return args.async === true ? startJob(prepared, session) : runInForeground(prepared, call)
}

/** Addresses of files become their paths, in the command, its directory and its environment. */
async function withPaths(args: BashArguments, { session, signal }: ToolCall): Promise<BashArguments> {
  const { command, cwd, env } = args
  const texts = [command, cwd ?? '', ...Object.values(env ?? {})]
  if (!texts.some(text => text.includes('://')) || !session.kinds.some(({ name }) => name === 'internal')) return args
  const { expandInCommand, expandValue } = await import('../../../session/expand-addresses.ts')
  const values: [string, string][] = []
  for (const [name, value] of Object.entries(env ?? {})) values.push([name, await expandValue(session, value, signal)])
  const expanded = {
    ...args,
    command: await expandInCommand(session, command, signal),
    cwd: cwd === undefined ? undefined : await expandValue(session, cwd, signal),
    env: env === undefined ? undefined : Object.fromEntries(values),
  }
  return expanded.command === command && expanded.cwd === cwd && values.every(([name, value]) => env?.[name] === value)
    ? args
    : expanded
}

async function runInForeground(prepared: PreparedCommand, { session, signal, onUpdate }: ToolCall): Promise<ToolOutcome> {
  const { command, cwd, env, shell, terminal, timeoutMs } = prepared
  const outcome = await runKept(
    session,
    shell,
    { kind: 'script', script: command },
    {
      title: `bash: ${command}`,
      cwd,
      env,
      ...(terminal === undefined ? {} : { terminal, isTerminalText: true }),
      timeoutMs,
      signal,
      maxHeadBytes: headBytes,
      onUpdate,
    },
  )
  const shown = showOutput(outcome, session.limits)
  const ending = describeEnd(outcome, timeoutMs)
  const parts = [
    shown.text === '' ? '(no output)' : shown.text,
    ...shown.notes,
    ...(ending.text === undefined ? [] : [ending.text]),
    ...prepared.notes,
  ]
  return {
    isError: ending.isError,
    content: textContent(parts.join('\n\n')),
    details: {
      ...prepared.details,
      wallTimeMs: outcome.wallTimeMs,
      ...changeDetails(outcome),
      ...shown.details,
      ...ending.details,
    },
  }
}

function refuseIntercepted({ tool, shownTool, rule, message }: Interception): ToolOutcome {
  const next = shownTool === undefined ? '' : `\nUse the ${shownTool} tool instead.`
  return {
    isError: true,
    content: textContent(`intercepted: this command was not run. ${message}${next}`),
    details: { intercepted: { ...(tool === undefined ? {} : { tool }), rule }, error: { code: 'intercepted' } },
  }
}
