// Runs one command and reports its outcome.

import type { AddressExpander } from '../../../session/expand-addresses.ts'
import { changeDetails, runKept } from '../../../session/run-kept.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { answerJobCall, parseJobCall, startJob } from './background.ts'
import type { Interception, Interceptor } from './interceptor.ts'
import { checkCommand, openShell } from '../../../session/command.ts'
import { type BashArguments, otherTools, prepareCommand, type PreparedCommand } from './prepare.ts'
import { describeEnd, headBytes, showOutput } from './render.ts'

export async function runBash(args: BashArguments, call: ToolCall, interceptor: Interceptor): Promise<ToolOutcome> {
  const { session } = call
  checkCommand(args.command)
  const jobCall = parseJobCall(args.command)
  if (jobCall !== undefined) return answerJobCall(jobCall, args.timeout, call)
  const interception = await interceptor(args, session.parseScript)
  if (interception !== undefined) return refuseIntercepted(interception)
  const addresses = await expanderFor(args, call)
  let isJob = false
  try {
    const expanded = addresses === undefined ? args : await withPaths(args, addresses)
    const second = expanded === args ? undefined : await interceptor(expanded, session.parseScript)
    if (second !== undefined) return refuseIntercepted(second)
    const prepared = await prepareCommand(session, expanded)
    call.signal.throwIfAborted()
    if (args.async !== true) return await runInForeground(prepared, call)
    isJob = true
    return await startJob(prepared, session, async () => addresses?.dispose())
  } finally {
    if (!isJob) await addresses?.dispose()
  }
}

/** `undefined` if there is no address in the call. */
async function expanderFor({ command, cwd, env }: BashArguments, call: ToolCall): Promise<AddressExpander | undefined> {
  const { session, signal } = call
  const texts = [command, cwd ?? '', ...Object.values(env ?? {})]
  if (!texts.some(text => text.includes('://')) || !session.kinds.some(({ name }) => name === 'internal')) return undefined
  const { AddressExpander: Expander } = await import('../../../session/expand-addresses.ts')
  return new Expander(session, (await openShell(session, otherTools)).capabilities, signal)
}

/** Addresses become paths, in the command, its directory and its environment. */
async function withPaths(args: BashArguments, addresses: AddressExpander): Promise<BashArguments> {
  const { command, cwd, env } = args
  const values: [string, string][] = []
  for (const [name, value] of Object.entries(env ?? {})) values.push([name, await addresses.value(value)])
  const expanded = {
    ...args,
    command: await addresses.command(command),
    cwd: cwd === undefined ? undefined : await addresses.directory(cwd),
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
