// Runs the commands of a sandbox with the `bash` tool, which is the only access to the shell that the policy of a workspace
// controls, here and across a Worker.

import type { Actor } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { defaultLimits } from '../core/limits.ts'
import { defined } from '../core/record.ts'
import { textOf } from '../core/text-of.ts'
import type { ToolResult, Toolset, ToolUpdate } from '../core/tool.ts'
import type { Workspace } from './workspace.ts'
import { TailStream } from './tail-stream.ts'

/** One command of a sandbox. */
export interface SandboxCommandOptions {
  readonly command: string
  /** Absolute, or relative to the workspace's root. */
  readonly workingDirectory?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly abortSignal?: AbortSignal | undefined
}

/** A command that runs. */
export interface SandboxProcess {
  /** Both streams in the order they were written. */
  readonly stdout: ReadableStream<Uint8Array>
  /** Empty: see `stdout`. */
  readonly stderr: ReadableStream<Uint8Array>
  wait(): Promise<{ exitCode: number }>
  kill(): Promise<void>
}

/** How a sandbox runs commands. */
export interface SandboxCommands {
  /** Runs the command to its end. The two streams are separate, with at most 12 MiB each. */
  readonly run: (options: SandboxCommandOptions) => Promise<{ exitCode: number; stdout: string; stderr: string }>
  /** Returns the command while it runs. */
  readonly spawn: {
    (options: SandboxCommandOptions & { readonly stdin: true }): Promise<never>
    (options: SandboxCommandOptions & { readonly stdin?: boolean }): Promise<SandboxProcess>
  }
}

/** The exit codes of a killed shell and of `timeout`. */
const killedExitCode = 137
const timedOutExitCode = 124

const maxOutputBytes = 16 * 1024 * 1024
const limits = {
  // A command is ended by the SDK's signal, not by our time-out.
  bashTimeoutMs: defaultLimits.bashMaxTimeoutMs,
  bashMaxLines: Number.MAX_SAFE_INTEGER,
  bashMaxBytes: maxOutputBytes,
  bashCaptureBytes: maxOutputBytes,
  resultMaxBytes: 2 * maxOutputBytes,
}

/** The session is opened by the first command. */
export function openCommands(workspace: Workspace, actor: Actor): SandboxCommands {
  let opened: Promise<Toolset> | undefined
  const bash = async (
    { workingDirectory, env, abortSignal }: SandboxCommandOptions,
    command: string,
    onUpdate?: (update: ToolUpdate) => void,
  ): Promise<ToolResult> => {
    opened ??= workspace.toolset('atomic', { actor, only: ['bash'], limits })
    const args = defined({ command, cwd: workingDirectory, env })
    return await (await opened).call('bash', args, { signal: abortSignal, onUpdate })
  }
  const spawn = async (options: SandboxCommandOptions & { readonly stdin?: boolean }): Promise<SandboxProcess> => {
    if (options.stdin === true) {
      throw new AnchorageError(
        'sandbox-stdin',
        'A command of this sandbox has no standard input. Next: leave stdin out, and give input with a here-document or a file.',
      )
    }
    return spawned(options.abortSignal, (signal, onUpdate) =>
      bash({ ...options, abortSignal: signal }, options.command, onUpdate),
    )
  }
  return {
    async run(options) {
      const result = await bash(options, apartScript(options.command))
      return readApart(result)
    },
    spawn: spawn as SandboxCommands['spawn'],
  }
}

/**
 * `bash` returns both streams combined, so each stream goes to a separate file and is returned as base64, with the exit code in between.
 */
function apartScript(command: string): string {
  return [
    'anchorage_out=$(mktemp -d) || exit 1',
    `(eval ${quoted(command)}) >"$anchorage_out/1" 2>"$anchorage_out/2" </dev/null`,
    'anchorage_code=$?',
    'base64 <"$anchorage_out/1"',
    'echo "=$anchorage_code="',
    'base64 <"$anchorage_out/2"',
    'rm -rf "$anchorage_out"',
  ].join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function readApart(result: ToolResult): { exitCode: number; stdout: string; stderr: string } {
  const text = textOf(result)
  const found = /^([\w+/=\s]*?)^=(\d+)=$([\w+/=\s]*)$/m.exec(text)
  if (result.isError || found === null) return { exitCode: exitCodeOf(result), stdout: '', stderr: text }
  const [, stdout = '', code = '', stderr = ''] = found
  return { exitCode: Number(code), stdout: decoded(stdout), stderr: decoded(stderr) }
}

function decoded(base64: string): string {
  const binary = atob(base64.replaceAll(/\s/g, ''))
  return new TextDecoder().decode(Uint8Array.from(binary, character => character.charCodeAt(0)))
}

function exitCodeOf({ isError, details }: ToolResult): number {
  const { exitCode, timedOut } = details
  if (typeof exitCode === 'number') return exitCode
  if (timedOut === true) return timedOutExitCode
  return isError ? 1 : 0
}

function spawned(
  outer: AbortSignal | undefined,
  start: (signal: AbortSignal, onUpdate: (update: ToolUpdate) => void) => Promise<ToolResult>,
): SandboxProcess {
  outer?.throwIfAborted()
  const ending = new AbortController()
  const forward = (): void => ending.abort(outer?.reason)
  outer?.addEventListener('abort', forward, { once: true })
  const output = new TailStream()
  const exited = (async () => {
    try {
      const result = await start(ending.signal, ({ content, details }) =>
        output.show(textOf({ content }), Number(details['totalBytes'])),
      )
      output.end(result)
      return { exitCode: exitCodeOf(result) }
    } catch (error) {
      output.end(undefined)
      if (ending.signal.aborted) return { exitCode: killedExitCode }
      throw error
    } finally {
      outer?.removeEventListener('abort', forward)
    }
  })()
  exited.catch(() => {})
  return {
    stdout: output.stream,
    stderr: new ReadableStream({ start: controller => controller.close() }),
    wait: () => exited,
    async kill() {
      ending.abort(new DOMException('The process was killed.', 'AbortError'))
      await exited.catch(() => {})
    },
  }
}
