// Runs one command and tells what came of it (atomic §9.3).

import { ToolError, unreachable } from '../../../core/errors.ts'
import { formatSize } from '../../../core/size.ts'
import { truncateTail, type Truncation } from '../../../core/truncate.ts'
import type { VfsPath } from '../../../core/path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { runCommand, type CommandOutcome } from '../../../shell/run.ts'
import type { Shell } from '../../../shell/shell.ts'
import type { Interception, Interceptor } from './interceptor.ts'

export interface BashArguments {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly timeout?: number | undefined
  readonly pty?: boolean | undefined
}

const environmentName = /^[A-Za-z_][A-Za-z0-9_]*$/

export async function runBash(
  args: BashArguments,
  { session, signal, onUpdate }: ToolCall,
  interceptor: Interceptor,
): Promise<ToolOutcome> {
  if (args.command.trim() === '')
    throw new ToolError('invalid-arguments', 'The command is empty.', { nextStep: 'Give a command in "command".' })
  if (args.command.includes('\0'))
    throw new ToolError('invalid-arguments', 'The command holds a null byte.', {
      nextStep: "Leave it out; printf '\\0' makes one.",
    })
  const interception = interceptor.check(args.command, args.cwd !== undefined)
  if (interception !== undefined) return refuseIntercepted(interception)
  checkEnvironment(args.env ?? {})
  const cwd = await workingDirectory(session, args.cwd)
  const shell = await openShell(session)
  const timeoutMs = timeoutFor(session, args.timeout)
  const outcome = await runCommand(
    shell,
    { kind: 'script', script: args.command },
    {
      cwd,
      env: args.env ?? {},
      timeoutMs,
      signal,
      maxCaptureBytes: session.limits.bashCaptureBytes,
      onOutput: ({ output, totalBytes, wallTimeMs }) =>
        onUpdate({ content: textContent(output), details: { totalBytes, wallTimeMs } }),
    },
  )
  return render(session, args, outcome, timeoutMs)
}

function refuseIntercepted({ tool, shownTool, rule, message }: Interception): ToolOutcome {
  return {
    isError: true,
    content: textContent(`intercepted: this command was not run. ${message}\nUse the ${shownTool} tool instead.`),
    details: { intercepted: { tool, rule }, error: { code: 'intercepted' } },
  }
}

function checkEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!environmentName.test(name)) {
      throw new ToolError('invalid-arguments', `${JSON.stringify(name)} cannot be the name of an environment variable.`, {
        nextStep: 'Use letters, digits and _, not starting with a digit.',
      })
    }
    if (value.includes('\0'))
      throw new ToolError('invalid-arguments', `The environment variable ${name} holds a null byte.`, {
        nextStep: 'Leave it out.',
      })
  }
}

async function workingDirectory(session: Session, cwd: string | undefined): Promise<VfsPath> {
  if (cwd === undefined || cwd === '') return session.root
  const directory = await session.paths.resolve(cwd)
  if (directory.stat === undefined) {
    throw new ToolError('ENOENT', `The working directory ${directory.display} does not exist. Nothing was run.`, {
      nextStep: 'Find the right one with find, or leave "cwd" out.',
      details: { path: directory.display },
    })
  }
  if (directory.stat.kind !== 'directory') {
    throw new ToolError('ENOTDIR', `The working directory ${directory.display} is not a directory. Nothing was run.`, {
      nextStep: 'Name a directory in "cwd".',
      details: { path: directory.display },
    })
  }
  return directory.path
}

async function openShell(session: Session): Promise<Shell> {
  if (session.shell.kind === 'none') {
    throw new ToolError('no-shell', 'This workspace has no shell.', {
      nextStep: 'Use read, write, edit, find and search instead.',
    })
  }
  return session.shell.open()
}

/** Seed: default 300 s, clamped to 1..3600; a fraction is rounded down. */
function timeoutFor({ limits }: Session, seconds: number | undefined): number {
  if (seconds === undefined || !Number.isFinite(seconds)) return limits.bashTimeoutMs
  return Math.min(limits.bashMaxTimeoutMs, Math.max(1, Math.floor(seconds)) * 1000)
}

function render(session: Session, args: BashArguments, outcome: CommandOutcome, timeoutMs: number): ToolOutcome {
  const { text, note, details } = shownOutput(session, args.command, outcome)
  const ending = describeEnd(outcome, timeoutMs)
  const terminal = args.pty === true ? 'Note: this shell has no terminal; the command ran through pipes.' : undefined
  const parts = [text === '' ? '(no output)' : text, ...[note, ending.text, terminal].filter(part => part !== undefined)]
  const timeoutSeconds = timeoutMs / 1000
  return {
    isError: ending.isError,
    content: textContent(parts.join('\n\n')),
    details: {
      timeoutSeconds,
      ...(args.timeout !== undefined && args.timeout !== timeoutSeconds ? { requestedTimeoutSeconds: args.timeout } : {}),
      wallTimeMs: outcome.wallTimeMs,
      ...details,
      ...ending.details,
    },
  }
}

function shownOutput(
  session: Session,
  command: string,
  { output, droppedBytes }: CommandOutcome,
): { text: string; note: string | undefined; details: Record<string, unknown> } {
  const cut: Truncation = truncateTail(output, { maxLines: session.limits.bashMaxLines, maxBytes: session.limits.bashMaxBytes })
  const lost = droppedBytes === 0 ? '' : ` The first ${formatSize(droppedBytes)} were not kept.`
  if (!cut.truncated)
    return {
      text: cut.text,
      note: lost === '' ? undefined : `[${lost.trim()}]`,
      details: droppedBytes === 0 ? {} : { droppedBytes },
    }
  const address = session.outputs.save(`bash: ${command}`, output)
  const limit = cut.by === 'bytes' ? ` (${formatSize(session.limits.bashMaxBytes)} limit)` : ''
  const lastBytes =
    cut.oversizedLineBytes === undefined ? '' : ` The first of them is cut: it is ${formatSize(cut.oversizedLineBytes)} long.`
  return {
    text: cut.text,
    note: `[Showing lines ${cut.firstLineNumber}-${cut.totalLines} of ${cut.totalLines}${limit}.${lastBytes} Whole output: read ${address}.${lost}]`,
    details: { fullOutputPath: address, truncation: withoutText(cut), ...(droppedBytes === 0 ? {} : { droppedBytes }) },
  }
}

function withoutText({ text: _shown, ...truncation }: Truncation): Omit<Truncation, 'text'> {
  return truncation
}

function describeEnd(
  { exit }: CommandOutcome,
  timeoutMs: number,
): { isError: boolean; text: string | undefined; details: Record<string, unknown> } {
  switch (exit.kind) {
    case 'exited':
      return exit.code === 0
        ? { isError: false, text: undefined, details: {} }
        : {
            isError: true,
            text: `Command exited with code ${exit.code}`,
            details: { exitCode: exit.code, error: { code: 'exit-code' } },
          }
    case 'timed-out':
      return {
        isError: true,
        text: `Command timed out after ${timeoutMs / 1000} seconds. Files that it wrote before are kept. Raise "timeout" if it needs longer.`,
        details: { timedOut: true, error: { code: 'timed-out' } },
      }
    case 'killed':
      return {
        isError: true,
        text: `Command was killed${exit.signal === undefined ? '' : ` (${exit.signal})`}.`,
        details: { error: { code: 'killed' }, ...(exit.code === undefined ? {} : { exitCode: exit.code }) },
      }
    case 'lost':
      return {
        isError: true,
        text: `Nobody can say how the command ended: ${exit.why}. Check its effects before you run it again.`,
        details: { error: { code: 'lost' } },
      }
    default:
      return unreachable(exit)
  }
}
