// Checks all arguments of a call before anything runs.

import { ToolError } from '../../../core/errors.ts'
import type { Limits } from '../../../core/limits.ts'
import type { VfsPath } from '../../../core/path.ts'
import { openShell } from '../../../session/command.ts'
import type { Session } from '../../../session/session.ts'
import type { Shell } from '../../../shell/shell.ts'

export interface BashArguments {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly timeout?: number | undefined
  readonly pty?: boolean | undefined
  readonly async?: boolean | undefined
}

export interface PreparedCommand {
  readonly command: string
  readonly cwd: VfsPath
  readonly env: Readonly<Record<string, string>>
  readonly shell: Shell
  readonly terminal: { readonly columns: number; readonly rows: number } | undefined
  readonly timeoutMs: number
  /** Sentences about deviations from the request. */
  readonly notes: readonly string[]
  readonly details: Readonly<Record<string, unknown>>
}

const environmentName = /^[A-Za-z_][A-Za-z0-9_]*$/
/** What a model can use where there is no shell. */
export const otherTools = 'read, write, edit, find and search'
/** The size in the reference. */
const terminalSize = { columns: 120, rows: 40 }

/** Throws `ToolError`; then nothing was run. */
export async function prepareCommand(session: Session, args: BashArguments): Promise<PreparedCommand> {
  checkEnvironment(args.env ?? {})
  const cwd = await workingDirectory(session, args.cwd)
  const shell = await openShell(session, otherTools)
  const { timeoutMs, note, details } = timeoutFor(session.limits, args.timeout)
  const hasTerminal = args.pty === true && shell.capabilities.terminal
  return {
    command: args.command,
    cwd,
    env: args.env ?? {},
    shell,
    terminal: hasTerminal ? terminalSize : undefined,
    timeoutMs,
    notes: [
      ...(note === undefined ? [] : [note]),
      ...(args.pty === true && !hasTerminal ? ['Note: this shell has no terminal; the command ran through pipes.'] : []),
    ],
    details,
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
      throw new ToolError('invalid-arguments', `The environment variable ${name} contains a null byte.`, {
        nextStep: 'Remove the null byte.',
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

/** Limited to the allowed range; a fraction of a second is rounded down. */
function timeoutFor(
  limits: Limits,
  seconds: number | undefined,
): { readonly timeoutMs: number; readonly note: string | undefined; readonly details: Readonly<Record<string, unknown>> } {
  const isUsable = seconds !== undefined && Number.isFinite(seconds)
  const timeoutMs = isUsable ? Math.min(limits.bashMaxTimeoutMs, Math.max(1, Math.floor(seconds)) * 1000) : limits.bashTimeoutMs
  const timeoutSeconds = timeoutMs / 1000
  const isOther = seconds !== undefined && seconds !== timeoutSeconds
  return {
    timeoutMs,
    note: isOther
      ? `Note: the time-out was ${timeoutSeconds} s instead of ${seconds}: it is a whole number from 1 to ${limits.bashMaxTimeoutMs / 1000}.`
      : undefined,
    details: { timeoutSeconds, ...(isOther ? { requestedTimeoutSeconds: seconds } : {}) },
  }
}
