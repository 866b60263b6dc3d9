// The commands that are added to the interpreter: ours, each loaded when it is first called, and those of the host, which run beside the
// files.

import type { ResolvedCommandContext } from 'just-bash/browser'
import type { ShellCommandResult } from '../../../shell/commands.ts'
import type { JustBashFs } from '../../../vfs/facades/just-bash.ts'
import { latin1Bytes, latin1Text } from '../encoding.ts'
import type { CommandContext, CommandResult, OwnCommand } from './command.ts'

/** A command of the host, as the interpreter's thread sees it. */
export interface EngineCommand {
  readonly name: string
  readonly run: (
    args: readonly string[],
    context: {
      readonly cwd: string
      readonly env: Readonly<Record<string, string>>
      readonly stdin: Uint8Array | undefined
    },
  ) => Promise<ShellCommandResult>
}

/** In the form that `Bash` takes. */
export interface CustomCommand {
  readonly name: string
  readonly execute: (args: string[], context: ResolvedCommandContext) => Promise<CommandResult>
}

const ownCommands: readonly OwnCommand[] = [
  { name: 'mktemp', run: async (args, context) => (await import('./mktemp.ts')).mktemp(args, context) },
  { name: 'realpath', run: async (args, context) => (await import('./realpath.ts')).realpath(args, context) },
  { name: 'tar', run: async (args, context) => (await import('./tar/tar.ts')).tar(args, context) },
  { name: 'timeout', run: async (args, context) => (await import('./timeout.ts')).timeout(args, context) },
  { name: 'xargs', run: async (args, context) => (await import('./xargs.ts')).xargs(args, context) },
]

export function engineCommands(hostCommands: readonly EngineCommand[], signal: AbortSignal): readonly CustomCommand[] {
  const own = ownCommands.map(({ name, run }) => ({
    name,
    execute: (args: string[], context: ResolvedCommandContext) => run(args, contextOf(context, signal)),
  }))
  const hosts = hostCommands.map(({ name, run }) => ({
    name,
    execute: async (args: string[], context: ResolvedCommandContext) => {
      const stdin = stdinOf(context)
      const { stdout, stderr, exitCode } = await run(args, {
        cwd: context.cwd,
        env: context.exportedEnv ?? {},
        stdin: stdin === '' ? undefined : latin1Bytes(stdin),
      })
      return {
        stdout: latin1Text(stdout),
        stdoutKind: 'bytes' as const,
        stderr: new TextDecoder().decode(stderr),
        exitCode,
      }
    },
  }))
  return [...own, ...hosts]
}

function contextOf(context: ResolvedCommandContext, signal: AbortSignal): CommandContext {
  const { exec, origCommand } = context
  return {
    fs: filesOf(context),
    cwd: context.cwd,
    env: context.exportedEnv ?? {},
    stdin: stdinOf(context),
    signal: context.signal ?? signal,
    async exec(file, args, execSignal) {
      if (exec === undefined) throw new Error('unreachable: the interpreter lets every command run others')
      const stdin = stdinOf(context)
      return exec(quoteWord(file), { cwd: context.cwd, args: [...args], stdin, stdinKind: 'bytes', signal: execSignal })
    },
    original: origCommand === undefined ? undefined : args => origCommand([...args]),
  }
}

/** Ours: the interpreter wraps what it was given. */
function filesOf({ fs }: ResolvedCommandContext): JustBashFs {
  return fs as JustBashFs
}

/** A `ByteString` is a string of one character for each byte; just-bash keeps what would say so to itself. */
function stdinOf({ stdin }: ResolvedCommandContext): string {
  return stdin as unknown as string
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
